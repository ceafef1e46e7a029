import { describe, expect, it } from 'vitest';
import type { BoundPredicate } from '../../../src/query/ast.ts';
import { checkPredicate } from '../../../src/query/check.ts';
import { predicateLimits } from '../../../src/query/limits.ts';
import { parsePredicate } from '../../../src/query/parse.ts';
import { bindPredicate } from '../../../src/query/prepare.ts';
import { libraryCatalog } from '../../support/catalog.ts';

const catalog = libraryCatalog();
const id = '0191f3a0-5b7e-7c11-9d2e-00000000000a';

const bind = (text: string, values: readonly unknown[] = [], classes = ['library.Book']) =>
  bindPredicate(checkPredicate({ catalog, root: classes, predicate: parsePredicate(text) }), values);

/** Simplifies a bound predicate: paths become texts, and a false `ignoreCase` is omitted. */
function outline(term: BoundPredicate): unknown {
  return JSON.parse(
    JSON.stringify(term, (name, value) => {
      if (name === 'path') return value.text;
      return name === 'ignoreCase' && value === false ? undefined : value;
    }),
  );
}

const equals = (path: string, ...values: unknown[]) => ({ kind: 'equals', path, values });
const missing = (path: string) => ({ kind: 'missing', path });
const compare = (path: string, operator: string, value: unknown) => ({
  kind: 'compare',
  path,
  operator,
  value,
});
const any = (path: string, targets: readonly string[] | undefined, where: unknown) => ({
  kind: 'any',
  path,
  ...(targets && { targets }),
  where,
});
const ofWriter = (where: unknown) => any('writer', ['library.Person'], where);
const ofParty = (where: unknown) => any('about', ['library.Company', 'library.Person'], where);
const not = (term: unknown) => ({ kind: 'not', term });
const or = (...terms: unknown[]) => ({ kind: 'or', terms });
const and = (...terms: unknown[]) => ({ kind: 'and', terms });
const [yes, no] = [true, false].map((value) => ({ kind: 'constant', value }));

describe('the bound form', () => {
  it.each<[string, unknown]>([
    ['title = a', equals('title', 'a')],
    ['title != a', not(equals('title', 'a'))],
    ['title in [a, b, a]', equals('title', 'a', 'b')],
    ['title notIn [a, b]', not(equals('title', 'a', 'b'))],
    ['title = missing', missing('title')],
    ['title != null', not(missing('title'))],
    ['title in [a, null]', or(equals('title', 'a'), missing('title'))],
    ['title notIn [a, null]', not(or(equals('title', 'a'), missing('title')))],
    ['title in []', no],
    ['title notIn []', yes],
    ['title < a', compare('title', 'lt', 'a')],
    ['pages >= [1, 2]', or(compare('pages', 'ge', 1), compare('pages', 'ge', 2))],
    ['pages < []', no],
    ['pages = 1.5', equals('pages', 1.5)],
    ['pages = -0', equals('pages', 0)],
    ['inPrint in [true, false]', equals('inPrint', true, false)],
    ['title =[c] [Straße, STRASSE, straSSe]', { ...equals('title', 'straße', 'strasse'), ignoreCase: true }],
    ['title startsWith Ab', { kind: 'text', path: 'title', operator: 'startsWith', value: 'Ab' }],
    [
      'title contains[c] Ab',
      { kind: 'text', path: 'title', operator: 'contains', value: 'ab', ignoreCase: true },
    ],
    [
      'title contains[c] [A, a]',
      { kind: 'text', path: 'title', operator: 'contains', value: 'a', ignoreCase: true },
    ],
    ["text matches 'Foo bar, foo'", { kind: 'words', path: 'text', words: ['bar', 'foo'], all: false }],
    ["text matchesAll[c] '<b>B</b>'", { kind: 'words', path: 'text', words: ['b'], all: true }],
    ["text matches '?!'", no],
    ["text matches ''", no],
    [
      "text matches 'J\u00fcr* \u65e5\u672c\u8a9e'",
      or(
        { kind: 'words', path: 'text', words: ['jur*'], all: false },
        { kind: 'words', path: 'text', words: ['\u65e5\u672c', '\u672c\u8a9e'], all: true },
      ),
    ],
    [
      "text matchesAll [a, 'b c']",
      or(
        { kind: 'words', path: 'text', words: ['a'], all: true },
        { kind: 'words', path: 'text', words: ['b', 'c'], all: true },
      ),
    ],
    ['extra = missing', missing('extra')],
    ['cover != missing', not(missing('cover'))],
    ['writer/name = missing', not(ofWriter(not(missing('name'))))],
    ['writer/name != a', not(ofWriter(equals('name', 'a')))],
    ['writer/name in [a, missing]', or(ofWriter(equals('name', 'a')), not(ofWriter(not(missing('name')))))],
    [
      'writer/name = a or title = t or writer/employer/name contains b',
      or(
        ofWriter(
          or(
            equals('name', 'a'),
            any('employer', ['library.Company'], {
              kind: 'text',
              path: 'name',
              operator: 'contains',
              value: 'b',
            }),
          ),
        ),
        equals('title', 't'),
      ),
    ],
    ['genres = []', { kind: 'empty', path: 'genres' }],
    ['genres != []', not({ kind: 'empty', path: 'genres' })],
    ['genres in []', no],
    ['writer/friends = []', ofWriter({ kind: 'empty', path: 'friends' })],
    [
      'notes any (page = 1 and text = a)',
      any('notes', undefined, and(equals('page', 1), equals('text', 'a'))),
    ],
    [
      'notes every (page = 1 or text = a)',
      not(any('notes', undefined, not(or(equals('page', 1), equals('text', 'a'))))),
    ],
    ['notes none (text = missing)', not(any('notes', undefined, missing('text')))],
    ['notes any (page = 1)', equals('notes.page', 1)],
    ['notes any (marks any (page = 1))', equals('notes.marks.page', 1)],
    ['notes any (by/name = a)', any('notes.by', ['library.Company', 'library.Person'], equals('name', 'a'))],
    ['notes any (true)', any('notes', undefined, yes)],
    ['notes every (true)', yes],
    ['notes any (false)', no],
    [
      'contributors any (born > 0 and name = a)',
      any('contributors', ['library.Person'], and(compare('born', 'gt', 0), equals('name', 'a'))),
    ],
    [
      'writer/friends none (name = a)',
      not(ofWriter(any('friends', ['library.Person'], equals('name', 'a')))),
    ],
    [`writer = '${id.toUpperCase()}'`, equals('writer', id)],
    [`_id =[c] ${id.toUpperCase()}`, equals('_id', id)],
    ['_id startsWith 01AB', { kind: 'text', path: '_id', operator: 'startsWith', value: '01AB' }],
    ['_id > x', compare('_id', 'gt', 'x')],
    ['genre = Novel', equals('genre', 'Novel')],
    ['genre =[c] novel', equals('genre', 'NOVEL', 'Novel')],
    [
      'genre startsWith[c] no',
      { kind: 'text', path: 'genre', operator: 'startsWith', value: 'no', ignoreCase: true },
    ],
    ['genre >= Novel', compare('genre', 'ge', 'Novel')],
    ['_type = library.Book', equals('_type', 'library.Book')],
    ['about/_type = library.Party', ofParty(equals('_type', 'library.Company', 'library.Person'))],
    ['about/_type = 0F5B7F0E-3c35-4b6f-9a59-9e2a4ce0c2ab', ofParty(equals('_type', 'library.Company'))],
    ['_type = library.Unused', no],
    ['_type != library.Unused', yes],
  ])('of %s', (text, expected) => {
    expect(outline(bind(text))).toEqual(expected);
  });

  it.each<[string, unknown]>([
    [
      'title = a and (isbn = b and pages = 1)',
      and(equals('title', 'a'), equals('isbn', 'b'), equals('pages', 1)),
    ],
    [
      '(title = a or isbn = b) or pages = 1',
      or(equals('title', 'a'), equals('isbn', 'b'), equals('pages', 1)),
    ],
    ['title = a and true', equals('title', 'a')],
    ['title = a and false', no],
    ['title = a or true', yes],
    ['title = a or isbn in []', equals('title', 'a')],
    ['true and true', yes],
    ['false or false', no],
    ['not true', no],
    ['not not title = a', equals('title', 'a')],
    ['not title != a', equals('title', 'a')],
  ])('of %s is as simple as can be', (text, expected) => {
    expect(outline(bind(text))).toEqual(expected);
  });
});

describe('values for placeholders', () => {
  it.each<[string, unknown, unknown]>([
    ['title = ?', '5', equals('title', '5')],
    ['title = ?', 'null', equals('title', 'null')],
    ['title = ?', '', equals('title', '')],
    ['title = ?', "'; DROP TABLE assets; --", equals('title', "'; DROP TABLE assets; --")],
    ['title = ?', ['a', null], or(equals('title', 'a'), missing('title'))],
    ['title = ?', [], no],
    ['title != ?', null, not(missing('title'))],
    ['title in [?, b]', 'a', equals('title', 'a', 'b')],
    ['pages = ?', '5', equals('pages', 5)],
    ['pages = ?', '-1.5e3', equals('pages', -1500)],
    ['pages = ?', '-0', equals('pages', 0)],
    ['pages = ?', 5, equals('pages', 5)],
    ['pages > ?', [1, '2'], or(compare('pages', 'gt', 1), compare('pages', 'gt', 2))],
    ['weight = ?', '0.1', equals('weight', 0.1)],
    ['printed < ?', '1700000000000', compare('printed', 'lt', 1_700_000_000_000)],
    ['inPrint = ?', 'true', equals('inPrint', true)],
    ['inPrint = ?', false, equals('inPrint', false)],
    ['genre = ?', 'POEM', equals('genre', 'POEM')],
    ['writer = ?', id.toUpperCase(), equals('writer', id)],
    ['_id in ?', [id, id.toUpperCase()], equals('_id', id)],
    ['about/_type = ?', 'library.Party', ofParty(equals('_type', 'library.Company', 'library.Person'))],
    [
      'title contains[c] ?',
      '%_',
      { kind: 'text', path: 'title', operator: 'contains', value: '%_', ignoreCase: true },
    ],
  ])('%s with %j', (text, value, expected) => {
    expect(outline(bind(text, [value]))).toEqual(expected);
  });

  it('fill placeholders by position, or every placeholder of their number', () => {
    expect(outline(bind('title = ? and pages = ?', ['a', 1]))).toEqual(
      and(equals('title', 'a'), equals('pages', 1)),
    );
    expect(outline(bind('title = ?1 and isbn in [?0, ?1]', ['a', 'b']))).toEqual(
      and(equals('title', 'b'), equals('isbn', 'a', 'b')),
    );
  });

  it.each<[string, unknown, number, string]>([
    ['title = ?', 5, 9, 'a string for "title" (String)'],
    ['title = ?', true, 9, 'a string'],
    ['title = ?', undefined, 9, 'a string'],
    ['title = ?', {}, 9, 'a string'],
    ['title = ?', { $ne: '' }, 9, 'a string'],
    ['title = ?', [['a']], 9, 'a string'],
    ['title in [?]', ['a'], 11, 'a string'],
    ['title = ?', 'a\0', 9, 'a string without U+0000'],
    ['title = ?', '\udc00', 9, 'a string without U+0000 and lone surrogates'],
    ['title contains ?', '', 16, 'a string of 1 to 1000 characters'],
    ['title contains ?', 'x'.repeat(1_001), 16, 'a string of 1 to 1000 characters'],
    ['title < ?', null, 9, 'a value, because only = and != can compare with missing'],
    ['pages = ?', 'abc', 9, 'a number for "pages" (Int)'],
    ['pages = ?', '', 9, 'a number'],
    ['pages = ?', ' 5', 9, 'a number'],
    ['pages = ?', '0x10', 9, 'a number'],
    ['pages = ?', '1e999', 9, 'a number'],
    ['pages = ?', 'NaN', 9, 'a number'],
    ['pages = ?', Number.NaN, 9, 'a number'],
    ['pages = ?', Number.POSITIVE_INFINITY, 9, 'a number'],
    ['printed = ?', '1.5', 11, 'a whole number of milliseconds'],
    ['printed = ?', '2024-01-01T00:00:00Z', 11, 'a whole number of milliseconds'],
    ['inPrint = ?', 'TRUE', 11, 'true or false for "inPrint" (Boolean)'],
    ['inPrint = ?', 1, 11, 'true or false'],
    ['genre = ?', '__proto__', 9, 'one of NOVEL, Novel, POEM'],
    ['writer = ?', 'x', 10, 'a UUID'],
    ['writer = ?', { _ref: id }, 10, 'a UUID'],
    ['_type = ?', 'constructor', 9, 'the class name or type ID'],
    ['extra = ?', 'x', 9, 'null or missing'],
    [
      'text matchesAll ?',
      '\u{1f600}',
      17,
      'a string with a word for "text" (RichText): there is no word in it',
    ],
    ["title = '😀' or isbn = ?", 5, 23, 'a string'],
  ])('%s refuses %j', (text, value, column, expected) => {
    expect(() => bind(text, [value])).toThrow(
      expect.objectContaining({
        code: 'predicate_type',
        details: { column, expected: expect.stringContaining(expected), value: 0 },
      }),
    );
  });

  it.each<[string, unknown[], number]>([
    ['title = a', ['x'], 0],
    ['title = ?', [], 1],
    ['title = ?', ['x', 'y'], 1],
    ['title in [?, ?]', ['x'], 2],
    ['title in [?0, ?1, ?0]', ['x', 'y', 'z'], 2],
  ])('%s refuses values %j, being another number', (text, values, placeholders) => {
    expect(() => bind(text, values)).toThrow(
      expect.objectContaining({
        code: 'values_mismatch',
        details: { placeholders, values: values.length },
      }),
    );
  });

  it('are limited to 5,000, including list members', () => {
    const half = Array.from({ length: predicateLimits.operands / 2 }, (_, index) => index);
    expect(() => bind('pages = ?0 or editions = ?0', [half])).not.toThrow();
    expect(() => bind('pages = ?0 or editions = ?0', [[...half, 1]])).toThrow(
      expect.objectContaining({
        code: 'predicate_type',
        details: { column: 26, expected: 'expected at most 5000 values in total' },
      }),
    );
  });

  it('do not change the checked predicate', () => {
    const checked = checkPredicate({
      catalog,
      root: ['library.Book'],
      predicate: parsePredicate('title = ?'),
    });
    expect(outline(bindPredicate(checked, ['a']))).toEqual(equals('title', 'a'));
    expect(outline(bindPredicate(checked, ['b']))).toEqual(equals('title', 'b'));
  });
});
