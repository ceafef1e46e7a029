import { parseConstValue } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { toFilterValue } from '../../../src/graphql/checks/check-filter.ts';
import type { GraphqlApi } from '../../../src/graphql/operation.ts';
import {
  dataOf,
  errorsOf,
  type OpenedLibrary,
  openLibrary,
  prepared,
  reference,
  refused,
} from './open-api.ts';

let library: OpenedLibrary;
let api: GraphqlApi;
let ids: Record<'ann' | 'bob' | 'press' | 'a' | 'b' | 'c', string>;

beforeAll(async () => {
  library = await openLibrary({ sdl });
  api = library.api();
  const ann = await library.create('lib.Person', { name: 'Ann', email: 'ann@example.org' });
  const bob = await library.create('lib.Person', { name: 'Bob' });
  const press = await library.create('lib.Company', { name: 'Press', owner: reference(bob, 'lib.Person') });
  const create = (title: string, fields: object) => library.create('lib.Book', { title, ...fields });
  const a = await create('A', {
    slug: 'a',
    pages: 100,
    writer: reference(ann, 'lib.Person'),
    publisher: reference(press, 'lib.Company'),
    tags: ['x', 'y'],
    cover: { colour: 'red', artist: reference(bob, 'lib.Person') },
    offers: [
      { price: 5, stock: 0 },
      { price: 20, stock: 3 },
    ],
    genre: 'POEM',
    'shelf.mark': 'S1',
    inPrint: true,
    text: '<p>Once upon</p>',
    extra: { any: 1 },
    isbn: '5',
  });
  const b = await create('b', {
    slug: 'b',
    pages: 200,
    writer: reference(bob, 'lib.Person'),
    publisher: reference(ann, 'lib.Person'),
    related: [reference(a, 'lib.Book')],
    tags: ['y'],
    genre: 'NOVEL',
  });
  const c = await create('C', { slug: 'c', tags: [] });
  ids = { ann, bob, press, a, b, c };
});

const sdl = `
interface Party @contentType(class: "lib.Party") { name: String! }
type Person implements Party @contentType(class: "lib.Person") { name: String! email: String @indexed(unique: true) }
type Company implements Party @contentType(class: "lib.Company") { name: String! owner: Person }
type Film @contentType(class: "lib.Film") { title: String! pages: String }
union Work = Book | Film
enum Genre { NOVEL POEM }
type Cover { colour: String code: Int @indexed(unique: true) artist: Person }
type Offer { price: Float! stock: Int labels: [String!] }
type Book @contentType(class: "lib.Book") {
  slug: String! @indexed(unique: true)
  title: String!
  pages: Int
  text: RichText
  isbn: ID
  genre: Genre
  inPrint: Boolean
  extra: JSON
  writer: Person
  publisher: Party
  related: [Work!]
  anything: Content
  tags: [String!]
  cover: Cover
  offers: [Offer!]
  shelf_mark: String @json(name: "shelf.mark")
}
`;

/** The titles of the books that a filter finds, in one text. */
async function find(filter: string, { rest = '', variables = {}, declare = '' } = {}): Promise<string> {
  const query = `query Q${declare && `(${declare})`} { bookList(filter: ${filter} ${rest} sortBy: [{ field: "slug" }]) { items { title } } }`;
  const { bookList } = Object(await dataOf(api, query, variables));
  return bookList.items.map(({ title }: { title: string }) => title).join('');
}

describe('a filter', () => {
  it.each([
    ['{ title: { eq: "A" } }', 'A'],
    ['{ title: { ne: "A" } }', 'bC'],
    ['{ title: { in: ["A", "C"] } }', 'AC'],
    ['{ title: { in: "C" } }', 'C'],
    ['{ title: { notIn: ["A", "C"] } }', 'b'],
    ['{ title: { in: [] } }', ''],
    ['{ title: { notIn: [] } }', 'AbC'],
    ['{ title: { eq: "B", ignoreCase: true } }', 'b'],
    ['{ title: { startsWith: "B" } }', ''],
    ['{ title: { startsWith: "B", ignoreCase: true } }', 'b'],
    ['{ title: { contains: "C" } }', 'C'],
    ['{ text: { matches: "UPON never" } }', 'A'],
    ['{ text: { matchesAll: "upon never" } }', ''],
    ['{ isbn: { eq: 5 } }', 'A'],
    ['{ pages: { ge: 100, lt: 200 } }', 'A'],
    ['{ pages: { le: 100 } }', 'A'],
    ['{ pages: { gt: 100 } }', 'b'],
    ['{ pages: { eq: null } }', 'C'],
    ['{ pages: { ne: null } }', 'Ab'],
    ['{ pages: null }', 'C'],
    ['{ genre: { eq: POEM } }', 'A'],
    ['{ genre: { notIn: [POEM] } }', 'bC'],
    ['{ inPrint: { eq: true } }', 'A'],
    ['{ extra: { ne: null } }', 'A'],
    ['{ shelf_mark: { eq: "S1" } }', 'A'],
    ['{ writer: { name: { startsWith: "A" } } }', 'A'],
    ['{ writer: { name: { eq: null } } }', 'C'],
    ['{ writer: { not: { name: { eq: "Ann" } } } }', 'bC'],
    ['{ writer: null }', 'C'],
    ['{ writer: { email: null } }', 'bC'],
    ['{ not: { writer: { email: null } } }', 'A'],
    ['{ not: { writer: null } }', 'Ab'],
    ['{ publisher: { name: { eq: "Press" } } }', 'A'],
    ['{ publisher: { _type: { eq: "lib.Person" } } }', 'b'],
    ['{ cover: { colour: { eq: "red" }, artist: { name: { eq: "Bob" } } } }', 'A'],
    ['{ cover: null }', 'bC'],
    ['{ tags: { any: { eq: "x" } } }', 'A'],
    ['{ not: { tags: { any: { in: ["x"] } } } }', 'bC'],
    ['{ tags: { any: { in: ["x", "y"] } } }', 'Ab'],
    ['{ tags: null }', ''],
    ['{ offers: { any: { price: { gt: 10 } } } }', 'A'],
    ['{ offers: { any: { or: [{ price: { gt: 50 } }, { stock: { eq: 0 } }] } } }', 'A'],
    ['{ offers: { any: { stock: { ne: null } } } }', 'A'],
    ['{ offers: { any: { price: { gt: 10 }, stock: { gt: 0 } } } }', 'A'],
    ['{ offers: { any: { price: { gt: 10 }, stock: { eq: 0 } } } }', ''],
    ['{ offers: { any: { price: { gt: 1, lt: 10 }, not: { stock: { gt: 0 } } } } }', 'A'],
    ['{ offers: { any: { stock: { eq: null } } } }', ''],
    ['{ offers: { any: { labels: null } } }', 'A'],
    ['{ offers: { every: { price: { gt: 1 } } } }', 'AbC'],
    ['{ offers: { every: { price: { gt: 10 } } } }', 'bC'],
    ['{ offers: { none: { price: { gt: 10 }, stock: { eq: 0 } } } }', 'AbC'],
    ['{ offers: { none: { stock: { eq: 0 } }, any: { price: { gt: 1 } } } }', ''],
    ['{ related: { any: { title: { eq: "A" }, _type: { eq: "lib.Book" } } } }', 'b'],
    ['{ related: { every: { title: { ne: "A" } } } }', 'AC'],
    ['{ related: { none: { title: { eq: "A" } } } }', 'AC'],
    ['{ offers: { every: {}, none: { or: [{}] } } }', 'AbC'],
    ['{ offers: null }', 'bC'],
    ['{ related: { any: { title: { eq: "A" } } } }', 'b'],
    ['{ and: [{ pages: { ge: 100 } }, { pages: { le: 150 } }] }', 'A'],
    ['{ or: [{ title: { eq: "C" } }, { pages: { gt: 150 } }] }', 'bC'],
    ['{ not: { or: [{ title: { eq: "C" } }, { pages: { gt: 150 } }] } }', 'A'],
    ['{ pages: { ge: 100 }, not: { title: { eq: "A" } } }', 'b'],
    ['{}', 'AbC'],
    ['null', 'AbC'],
    ['{ and: [], not: {}, title: {}, tags: { any: {} }, writer: { or: [{}] } }', 'AbC'],
    ['{ or: [] }', ''],
    ['{ not: { or: [] } }', 'AbC'],
    ['{ or: [{ or: [] }, { title: { eq: "A" } }] }', 'A'],
    ['{ writer: { or: [] } }', ''],
    ['{ offers: { any: { or: [] } } }', ''],
    ['{ offers: { none: { or: [] } } }', 'AbC'],
    ['{ or: [{}, { title: { eq: "A" } }] }', 'A'],
  ])('%s finds %s, in the document and as a variable', async (filter, titles) => {
    expect(await find(filter)).toBe(titles);
    const f = toFilterValue(parseConstValue(filter), () => 'unknown');
    expect(await find('$f', { declare: '$f: BookFilter', variables: { f } })).toBe(titles);
  });

  it('compares the ID of an asset, and of the one that a reference points at', async () => {
    expect(await find(`{ _id: { in: ["${ids.a}", "${ids.c.toUpperCase()}"] } }`)).toBe('AC');
    expect(await find(`{ writer: { _id: { eq: "${ids.bob}" } } }`)).toBe('b');
    expect(await find(`{ writer: { _id: { ne: "${ids.bob}" } } }`)).toBe('AC');
    expect(await find('{ writer: { _id: { eq: null } } }')).toBe('C');
    expect(await find(`{ related: { any: { _id: { eq: "${ids.a}" } } } }`)).toBe('b');
    expect(await find(`{ related: { none: { _id: { in: ["${ids.a}"] } } } }`)).toBe('AC');
    expect(await find(`{ writer: { _id: { startsWith: "${ids.ann.slice(0, -1)}" } } }`)).toBe('Ab');
  });

  it('compares the ID that a reference has in every way, also when it leads to no asset', async () => {
    const gone = await library.create('lib.Person', { name: 'Gone' });
    const book = await library.create('lib.Book', {
      slug: 'd',
      title: 'D',
      writer: reference(gone, 'lib.Person'),
    });
    const { content } = library;
    await content.delete({ id: gone }, {});
    for (const condition of [
      `eq: "${gone}"`,
      `le: "${gone}", ge: "${gone}"`,
      `startsWith: "${gone}"`,
      `contains: "${gone.slice(9)}"`,
    ])
      expect(await find(`{ writer: { _id: { ${condition} } } }`)).toBe('D');
    expect(await find(`{ writer: { _id: { gt: "${gone}" } } }`)).toBe('');
    expect(await find('{ writer: { name: { eq: "Gone" } } }')).toBe('');
    await content.delete({ id: book }, {});
  });

  it('holds together with a predicate', async () => {
    expect(await find('{ pages: { ge: 100 } }', { rest: 'where: "title = ?", values: ["A"]' })).toBe('A');
    expect(await find('{ pages: { ge: 150 } }', { rest: 'where: "title = A"' })).toBe('');
  });

  it('applies to counts, counted values and pages by cursor, to which a cursor is bound', async () => {
    const query = (
      title: string,
      cursor: string,
    ) => `{ bookList(filter: { title: { ne: "${title}" } }, limit: 1, cursor: "${cursor}") {
      count next items { title } facets(paths: ["slug"]) { values { value } } } }`;
    const { bookList } = Object(await dataOf(api, query('A', '')));
    expect(bookList).toMatchObject({ count: 2, facets: [{ values: [{ value: 'b' }, { value: 'c' }] }] });
    expect(Object(await dataOf(api, query('A', bookList.next))).bookList).toMatchObject({
      count: 2,
      next: null,
    });
    const whole =
      'query Q($f: BookFilter, $c: String) { bookList(filter: $f, limit: 1, cursor: $c) { items { title } } }';
    const variables = { f: { title: { ne: 'A' } }, c: bookList.next };
    expect(await dataOf(api, whole, variables)).toEqual({ bookList: { items: [{ title: 'C' }] } });
    expect(await errorsOf(api, query('b', bookList.next))).toMatchObject([
      { code: 'cursor_mismatch' },
      { code: 'cursor_mismatch' },
    ]);
  });

  it('filters lists of interfaces by their fields', async () => {
    const query = '{ partyList(filter: { name: { startsWith: "P" } }) { items { name } } }';
    expect(await dataOf(api, query)).toEqual({ partyList: { items: [{ name: 'Press' }] } });
  });
});

describe('a variable in a filter', () => {
  const declare = '$title: String, $from: Int, $titles: [String!], $tag: String, $whole: BookFilter';
  const filter = `{ title: { eq: $title, in: $titles }, pages: { ge: $from }, tags: { any: { eq: $tag } },
    or: [{ title: { eq: $title } }, { not: { pages: { ge: $from } } }], and: [$whole] }`.replace(
    'and: [$whole]',
    'not: $whole',
  );
  const findWith = (variables: object) => find(filter, { declare, variables });

  it('takes its member away when it is not given, and what consists of such members', async () => {
    expect(await findWith({})).toBe('AbC');
    expect(await findWith({ title: 'A' })).toBe('A');
    expect(await findWith({ titles: ['A', 'b'] })).toBe('Ab');
    expect(await findWith({ tag: 'x' })).toBe('A');
    expect(await findWith({ whole: { title: { eq: 'A' } } })).toBe('bC');
    expect(await findWith({ whole: {} })).toBe('AbC');
    const offers = '{ any: { price: { gt: $p }, stock: { gt: $s } }, none: { stock: { eq: $z } } }';
    const ofOffers = (variables: object) =>
      find(`{ offers: ${offers} }`, { declare: '$p: Float, $s: Int, $z: Int', variables });
    expect(await ofOffers({})).toBe('AbC');
    expect(await ofOffers({ p: 10, s: 2 })).toBe('A');
    expect(await ofOffers({ p: 10, s: 5 })).toBe('');
    expect(await ofOffers({ z: 0 })).toBe('bC');
  });

  it('means absence when it is null where that is possible, and is refused elsewhere', async () => {
    const pages = (of: string, variables: object) =>
      find(`{ pages: { ${of}: $n } }`, { declare: '$n: Int', variables });
    expect(await pages('eq', { n: null })).toBe('C');
    expect(await pages('ne', { n: null })).toBe('Ab');
    const query = 'query Q($n: Int) { bookList(filter: { pages: { ge: $n } }) { count } }';
    expect(await errorsOf(api, query, { n: null })).toMatchObject([
      { message: expect.stringContaining('Expected value of non-null type "Int!" not to be null') },
    ]);
  });

  it('has its true type in what is derived from the operation', () => {
    const query = `query Q($title: String, $words: String, $genres: [Genre!]) {
      bookList(filter: { title: { eq: $title }, text: { matches: $words }, genre: { in: $genres } }) { count } }`;
    expect(prepared(api, query).variables).toMatchObject([
      { name: 'title', required: false, type: { kind: 'scalar', name: 'String', nullable: true } },
      { name: 'words', required: false, type: { kind: 'scalar', name: 'String', nullable: false } },
      { name: 'genres', required: false, type: { kind: 'list', of: { kind: 'enum' }, nullable: false } },
    ]);
  });

  it('may be a whole filter', async () => {
    const query = 'query Q($f: BookFilter) { bookList(filter: $f) { count } }';
    expect(await dataOf(api, query, { f: { pages: { gt: 100 } } })).toEqual({ bookList: { count: 1 } });
    expect(await dataOf(api, query)).toEqual({ bookList: { count: 3 } });
    expect(await errorsOf(api, query, { f: { pages: { gt: null } } })).toMatchObject([
      { message: '"f" is wrong at "pages.gt": must not be null' },
    ]);
    expect(await errorsOf(api, query, { f: { constructor: {} } })).toMatchObject([
      { message: expect.stringContaining('unknown field "constructor"') },
    ]);
  });

  it('is named in an error about its value', async () => {
    const query = `query Q($slug: String, $part: String) {
      bookList(filter: { slug: { eq: $slug }, title: { startsWith: $part } }) { count } }`;
    expect(await errorsOf(api, query, { slug: 'a', part: '' })).toMatchObject([
      {
        message:
          '"part" is wrong at "title.startsWith": expected a string of 1 to 1000 characters for "title" (String)',
        code: 'invalid_parameter',
      },
    ]);
  });
});

describe('a filter that cannot be applied', () => {
  it.each([
    ['{ title: { startsWith: § null } }', '"title.startsWith": must not be null'],
    ['{ title: { in: §null } }', '"title.in": must not be null'],
    ['{ or: [{ title: { startsWith: §"" } }] }', '"or.0.title.startsWith": expected a string of 1 to 1000'],
    ['{ not: §null }', '"not": must not be null'],
    ['{ and: §null }', '"and": must not be null'],
    ['{ tags: { any: §null } }', '"tags.any": must not be null'],
    ['{ title: { ge: §"A", ignoreCase: true } }', '"title.ge": cannot be combined with ignoreCase'],
    ['{ title: { eq: "A", ignoreCase: §null } }', '"title.ignoreCase": must not be null'],
    ['{ _id: { eq: §"x" } }', '"_id.eq": expected a UUID for "_id"'],
    ['{ writer: { _id: { in: §["x"] } } }', '"writer._id.in": expected a UUID for "writer" (a reference)'],
    ['{ publisher: { _type: { eq: §"lib.None" } } }', '"publisher._type.eq": expected the class name'],
    ['{ extra: { eq: §1 } }', '"extra.eq": expected null or missing'],
    ['{ tags: { any: §{ startsWith: "a", contains: "b" } } }', '"tags.any": has several conditions'],
    ['{ offers: { every: §null } }', '"offers.every": must not be null'],
    ['{ offers: { none: { price: { gt: §null } } } }', '"offers.none.price.gt": must not be null'],
    ['{ tags: { any: { ne: §"a" } } }', '"tags.any.ne": cannot be said of one item'],
    ['{ tags: { any: { ne: §null } } }', '"tags.any.ne": must not be null in a filter of the items'],
    ['{ tags: { any: { eq: §null } } }', '"tags.any.eq": must not be null in a filter of the items'],
  ])('%s is refused when a mapping is saved, and when it runs', async (marked, reason) => {
    const query = (filter: string) => `query Q { bookList(filter: ${filter}) { count } }`;
    const source = query(marked.replace('§', ''));
    const [problem, ...others] = prepared(api, source).checkLists();
    expect(others).toEqual([]);
    expect(problem?.message).toContain(`bookList, filter is wrong at ${reason}`);
    const column = query(marked).indexOf('§') + 1;
    expect([problem?.line, problem?.column]).toEqual([1, marked.includes('§ ') ? column + 1 : column]);
    expect(await errorsOf(api, source)).toMatchObject([
      {
        message: expect.stringContaining(`"filter" is wrong at ${reason}`),
        code: 'invalid_parameter',
        path: 'bookList',
      },
    ]);
  });

  it('reports all its problems at once, those of defaults too, and none of what only a request has', () => {
    const query = `query Q($a: String = "", $b: String, $c: Float) { bookList(filter: {
      title: { startsWith: $a, contains: $b }, tags: { any: { eq: $b } }, offers: { any: { price: { gt: $c } } }, isbn: { eq: 5 }
      text: { contains: "" } }) { count } }`;
    expect(
      prepared(api, query)
        .checkLists()
        .map(({ message }) => message),
    ).toEqual([expect.stringContaining('title.startsWith'), expect.stringContaining('text.contains')]);
    const whole =
      'query Q($f: BookFilter, $t: StringFilter, $o: [BookFilter!]) { bookList(filter: $f) { count } more: bookList(filter: { title: $t, or: $o }) { count } }';
    expect(prepared(api, whole).checkLists()).toEqual([]);
  });

  it('is refused by GraphQL when an operator or a value does not fit the field', () => {
    const message = (filter: string) =>
      refused(api, `{ bookList(filter: ${filter}) { count } }`).problems[0]?.message;
    expect(message('{ inPrint: { gt: true } }')).toContain(
      'type "BooleanFilter" not to include unknown field "gt"',
    );
    expect(message('{ pages: { contains: "1" } }')).toContain('"contains"');
    expect(message('{ pages: { eq: "1" } }')).toContain('Int cannot represent');
    expect(message('{ genre: { eq: CRIME } }')).toContain('CRIME');
    expect(message('{ tags: { eq: "a" } }')).toContain('"eq"');
    expect(message('{ title: { in: ["a", null] } }')).toContain('null');
    expect(message('{ related: { any: { pages: { eq: 1 } } } }')).toContain('unknown field "pages"');
  });

  it('is refused beyond the limits of predicates', async () => {
    const query = 'query Q($f: BookFilter, $where: String) { bookList(filter: $f, where: $where) { count } }';
    const problem = async (f: object, where?: string) =>
      Object((await errorsOf(api, query, { f, where }))[0]).message;
    const many = (count: number) => ({ or: Array.from({ length: count }, () => ({ pages: { gt: 1 } })) });
    expect(await problem(many(1000))).toBeUndefined();
    expect(await problem(many(1001))).toContain('has more than 1000 comparisons');
    expect(await problem(many(1000), 'pages > 1')).toBe(
      '"f" has more than 1000 comparisons together with "where"',
    );
    expect(await problem({ title: { in: Array.from({ length: 5001 }, (_, n) => `a${n}`) } })).toContain(
      'more than 5000 values',
    );
    const nested = (depth: number): object =>
      depth === 0 ? { title: { eq: 'a' } } : { not: nested(depth - 1) };
    expect(await problem(nested(32))).toBeUndefined();
    expect(await problem(nested(33))).toContain('more than 32 levels');
  });
});

describe('a query by key', () => {
  it('finds the one asset with the key, or null', async () => {
    const query = 'query Q($slug: String!) { bookBy(key: { slug: $slug }) { title writer { name } } }';
    expect(await dataOf(api, query, { slug: 'a' })).toEqual({
      bookBy: { title: 'A', writer: { name: 'Ann' } },
    });
    expect(await dataOf(api, query, { slug: 'none' })).toEqual({ bookBy: null });
    expect(await dataOf(api, '{ personBy(key: { email: "ann@example.org" }) { name } }')).toEqual({
      personBy: { name: 'Ann' },
    });
    expect(await dataOf(api, '{ bookBy(key: { cover_code: 7 }) { title } }')).toEqual({ bookBy: null });
  });

  it('takes exactly one key, which is not null', () => {
    const message = (key: string, declare = '') =>
      refused(api, `query Q${declare} { bookBy(key: ${key}) { title } }`).problems[0]?.message;
    expect(message('{}')).toContain('exactly one');
    expect(message('{ slug: "a", cover_code: 1 }')).toContain('exactly one');
    expect(message('{ slug: null }')).toContain('null');
    expect(message('{ slug: $s }', '($s: String)')).toContain('$s');
  });

  it('exists for types with unique fields only', () => {
    expect(api.sdl).toContain('personBy(key: PersonKey!): Person');
    expect(api.sdl).not.toContain('companyBy');
    expect(api.sdl).not.toContain('partyBy');
  });

  it('respects what the caller may see', async () => {
    const { data } = await prepared(api, '{ bookBy(key: { slug: "a" }) { title } }').run({
      variables: {},
      caller: { sites: ['0191f3a0-5b7e-7c11-9d2e-000000000000'] },
    });
    expect(data).toEqual({ bookBy: null });
  });
});

describe('the types that an operation reads', () => {
  const reads = (query: string) => {
    const { readTypes, searchedTypes } = prepared(api, query);
    return { readTypes, searchedTypes };
  };

  it('include those that a filter reaches', () => {
    const book = { readTypes: ['lib.Book'], searchedTypes: ['lib.Book'] };
    const withPerson = { readTypes: ['lib.Book', 'lib.Person'], searchedTypes: ['lib.Book', 'lib.Person'] };
    expect(
      reads('query Q($t: String) { bookList(filter: { title: { eq: $t }, writer: null }) { count } }'),
    ).toEqual(book);
    expect(
      reads('query Q($t: String) { bookList(filter: { writer: { name: { eq: $t } } }) { count } }'),
    ).toEqual(withPerson);
    expect(
      reads('query Q($t: StringFilter) { bookList(filter: { cover: { artist: { name: $t } } }) { count } }'),
    ).toEqual(withPerson);
    expect(reads('{ bookBy(key: { slug: "a" }) { title } }')).toEqual(book);
    expect(reads('query Q($f: BookFilter) { bookList(filter: $f) { count } }').searchedTypes).toContain(
      'lib.Company',
    );
    expect(
      reads('query Q($f: PersonFilter) { bookList(filter: { writer: $f }) { count } }').searchedTypes,
    ).toContain('lib.Company');
  });
});
