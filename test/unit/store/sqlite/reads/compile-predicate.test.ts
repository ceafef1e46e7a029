/** What SQLite is given beyond the meaning of a predicate, which stores-agree proves: tests on the asset, sizes, limits, and the indexes of plans. */
import { describe, expect, test } from 'vitest';
import { checkPredicate } from '../../../../../src/query/check.ts';
import { parsePredicate } from '../../../../../src/query/parse.ts';
import { bindPredicate } from '../../../../../src/query/prepare.ts';
import type { FindRequest } from '../../../../../src/store/port.ts';
import { getType } from '../../../../../src/store/sqlite/indexes/field-indexes.ts';
import { notCancelled, sizeChecked } from '../../../../../src/store/sqlite/reads/compile-path.ts';
import { createConditions } from '../../../../../src/store/sqlite/reads/compile-predicate.ts';
import { findWithPlans, openIndexed, toReadable } from '../../../../support/page-plans.ts';
import { catalogOf } from '../../../../support/types.ts';

const catalog = catalogOf(`
interface Titled @contentType(class: "x.Titled") { title: String @indexed }
type Book implements Titled @contentType(class: "x.Book") {
  title: String @indexed
  subtitle: String
  body: RichText
  pages: Int
  price: Float @indexed
  sold: Boolean
  isbn: String @indexed(unique: true)
  tags: [String!] @indexed
  labels: [String!]
  notes: [Note!]
  author: Author @indexed
  editor: Author
  authors: [Author!] @indexed
  shelf_mark: String @json(name: "shelf.mark")
}
type Note { text: String tags: [String!] @indexed }
type Film implements Titled @contentType(class: "x.Film") { title: String @indexed }
type Author @contentType(class: "x.Author") { name: String @indexed born: Int mentor: Author }
`);

const opened = openIndexed(catalog);
const { types } = opened;

const bind = (text: string, { classes = ['x.Book'], values = [] as unknown[] } = {}) =>
  bindPredicate(checkPredicate({ catalog, root: classes, predicate: parsePredicate(text) }), values);

/** Compiles SQL for books, with readable names for indexes and types. */
function sqlOf(text: string, ...values: unknown[]) {
  const { compile, params } = createConditions(types);
  const readable = compile(bind(text, { values }), getType(types, 'x.Book'))
    .replace(/^FROM type_\d+( CROSS JOIN assets USING \(key, id\))? WHERE /, '')
    .replaceAll(`${notCancelled} AND `, '')
    .replaceAll(`${sizeChecked('document')} AND `, '')
    .replace(/\b(?:list|value)_[0-9a-f]{16}/g, (name) => `[${fieldOf(name)}]`)
    .replace(/\btype_(\d+)/g, (_, number) => `[${classOf(Number(number))}]`);
  return [readable, ...params];
}

const fieldOf = (name: string) =>
  [...types.values()].flatMap((type) => [...type.indexes.values()]).find((index) => index.name === name)
    ?.field;

const classOf = (number: number) => [...types.values()].find((type) => type.number === number)?.class;

const text = (path: string) =>
  `CASE WHEN json_type(document, '${path}') = 'text' THEN json_extract(document, '${path}') END`;
const number = (path: string) =>
  `CASE WHEN json_type(document, '${path}') IN ('integer', 'real') THEN CAST(json_extract(document, '${path}') AS REAL) END`;

describe('the SQL of', () => {
  test('the rows, which are joined with their documents only where one is read', () => {
    const { compile } = createConditions(types);
    const rowsOf = (where: string) =>
      compile(bind(where, { values: [] }), getType(types, 'x.Book')).split(' WHERE ')[0];
    expect(rowsOf('price > 1.5 and tags = "a"')).toMatch(/^FROM type_\d+$/);
    expect(rowsOf('price > 1.5 and pages = 3')).toMatch(
      /^FROM type_\d+ CROSS JOIN assets USING \(key, id\)$/,
    );
    expect(rowsOf('body contains[c] "a"')).toMatch(/^FROM type_\d+$/);
  });

  test('the beginning of a text, as a range whose end is a text, too', () => {
    const path = text('$."subtitle"');
    expect(sqlOf('subtitle startsWith "ab"')).toEqual([`(${path} >= ?1 AND ${path} < ?2)`, 'ab', 'ac']);
    expect(sqlOf('subtitle startsWith ?', 'a\ud7ff')).toEqual([expect.anything(), 'a\ud7ff', 'a\ue000']);
    expect(sqlOf('subtitle startsWith ?', 'a\u{10ffff}')).toEqual([expect.anything(), 'a\u{10ffff}', 'b']);
    expect(sqlOf('subtitle startsWith ?', '\u{10ffff}')).toEqual([`${path} >= ?1`, '\u{10ffff}']);
  });

  test('a part of a text in a column or a list, after a check of its size', () => {
    expect(sqlOf('title contains "a"')).toEqual([
      `(${sizeChecked('[title]')} AND instr([title], (SELECT ?1)) > 0)`,
      'a',
    ]);
    expect(sqlOf('tags contains "a"')).toEqual([
      `key IN (SELECT key FROM [tags] WHERE (${sizeChecked('value')} AND instr(value, (SELECT ?1)) > 0))`,
      'a',
    ]);
  });

  test('many comparisons, of which those that read documents or whole texts are tested on the asset together', () => {
    const many = (term: (n: number) => string) => repeated(17, term, 'or');
    expect(many((n) => `subtitle contains "a${n}"`)).toBe('holds(key, 0)');
    expect(many((n) => `title contains "a${n}"`)).toBe('holds(key, 0)');
    expect(many((n) => `tags contains "a${n}"`)).toBe('holds(key, 0)');
    expect(many((n) => `(labels = "a${n}" and pages = null)`)).toBe('holds(key, 0)');
    expect(many((n) => `notes any (text contains "a${n}" and tags = "b")`)).toBe('holds(key, 0)');
    expect(many((n) => `editor/name contains "a${n}"`)).toBe(
      `${text('$."editor"."_ref"')} IN (SELECT +id FROM [x.Author] WHERE holds(key, 0))`,
    );
    expect(many((n) => `price > ${n}`)).not.toContain('holds');
    expect(many((n) => `(isbn = "a${n}" and pages = 1)`)).toMatch(
      /^\(+\[isbn\] = \?1 .* AND holds\(key, 0\)$/,
    );
  });

  test('case and words, which are tested on the asset, once for all terms side by side', () => {
    expect(sqlOf('subtitle startsWith[c] "A"')).toEqual(['holds(key, 0)']);
    expect(sqlOf('body matchesAll "b a" or not title =[c] "A"')).toEqual(['holds(key, 0)']);
    expect(sqlOf('body matches "a" and pages = 3')).toEqual([
      `${number('$."pages"')} = ?1 AND holds(key, 0)`,
      3,
    ]);
  });

  test('alternatives with tests, which are narrowed down by what needs none', () => {
    expect(sqlOf('(title = "a" and body contains[c] "x") or (isbn = "b" and body contains[c] "y")')).toEqual([
      '([title] = ?1 OR [isbn] = ?2) AND holds(key, 0)',
      'a',
      'b',
    ]);
  });

  test('a test of what lies beyond a reference, and of what an index of a list holds', () => {
    expect(sqlOf('editor/name contains[c] "a"')).toEqual([
      `${text('$."editor"."_ref"')} IN (SELECT +id FROM [x.Author] WHERE holds(key, 0))`,
    ]);
    expect(sqlOf('tags contains[c] "a"')).toEqual([
      'key IN (SELECT key FROM [tags] WHERE value_holds(value, 0))',
    ]);
  });

  test('a list without an index, whose items alone have integer keys', () => {
    expect(sqlOf('labels = "a"')).toEqual([
      `EXISTS (SELECT 1 FROM json_each(document, '$."labels"') AS item1 WHERE typeof(item1.key) = 'integer' AND CASE WHEN item1.type = 'text' THEN item1.value END = ?1)`,
      'a',
    ]);
  });

  test('lists inside lists', () => {
    const [sql] = sqlOf('notes.tags = missing');
    expect(sql).toBe(
      `NOT coalesce(EXISTS (SELECT 1 FROM json_each(document, '$."notes"') AS item1 WHERE typeof(item1.key) = 'integer' AND ` +
        `json_type(CASE item1.type WHEN 'object' THEN item1.value END, '$."tags"') <> 'null'), 0)`,
    );
  });

  const repeated = (count: number, make: (n: number) => string, operator: string) =>
    sqlOf(Array.from({ length: count }, (_, n) => make(n)).join(` ${operator} `))[0];
  const selectsOf = (sql: unknown) => String(sql).match(/SELECT/g)?.length;

  test('alternatives through one reference, which are one search of its targets', () => {
    expect(selectsOf(repeated(1_000, (n) => `author/mentor/name = "a${n}"`, 'or'))).toBe(2);
  });

  test('many alternatives that contain references, which SQLite does not plan one by one', () => {
    const term = (n: number) => `(author/name = "a${n}" and price = 1)`;
    expect(repeated(33, term, 'or')).toMatch(/^\+\(/);
    expect(repeated(32, term, 'or')).toMatch(/^\(/);
  });

  test('very many references, which is refused', () => {
    expect(selectsOf(repeated(1_000, (n) => `author/mentor/name = "a${n}"`, 'and'))).toBe(2_000);
    expect(() => repeated(1_000, (n) => `author/mentor/mentor/name = "a${n}"`, 'and')).toThrow(
      expect.objectContaining({ code: 'query_too_costly' }),
    );
  });

  test('a chain, which is a balanced tree', () => {
    const [sql] = sqlOf('pages < 1 or pages < 2 or pages < 3 or pages < 4');
    const term = (n: number) => `${number('$."pages"')} < ?${n}`;
    expect(sql).toBe(`((${term(1)} OR ${term(2)}) OR (${term(3)} OR ${term(4)}))`);
  });

  test('values that repeat, which share a parameter', () => {
    expect(sqlOf('subtitle = "a" or body = "a"').slice(1)).toEqual(['a']);
  });
});

describe('the plan', () => {
  const plan = (where: string, request: Partial<FindRequest> & { count?: boolean } = {}) => {
    const { count = false, ...page } = request;
    const { pagePlan, countPlan } = findWithPlans(opened, {
      types: ['x.Book'],
      offset: 0,
      limit: count ? 0 : 10,
      withCount: count,
      where: bind(where, { classes: request.types ? [...request.types] : ['x.Book'] }),
      ...page,
    });
    return toReadable(types, count ? countPlan : pagePlan);
  };
  const walk = /_by_id|SCAN (assets|type)/;

  test('of an indexed equality finds the page in order in the index alone', () => {
    expect(plan('title = "a"')).toContain('USING COVERING INDEX [x.Book title] (x=?)');
    expect(plan('title = "a"')).not.toMatch(/TEMP B-TREE/);
    expect(plan('title = "a"', { count: true })).toContain('COVERING INDEX [x.Book title] (x=?)');
  });

  test.each([
    ['title = ["a", "b"]', 'COVERING INDEX [x.Book title] (x=?)'],
    ['price > 3', 'COVERING INDEX [x.Book price] (x>?)'],
    ['price > 3 and price <= 4', 'COVERING INDEX [x.Book price] (x>? AND x<?)'],
    ['title startsWith "ab"', 'COVERING INDEX [x.Book title] (x>? AND x<?)'],
    ['isbn = "a"', 'INDEX [x.Book isbn] (x=?)'],
    ['tags = "a"', 'SEARCH [x.Book tags] USING PRIMARY KEY (value=?)'],
    ['tags = ["a", "b"]', 'SEARCH [x.Book tags] USING PRIMARY KEY (value=?)'],
    ['notes.tags = "a"', 'SEARCH [x.Book notes.tags] USING PRIMARY KEY (value=?)'],
    ['tags startsWith "a"', 'SEARCH [x.Book tags] USING PRIMARY KEY (value>? AND value<?)'],
    ['title = "a" and body contains "b"', 'INDEX [x.Book title] (x=?)'],
  ])('of %s uses the index, for the page and the count', (where, expected) => {
    for (const count of [false, true]) {
      expect(plan(where, { count })).toContain(expected);
      expect(plan(where, { count })).not.toMatch(walk);
    }
  });

  test('of a path through a reference uses the indexes of both ends', () => {
    for (const count of [false, true]) {
      const found = plan('author/name = "a"', { count });
      expect(found).toContain('COVERING INDEX [x.Book author] (x=?)');
      expect(found).toContain('COVERING INDEX [x.Author name] (x=?)');
      expect(found).not.toMatch(walk);
    }
    const throughList = plan('authors/name = "a"');
    expect(throughList).toContain('SEARCH [x.Book authors] USING PRIMARY KEY (value=?)');
    expect(throughList).toContain('COVERING INDEX [x.Author name] (x=?)');
    expect(throughList).not.toMatch(walk);
  });

  test('of alternatives uses an index for each', () => {
    for (const count of [false, true]) {
      const found = plan('title = "a" or price > 3 or tags = "b" or author/name = "c"', { count });
      for (const field of ['x.Book title', 'x.Book price', 'x.Book tags', 'x.Book author', 'x.Author name']) {
        expect(found).toContain(`[${field}]`);
      }
      expect(found).not.toMatch(walk);
    }
  });

  test('of several types uses the index of each', () => {
    const found = plan('title = "a"', { types: ['x.Book', 'x.Film'] });
    expect(found).toContain('COVERING INDEX [x.Book title] (x=?)');
    expect(found).toContain('COVERING INDEX [x.Film title] (x=?)');
    expect(found).not.toMatch(walk);
    expect(found).not.toMatch(/TEMP B-TREE/);
  });

  test('without an index walks the type in order and stops at the end of the page', () => {
    expect(plan('subtitle = "a"')).toMatch(/SCAN type USING COVERING INDEX type_by_id/);
    expect(plan('subtitle = "a"')).not.toMatch(/TEMP B-TREE/);
    expect(plan('true')).toMatch(/SCAN type USING COVERING INDEX type_by_id/);
  });

  test('of a count of everything reads the stored totals', () => {
    expect(plan('true', { count: true })).not.toMatch(/assets|type\b/);
  });

  test('of an identifier goes straight to it', () => {
    const where = '_id = "00000000-0000-7000-8000-000000000001"';
    expect(plan(where)).toMatch(/SEARCH type USING COVERING INDEX type_by_id \(id=\?\)/);
  });
});
