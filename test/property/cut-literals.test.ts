/** Predicates whose literals are cut out: each text gives what it gives when it is compiled whole, and the same errors. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DomainError } from '../../src/base/errors.ts';
import { checkPredicate } from '../../src/query/check.ts';
import { parsePredicate } from '../../src/query/parse.ts';
import { bindPredicate, createPredicateCompiler, cutLiterals } from '../../src/query/prepare.ts';
import { awkwardTexts } from '../support/awkward-values.ts';
import { libraryCatalog } from '../support/catalog.ts';
import { arbitraryPredicateText } from '../support/predicates.ts';

const catalog = libraryCatalog();
const classes = ['library.Book'];
const ids = ['0191f3a0-5b7e-7c11-9d2e-000000000001', 'f191f3a0-5b7e-4c11-9d2e-000000000002'];
// One for all runs, so that texts of the same shape meet.
const { prepare } = createPredicateCompiler(catalog);

/** What a function returns, or the members of its error that callers see. */
function outcomeOf(run: () => unknown) {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { code: error.code, message: error.message, details: error.details };
  }
}

const compileWhole = (text: string) =>
  outcomeOf(() =>
    bindPredicate(checkPredicate({ catalog, root: classes, predicate: parsePredicate(text) }), []),
  );

function expectSame(text: string): void {
  expect(outcomeOf(() => bindPredicate(prepare(classes, text), []))).toEqual(compileWhole(text));
}

const literal = fc.oneof(
  fc.constantFrom(
    '1',
    '-0',
    '1.50',
    '1e3',
    '1e999',
    '12345678901234567890.10',
    '01',
    '2026-01-02',
    ...ids,
    'a1',
    "'\\q'",
    "'\\u{1F600}'",
    '"',
  ),
  fc.constantFrom(...awkwardTexts).map((text) => `'${text.replace(/[\\']/g, '\\$&')}'`),
  fc.constantFrom('true', 'null', 'POEM', "'POEM'", "''", '[]', "'library.Book'"),
);

const literals = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|(?<![\w.])-?\d[\w.:-]*/gsu;

describe('a predicate whose literals are cut out', () => {
  it('is what its whole text is, and so is the text with other literals', () => {
    const texts = arbitraryPredicateText({ catalog, classes, ids });
    fc.assert(
      fc.property(texts, fc.array(literal, { minLength: 1 }), (text, others) => {
        let n = 0;
        expectSame(text);
        // The same list, because nothing is compiled again. Longer texts are not cached.
        if (!text.includes('?') && text.length <= 4_096)
          expect(prepare(classes, text).targets).toBe(prepare(classes, text).targets);
        expectSame(text.replace(literals, () => others[n++ % others.length] ?? ''));
        expectSame(text.replace(literals, (source) => (n++ % 2 === 0 ? source : (others[0] ?? ''))));
      }),
      { numRuns: 500 },
    );
  });

  it('is what its whole text is, whatever the order of its tokens', () => {
    const words = ['title', 'pages', 'writer/name', "'title'", 'genre', 'not', 'and', 'or', 'true', 'in'];
    const symbols = [
      '=',
      '!=',
      '!',
      '<',
      '>=',
      'startsWith',
      '(',
      ')',
      '[',
      ']',
      ',',
      '[c]',
      '&&',
      ' ',
      '?',
      '?0',
      'any',
      'é',
    ];
    const token = fc.oneof(fc.constantFrom(...words), fc.constantFrom(...symbols), literal);
    const comparison = fc
      .tuple(
        fc.constantFrom('title', 'pages', 'price', 'genre', "'true'"),
        fc.constantFrom('=', ' in ', '<', ' startsWith', '=[c]'),
        literal,
      )
      .map((parts) => parts.join(''));
    const soup = fc.array(fc.oneof(token, comparison), { maxLength: 12 });
    fc.assert(
      fc.property(soup, fc.constantFrom('', ' '), (tokens, blank) => {
        const text = tokens.join(blank);
        if (!text.includes('?')) expectSame(text);
      }),
      { numRuns: 3_000 },
    );
  });

  it('has the same shape as texts with other literals', () => {
    const shapes = ["title = 'a' and pages > 1", 'title = "\\"" and pages > -2.5e3'].map(
      (text) => cutLiterals(text)?.shape,
    );
    expect(shapes[0]).toBe(shapes[1]);
    expect(cutLiterals("title = 'a' and pages > x1")?.shape).not.toBe(shapes[0]);
    expect(cutLiterals("'title' = 'a' and 'pages' > 1")?.literals).toHaveLength(2);
  });
});
