/** Printing and parsing generated predicates: they round-trip, and no input crashes the parser. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isDomainError } from '../../src/base/errors.ts';
import { parsePredicate } from '../../src/query/parse.ts';
import { printPredicate } from '../../src/query/print.ts';
import { libraryCatalog } from '../support/catalog.ts';
import { arbitraryPredicate, withoutColumns } from '../support/predicate-trees.ts';
import { arbitraryPredicateText } from '../support/predicates.ts';

describe('printing a predicate', () => {
  it('gives text that parses to the same tree', () => {
    fc.assert(
      fc.property(arbitraryPredicate, (tree) => {
        expect(withoutColumns(parsePredicate(printPredicate(tree)))).toEqual(withoutColumns(tree));
      }),
      { numRuns: 2_000 },
    );
  });

  it('is stable: printed text, parsed and printed again, is unchanged', () => {
    const texts = arbitraryPredicateText({ catalog: libraryCatalog(), classes: ['library.Book'], ids: [] });
    fc.assert(
      fc.property(texts, (text) => {
        expect(printPredicate(parsePredicate(text))).toBe(text);
      }),
    );
  });
});

describe('parsing', () => {
  const scraps = fc.constantFrom(
    ...[
      'a',
      'b.c/d',
      '=',
      '!=',
      '<',
      'startsWith',
      'matches',
      '&&',
      '||',
      '!',
      '(',
      ')',
      '[',
      ']',
      ',',
      '[c]',
      '?',
      '?0',
      '?7',
    ],
    ...[
      'and',
      'or',
      'not',
      'true',
      'null',
      'in',
      'contains',
      "'x'",
      '"y"',
      "'",
      '"',
      '\\',
      "'\\u{",
      '1',
      '-1e9',
      ' ',
    ],
    ...['\0', '\ud800', '\u200f', '😀', '$where', '__proto__', '%', '\n'],
  );
  const texts = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 50 }),
    fc.array(scraps, { maxLength: 40 }).map((parts) => parts.join(' ')),
    fc.array(scraps, { maxLength: 40 }).map((parts) => parts.join('')),
  );

  it('returns a tree or a syntax error with a column inside the text for any input', () => {
    fc.assert(
      fc.property(texts, (text) => {
        try {
          const tree = parsePredicate(text);
          expect(withoutColumns(parsePredicate(printPredicate(tree)))).toEqual(withoutColumns(tree));
        } catch (error) {
          if (!isDomainError(error, 'predicate_syntax')) throw error;
          expect(error.details.column).toBeGreaterThanOrEqual(1);
          expect(error.details.column).toBeLessThanOrEqual([...text].length + 1);
        }
      }),
      { numRuns: 5_000 },
    );
  });
});
