import { beforeAll, describe, expect, it } from 'vitest';
import type { GraphqlApi } from '../../../../src/graphql/operation.ts';
import { errorsOf, type OpenedLibrary, openLibrary, prepared } from '../open-api.ts';

let library: OpenedLibrary;
let api: GraphqlApi;

beforeAll(async () => {
  library = await openLibrary();
  api = library.api({ maxLimit: 50 });
});

/** Removes the mark `§` of a document; returns its position and the problems of the lists. */
function check(marked: string, of = api) {
  const lines = marked.split('\n');
  const line = lines.findIndex((text) => text.includes('§'));
  const mark = line < 0 ? undefined : { line: line + 1, column: (lines[line]?.indexOf('§') ?? 0) + 1 };
  const source = marked.replace('§', '');
  const problems = prepared(of, source).checkLists();
  return { source, mark, problems };
}

const list = (args: string, type = 'book') => `query Q {\n  ${type}List(${args}) { count }\n}`;

describe('a list that can never be executed', () => {
  it.each([
    [
      'a predicate that cannot be parsed',
      list('where: "title = §= ? and ("'),
      'where: expected a value behind one "=", found "="',
    ],
    ['one that ends too early', list('where: "title = §"'), 'where: expected a value, found the end'],
    [
      'an empty one',
      list('where: "§"'),
      'where: expected a comparison such as name = "value", found the end',
    ],
    [
      'an unknown field',
      list('where: "pages > 1 and §nothing = 1"'),
      'where: lib.Book has no field "nothing"',
    ],
    [
      'an unknown field behind escapes',
      list(String.raw`where: "title = \"\u{1F600}\\n\" or §nothing = 1"`),
      'where: lib.Book has no field "nothing"',
    ],
    [
      'an unknown field in a block',
      list('where: """\n      title = "x"\n        and §nothing = 1\n  """'),
      'where: lib.Book has no field "nothing"',
    ],
    [
      'an unknown field beyond a reference',
      list('where: "§writer/title = x"'),
      'where: lib.Person has no field "title"',
    ],
    [
      'a literal of another type',
      list('where: "pages = §many"'),
      'where: expected a number without quotes for "pages" (Int)',
    ],
    [
      'an operator that does not fit',
      list('where: "§pages contains 1"'),
      /^where: expected one of .* for "pages" \(Int\)$/,
    ],
    [
      'too few values',
      list('where: "title = ? and pages = ?", values: §["x"]'),
      'values: the predicate has 2 placeholders, and there is 1 value',
    ],
    [
      'too many values',
      list('where: "title = ?0 or writer/name = ?0", values: §["x", "y"]'),
      'values: the predicate has 1 placeholder, and there are 2 values',
    ],
    [
      'no values',
      list('where: §"title = ?"'),
      'values: the predicate has 1 placeholder, and there are 0 values',
    ],
    ['values without a predicate', list('values: [§"x"]'), 'values: needs a predicate in "where" to fill'],
    [
      'a value of another type',
      list('where: "title = ? and pages = ?", values: ["x", §"many"]'),
      'values: expected a number for "pages" (Int)',
    ],
    [
      'a list inside a list',
      list('where: "pages in [?, 1]", values: [§[1, 2]]'),
      'values: expected a number for "pages" (Int)',
    ],
    [
      'a value that is no list',
      list('where: "pages = ?", values: §"many"'),
      'values: expected a number for "pages" (Int)',
    ],
    [
      'an unknown sort key',
      list('sortBy: [{ field: "title" }, { field: "§nothing" }]'),
      'sortBy: cannot be by "nothing": lib.Book has no field "nothing"',
    ],
    [
      'one that cannot be sorted by',
      list('sortBy: { field: "§notes" }'),
      'sortBy: cannot be by "notes": it is a list',
    ],
    [
      'one through a reference',
      list('sortBy: { field: "§writer/name" }'),
      'sortBy: cannot be by "writer/name": it goes through a reference',
    ],
    [
      'one that is given twice',
      list('sortBy: [{ field: "title" }, { field: "§title", order: DESC }]'),
      'sortBy: cannot be by "title": it is given twice',
    ],
    ['a page that is too large', list('limit: §51'), 'limit: must be at most 50'],
    ['a page before the first', list('offset: §-1'), 'offset: must not be negative'],
    ['an offset beside a cursor', list('cursor: "", offset: §0'), 'offset: cannot be combined with "cursor"'],
    [
      'counted values of an unknown field',
      'query Q { bookList { facets(paths: ["§nothing"]) { path } } }',
      'facets: cannot count the values of "nothing": lib.Book has no field "nothing"',
    ],
    [
      'counted values of a field without an index',
      'query Q { bookList { ...P } } fragment P on BookList { facets(paths: "§pages") { path } }',
      'facets: cannot count the values of "pages": it has no index in lib.Book',
    ],
    [
      'values of a field that are counted twice',
      'query Q { filmList { facets(paths: ["title", "§title"]) { path } } }',
      'facets: cannot count the values of "title": it is given twice',
    ],
  ])('is found out with its place: %s', (_name, marked, message) => {
    const { mark, problems } = check(marked);
    const expected =
      typeof message === 'string'
        ? `${marked.includes('filmList') ? 'filmList' : 'bookList'}, ${message}`
        : expect.stringMatching(/^bookList, where/);
    expect(problems).toEqual([{ message: expected, ...mark }]);
    if (message instanceof RegExp) expect(problems[0]?.message.slice('bookList, '.length)).toMatch(message);
  });

  it('refuses to run for the same reasons', async () => {
    for (const args of [
      'where: "title = = ?"',
      'where: "title = ?"',
      'limit: 51',
      'sortBy: { field: "notes" }',
    ]) {
      expect(await errorsOf(api, list(args))).toHaveLength(1);
    }
  });

  it('is reported in fragments, in defaults of variables, and for every type', () => {
    const fragment = check(
      'query Q { ...Books }\nfragment Books on Query { one: bookList(where: "§nothing = 1") { count } }',
    );
    expect(fragment.problems).toEqual([
      { message: 'bookList, where: lib.Book has no field "nothing"', ...fragment.mark },
    ]);
    const inline = check('{ ... on Query { partyList(where: "§owner = missing") { count } } }');
    expect(inline.problems).toEqual([
      {
        message: 'partyList, where: lib.Person has no field "owner". Did you mean "cms.site.owner"?',
        ...inline.mark,
      },
    ]);
    const where = check('query Q($w: String = "§nothing = 1") { bookList(where: $w) { count } }');
    expect(where.problems).toMatchObject([where.mark]);
    const valued = check(
      'query Q($w: String = "pages = §many") { bookList(where: $w, values: []) { count } }',
    );
    expect(valued.problems).toMatchObject([valued.mark]);
    const sort = check(
      'query Q($s: [SortInput!] = [{ field: "§nothing" }]) { bookList(sortBy: $s) { count } }',
    );
    expect(sort.problems).toMatchObject([sort.mark]);
    const field = check('query Q($f: String! = "§nothing") { bookList(sortBy: { field: $f }) { count } }');
    expect(field.problems).toMatchObject([field.mark]);
    const limit = check('query Q($n: Int = §51) { bookList(limit: $n) { count } }');
    expect(limit.problems).toMatchObject([limit.mark]);
  });

  it('is reported once when two lists share a problem, and twice for two problems', () => {
    const shared = check(
      'query Q($w: String = "§nothing = 1") { a: bookList(where: $w) { count } b: bookList(where: $w) { count } }',
    );
    expect(shared.problems).toMatchObject([shared.mark]);
    const { problems } = check(list('where: "nothing = 1", sortBy: { field: "notes" }, limit: 51'));
    expect(problems.map(({ message }) => message.split(': ')[0])).toEqual([
      'bookList, where',
      'bookList, sortBy',
      'bookList, limit',
    ]);
  });

  it('is one of the types that the endpoint reads', () => {
    const where = 'where: "§writer/name = x"';
    expect(check(list(where)).problems).toEqual([]);
    const { mark, problems } = check(list(where), library.api({ readTypes: ['lib.Book'], writeTypes: [] }));
    expect(problems).toEqual([{ message: 'bookList, where: lib.Book has no field "writer"', ...mark }]);
  });
});

describe('a list that can be executed', () => {
  it.each([
    ['without arguments', list('limit: 50, offset: 0')],
    ['by a predicate', list('where: "title = \'x\' and writer/name contains y and pages >= 3"')],
    [
      'by values of the types',
      list('where: "pages = ? and inPrint = ? and title = ?", values: ["7", "true", "x"]'),
    ],
    ['by a list for one value', list('where: "pages = ?", values: [[1, 2]]')],
    ['by a value that is no list', list('where: "title = ?", values: "x"')],
    ['by null', list('where: null, values: null, sortBy: null, limit: null')],
    ['in an order', list('sortBy: [{ field: "shelf.mark" }, { field: "cover.colour", order: DESC }]')],
    ['by cursor', list('cursor: "", offset: null, limit: 5')],
    ['with counted values', 'query Q { filmList { facets(paths: ["title"]) { path } } }'],
    ['of an interface', list('where: "name = x", sortBy: { field: "name" }', 'party')],
  ])('has no problems: %s', (_name, source) => {
    expect(check(source).problems).toEqual([]);
  });

  it.each([
    'query Q($w: String) { bookList(where: $w, values: ["x"]) { count } }',
    'query Q($w: String!) { bookList(where: $w) { count } }',
    'query Q($w: String = "title = ?") { bookList(where: $w, values: ["x", "y"]) { count } }',
    'query Q($w: String = null) { bookList(where: $w, values: ["x"]) { count } }',
    'query Q($v: [JSON!] = []) { bookList(where: "title = ?", values: $v) { count } }',
    'query Q($v: JSON! = "many") { bookList(where: "pages = ?", values: [$v]) { count } }',
    'query Q($v: [JSON!]) { bookList(where: "title = ?", values: $v) { count } }',
    'query Q($v: JSON!) { bookList(where: "title = ? and pages = ?", values: [$v, 5]) { count } }',
    'query Q($v: JSON!) { bookList(where: "title in ?", values: [["x", $v]]) { count } }',
    'query Q($s: [SortInput!], $f: String!) { a: bookList(sortBy: $s) { count } b: bookList(sortBy: { field: $f }) { count } }',
    'query Q($n: Int) { bookList(limit: $n, offset: $n) { count } }',
    'query Q($n: Int = 5, $c: String) { bookList(offset: $n, cursor: $c) { count } }',
    'query Q($p: [String!]!, $one: String!) { a: filmList { facets(paths: $p) { path } } b: filmList { facets(paths: ["title", $one]) { path } } }',
  ])('is not refused for what only a request can tell: %s', (source) => {
    expect(check(source).problems).toEqual([]);
  });

  it('is still refused for its other problems', () => {
    const { mark, problems } = check(
      'query Q($v: JSON!) { bookList(where: "title = ? and pages = ?", values: [$v, §"many"]) { count } }',
    );
    expect(problems).toMatchObject([mark]);
    const number = check('query Q($v: JSON!) { bookList(where: "title = ?", values: §[$v, $v]) { count } }');
    expect(number.problems).toMatchObject([number.mark]);
  });

  it('is not checked in mutations', () => {
    expect(prepared(api, 'mutation M { deleteBook(_id: "x") }').checkLists()).toEqual([]);
  });
});
