import { describe, expect, it } from 'vitest';
import { createPredicateCompiler } from '../../../src/query/prepare.ts';
import { libraryCatalog } from '../../support/catalog.ts';

const book = ['library.Book'];

describe('a predicate compiler', () => {
  const catalog = libraryCatalog();

  it('compiles the same text for the same classes once', () => {
    const { prepare } = createPredicateCompiler(catalog);
    expect(prepare(book, 'title = ?')).toBe(prepare([...book], 'title = ?'));
    expect(prepare(['library.Person'], 'name = a')).not.toBe(prepare(['library.Company'], 'name = a'));
    expect(prepare(['library.Person'], 'name = a')).not.toBe(prepare(['library.Person'], 'name = b'));
  });

  it('compiles texts that differ in their literals alone once', () => {
    const { prepare } = createPredicateCompiler(catalog);
    const { targets } = prepare(book, `writer/name = 'a' and pages in [1, 20]`);
    expect(prepare(book, `writer/name = "O\\'B" and pages in [250, -1]`).targets).toBe(targets);
    const price = prepare(book, 'price > 0.10');
    expect(prepare(book, 'price > 12345678901234567890.10').targets).toBe(price.targets);
    expect(prepare(book, `writer/name = 'a' or pages in [1, 20]`).targets).not.toBe(targets);
    expect(prepare(book, `writer/name = 'a' and pages in [1, 20, 3]`).targets).not.toBe(targets);
  });

  it.each([
    ['a value of another kind', `pages > '1' and genre = 'POEM'`, 9],
    ['a value that an enum lacks', `pages > 1234 and genre = 'LIMERICK'`, 26],
    ['a number too large for a float', `pages > 1e999 and genre = 'POEM'`, 9],
    ['an unknown escape', `pages > 12 and genre = '\\q'`, 25],
  ])('refuses %s at its place in the text, though it has compiled such a text', (_, text, column) => {
    const { prepare } = createPredicateCompiler(catalog);
    prepare(book, `pages > 1 and genre = 'POEM'`);
    expect(() => prepare(book, text)).toThrow(
      expect.objectContaining({ details: expect.objectContaining({ column }) }),
    );
  });

  it.each(['\u0001', '\u0002', '\u0003'])(
    'refuses the character %j in the place of a literal, though it has compiled such a text',
    (mark) => {
      const { prepare } = createPredicateCompiler(catalog);
      for (const text of [`title = 'a'`, 'title = 1', 'title = a1', 'pages = 1']) {
        try {
          prepare(book, text);
        } catch {
          // Some of them do not fit the field.
        }
      }
      for (const path of ['title', 'pages'])
        expect(() => prepare(book, `${path} = ${mark}`)).toThrow(
          expect.objectContaining({ code: 'predicate_syntax' }),
        );
    },
  );

  it('refuses an invalid text every time', () => {
    const { prepare } = createPredicateCompiler(catalog);
    for (const _ of [1, 2]) {
      expect(() => prepare(book, 'title =')).toThrow(expect.objectContaining({ code: 'predicate_syntax' }));
      expect(() => prepare(['library.Person'], 'title = a')).toThrow(
        expect.objectContaining({ code: 'unknown_field' }),
      );
    }
  });

  it('caches the 500 most recently used predicates', () => {
    const { prepare } = createPredicateCompiler(catalog);
    const toText = (number: number) => `pages = ?${' '.repeat(number)}`;
    const [kept, lost] = [prepare(book, toText(0)), prepare(book, toText(1))];
    for (let number = 2; number < 500; number++) prepare(book, toText(number));
    expect(prepare(book, toText(0))).toBe(kept);
    prepare(book, toText(500));
    expect(prepare(book, toText(0))).toBe(kept);
    expect(prepare(book, toText(1))).not.toBe(lost);
  });

  it('does not cache long texts', () => {
    const { prepare } = createPredicateCompiler(catalog);
    const long = `title = '${'x'.repeat(5_000)}'`;
    expect(prepare(book, long)).not.toBe(prepare(book, long));
    expect(prepare(book, long)).toEqual(prepare(book, long));
  });
});
