import { describe, expect, it } from 'vitest';
import { checkPredicate } from '../../../src/query/check.ts';
import { parsePredicate } from '../../../src/query/parse.ts';
import { libraryCatalog } from '../../support/catalog.ts';
import { timesControl } from '../../support/control-work.ts';

const catalog = libraryCatalog();
const check = (text: string, classes = ['library.Book']) =>
  checkPredicate({ catalog, root: classes, predicate: parsePredicate(text) });

describe('checking a predicate', () => {
  it.each([
    ['title = x', 0],
    ['true', 0],
    ['title in [?, ?] or pages = ?', 3],
    ['title = ?1 and not isbn in [?0, ?1]', 2],
  ])('%j needs %i values', (text, placeholders) => {
    expect(check(text).placeholders).toBe(placeholders);
  });

  it('resolves paths into embedded values and through references', () => {
    expect(check('writer/employer/name = x').term).toMatchObject({
      kind: 'any',
      path: { text: 'writer', steps: [{ name: 'writer', list: false }] },
      targets: ['library.Person'],
      where: {
        kind: 'any',
        path: { text: 'employer' },
        targets: ['library.Company'],
        where: { kind: 'equals', path: { text: 'name', steps: [{ name: 'name', list: false }] } },
      },
    });
    expect(check('notes.tags = x').term).toMatchObject({
      path: {
        steps: [
          { name: 'notes', list: true },
          { name: 'tags', list: true },
        ],
      },
    });
    expect(check('shelf.mark.full = x').term).toMatchObject({
      path: { steps: [{ name: 'shelf.mark.full' }] },
    });
    expect(check('constructor = x').term).toMatchObject({ path: { steps: [{ name: 'constructor' }] } });
  });

  it('accepts a field with the same definition in every class', () => {
    expect(check('name = x', ['library.Company', 'library.Person']).term).toMatchObject({ kind: 'equals' });
  });

  it.each([
    ['nothing = 1', 1, 'nothing'],
    ['title = x and (Title = 1)', 16, 'Title'],
    ['__proto__ = 1', 1, '__proto__'],
    ['toString = 1', 1, 'toString'],
    [`'$where' = 1`, 1, '$where'],
    [`'' = 1`, 1, ''],
    ['writer/nothing = 1', 1, 'writer/nothing'],
    ['title/name = 1', 1, 'title/name'],
    ['cover/name = 1', 1, 'cover/name'],
    ['cover.nothing = 1', 1, 'cover.nothing'],
    ['title.length = 1', 1, 'title.length'],
    ['writer.name = 1', 1, 'writer.name'],
    ['_type/name = 1', 1, '_type/name'],
    ['writer//name = 1', 1, 'writer//name'],
    ['title/ = 1', 1, 'title/'],
    ['.title = 1', 1, '.title'],
    [`'\u202etitle' = 1`, 1, '\u202etitle'],
  ])('%j names no field', (text, column, path) => {
    expect(() => check(text)).toThrow(
      expect.objectContaining({
        code: 'unknown_field',
        details: { path, type: 'library.Book', column },
        message: expect.stringMatching(`^Column ${column}: `),
      }),
    );
  });

  it.each([
    ['notes any (nothing = 1)', 12, 'nothing', 'Note'],
    ['notes any (_id = 1)', 12, '_id', 'Note'],
    ['notes any (marks any (text = 1))', 23, 'text', 'Mark'],
    ['contributors any (pages = 1)', 19, 'pages', 'library.Person'],
  ])('%j names no field of an item', (text, column, path, type) => {
    expect(() => check(text)).toThrow(
      expect.objectContaining({ code: 'unknown_field', details: { path, type, column } }),
    );
  });

  it('lists the targets of conditions on items', () => {
    expect(check('contributors any (employer/name = x)').targets.toSorted()).toEqual([
      'library.Company',
      'library.Person',
    ]);
    expect(check('notes any (page = 1)').targets).toEqual([]);
  });

  it('numbers placeholders inside of items with all others', () => {
    expect(check('title = ? and notes any (page = ? and text in [?, ?])').placeholders).toBe(4);
  });

  it('refuses a field that some of the classes lack', () => {
    expect(() => check('born = 1', ['library.Person', 'library.Company'])).toThrow(
      expect.objectContaining({
        code: 'unknown_field',
        details: { path: 'born', type: 'library.Person', column: 1 },
      }),
    );
  });

  it.each([
    ['pages startsWith 1', 1, '= != < <= > >= for "pages" (Int)'],
    ['title = x or weight matches 1', 14, 'for "weight" (Float)'],
    ['printed contains 1', 1, 'for "printed" (EpochMillis)'],
    ['price contains 1', 1, 'one of = != < <= > >= for "price" (Decimal)'],
    ['recorded startsWith 2024', 1, 'one of = != < <= > >= for "recorded" (DateTime)'],
    ['published matches 2024', 1, 'for "published" (Date)'],
    ['price =[c] 1', 1, 'no [c]'],
    ['inPrint < true', 1, 'one of = != for "inPrint" (Boolean)'],
    ['writer > x', 1, 'one of = != for "writer" (a reference)'],
    ['_type startsWith library', 1, 'one of = != for "_type"'],
    ['extra contains x', 1, 'one of = != for "extra" (JSON)'],
    ['cover < x', 1, 'one of = != for "cover" (an embedded Cover)'],
    ['writer/born startsWith 1', 1, 'for "writer/born" (EpochMillis)'],
    ['title <[c] x', 1, 'no [c]'],
    ['pages =[c] 1', 1, 'no [c]'],
    ['writer =[c] x', 1, 'no [c]'],
    ['_type =[c] library.book', 1, 'no [c]'],
    ['pages any (true)', 1, 'a list of embedded values or of references before "any", not "pages" (Int)'],
    ['genres every (true)', 1, 'not "genres" (Genre)'],
    ['cover none (true)', 1, 'not "cover" (an embedded Cover)'],
    ['title = x and writer any (name = y)', 15, 'not "writer" (a reference)'],
    ['notes any (page > 1 and tags any (true))', 25, 'not "tags" (String)'],
    ['notes any (page contains 1)', 12, 'for "page" (Int)'],
    ['title = []', 9, 'no [] for "title" (String), which is not a list'],
  ])('%j has an operator that does not fit', (text, column, expected) => {
    expectTypeError(() => check(text), column, expected);
  });

  it.each([
    ['title = 5', 9, 'a string in quotes for "title" (String)'],
    ['title in [a, true]', 14, 'a string in quotes'],
    ['isbn = 123', 8, 'a string in quotes for "isbn" (ID)'],
    ["pages = '5'", 9, 'a number without quotes for "pages" (Int)'],
    ['pages = 007', 9, 'a number without quotes'],
    ['pages = true', 9, 'a number for'],
    [
      'printed = 1.5',
      11,
      'a whole number of milliseconds since 1970, from -8640000000000000 to 8640000000000000 for "printed" (EpochMillis)',
    ],
    [
      "printed > '2024-01-01T00:00:00Z'",
      11,
      'a whole number of milliseconds since 1970, from -8640000000000000 to 8640000000000000 without quotes',
    ],
    ['price > 1e3', 9, 'a decimal number as a text, such as "12.50"'],
    ['price = 0.0000000001', 9, 'of at most 34 digits, 9 of them after the point for "price" (Decimal)'],
    ['published = 2023-02-29', 13, 'a day of the calendar as YYYY-MM-DD'],
    ['recorded = 2024-01-01T00:00:00', 12, 'a date and time with its offset'],
    ["inPrint = 'true'", 11, 'true or false without quotes for "inPrint" (Boolean)'],
    ['inPrint = 1', 11, 'true or false without quotes'],
    ['genre = novel', 9, 'one of NOVEL, Novel, POEM for "genre" (Genre)'],
    ['genre =[c] prose', 12, 'one of NOVEL, Novel, POEM'],
    ['genre > prose', 9, 'one of NOVEL, Novel, POEM'],
    ['genre = toString', 9, 'one of NOVEL, Novel, POEM'],
    ['_id = abc', 7, 'a UUID for "_id"'],
    ['_id = 5', 7, 'a UUID'],
    ['writer = abc', 10, 'a UUID for "writer" (a reference)'],
    ["writer = 'library.Person'", 10, 'a UUID'],
    ['_type = library.Nothing', 9, 'the class name or type ID of a content type for "_type"'],
    ['_type = Book', 9, 'the class name or type ID'],
    ['_type = __proto__', 9, 'the class name or type ID'],
    ["extra = 'x'", 9, 'null or missing, the only values that can be compared, for "extra" (JSON)'],
    ["cover = 'x'", 9, 'null or missing'],
    ['notes = [null, 5]', 16, 'null or missing'],
    ["title startsWith ''", 18, 'a string of 1 to 1000 characters for "title" (String)'],
    ["title contains [a, '']", 20, 'a string of 1 to 1000 characters'],
    [`title contains '${'x'.repeat(1001)}'`, 16, 'a string of 1 to 1000 characters'],
    [`title matches '${'x '.repeat(501)}'`, 15, 'a string of 1 to 1000 characters'],
    ['title < null', 9, 'a value, because only = and != can compare with missing, for "title"'],
    ['pages >= missing', 10, 'a value, because only = and != can compare with missing'],
    ['title contains [a, null]', 20, 'a value, because only = and != can compare with missing'],
    ["title = 'a\\u{0}'", 9, 'a string without U+0000 and lone surrogates'],
    ["title contains '\\ud800'", 16, 'a string without U+0000 and lone surrogates'],
    ["title = '\ud800'", 9, 'a string without U+0000 and lone surrogates'],
    ['title in [?, 5]', 14, 'a string in quotes'],
  ])('%j has a value that does not fit', (text, column, expected) => {
    expectTypeError(() => check(text), column, expected);
  });

  it('accepts search texts of exactly 1,000 characters', () => {
    expect(() => check(`title contains '${'😀'.repeat(1_000)}'`)).not.toThrow();
  });

  it('resolves a repeated path only once', () => {
    const { term } = check('title = a or title = b');
    const [first, second] = term.kind === 'or' ? term.terms : [];
    expect(first).toMatchObject({ kind: 'equals' });
    expect(first && 'path' in first && second && 'path' in second && first.path === second.path).toBe(true);
  });

  it('checks a thousand of the deepest paths without delay', () => {
    const path = `cover.size${'.inner'.repeat(29)}.width`;
    const distinct = Array.from(
      { length: 500 },
      (_, index) => `cover.size${'.inner'.repeat(index % 29)}.width`,
    );
    const text = [...distinct, path].map((each) => `${each}=1`).join(' or ');
    expect(timesControl(() => check(text))).toBeLessThan(50);
  });
});

function expectTypeError(act: () => unknown, column: number, expected: string): void {
  expect(act).toThrow(
    expect.objectContaining({
      code: 'predicate_type',
      details: { column, expected: expect.stringContaining(expected) },
    }),
  );
}
