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
    const kept = prepare(book, 'pages = 0');
    const lost = prepare(book, 'pages = 1');
    for (let number = 2; number < 500; number++) prepare(book, `pages = ${number}`);
    expect(prepare(book, 'pages = 0')).toBe(kept);
    prepare(book, 'pages = 500');
    expect(prepare(book, 'pages = 0')).toBe(kept);
    expect(prepare(book, 'pages = 1')).not.toBe(lost);
  });

  it('does not cache long texts', () => {
    const { prepare } = createPredicateCompiler(catalog);
    const long = `title = '${'x'.repeat(5_000)}'`;
    expect(prepare(book, long)).not.toBe(prepare(book, long));
    expect(prepare(book, long)).toEqual(prepare(book, long));
  });
});
