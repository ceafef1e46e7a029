/** Generators of predicate trees, well-typed or not, and a way to compare trees. */
import fc from 'fast-check';
import type { Operand, Predicate, Quantifier } from '../../src/query/ast.ts';
import { isEquality, operators } from '../../src/query/operators.ts';
import * as awkward from './awkward-values.ts';

/** Copies a tree without its columns, for comparison. */
export function withoutColumns(predicate: Predicate): unknown {
  return JSON.parse(JSON.stringify(predicate, (name, value) => (name === 'column' ? undefined : value)));
}

/** How many items of a list must match. */
export const arbitraryQuantifier = fc.constantFrom<Quantifier>('any', 'every', 'none');

const emptyList: Operand = { kind: 'list', items: [], column: 0 };

/** Generates any tree that the parser could return, with all columns 0. */
export const arbitraryPredicate: fc.Arbitrary<Predicate> = withItems(
  fc
    .record({
      path: fc.oneof(
        fc.constantFrom('a', 'a.b/c', 'not', 'TRUE', 'and', 'in', '1', "it's", ''),
        arbitraryText(),
      ),
      operator: fc.constantFrom(...operators),
      ignoreCase: fc.boolean(),
      operand: arbitraryOperand(),
    })
    .filter(({ path }) => path.split(/[./]/).length <= 8)
    .map(({ operand, ...comparison }) => ({
      ...comparison,
      // Only equality takes a list without items as a value.
      operand: operand.kind === 'empty' && !isEquality(comparison.operator) ? emptyList : operand,
    }))
    .map((comparison) => ({ kind: 'comparison' as const, column: 0, ...comparison })),
).map(withNumberedPlaceholders);

/** Generates trees over the given comparisons and over conditions on items that consist of such trees. */
function withItems(comparison: fc.Arbitrary<Predicate>): fc.Arbitrary<Predicate> {
  const items = fc.record({
    kind: fc.constant('items' as const),
    path: fc.constantFrom('a', 'a.b/c', 'any', 'not', "it's"),
    quantifier: arbitraryQuantifier,
    where: arbitraryTree(comparison),
    column: fc.constant(0),
  });
  return arbitraryTree(fc.oneof({ weight: 4, arbitrary: comparison }, { weight: 1, arbitrary: items }));
}

/** Generates trees over the given comparisons, a few levels deep, with some constants. */
export function arbitraryTree(comparison: fc.Arbitrary<Predicate>): fc.Arbitrary<Predicate> {
  const { tree } = fc.letrec<{ tree: Predicate; terms: Predicate[] }>((tie) => ({
    tree: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      { weight: 6, arbitrary: comparison },
      { weight: 1, arbitrary: fc.boolean().map((value) => ({ kind: 'constant' as const, value })) },
      { weight: 2, arbitrary: tie('tree').map((term) => ({ kind: 'not' as const, term })) },
      { weight: 2, arbitrary: tie('terms').map((terms) => ({ kind: 'and' as const, terms })) },
      { weight: 2, arbitrary: tie('terms').map((terms) => ({ kind: 'or' as const, terms })) },
    ),
    terms: fc.array(tie('tree'), { minLength: 2, maxLength: 4 }),
  }));
  return tree;
}

function arbitraryText(): fc.Arbitrary<string> {
  // Includes lone surrogates and U+0000: the syntax allows them, even if a later step refuses them.
  return fc.oneof(fc.constantFrom(...awkward.awkwardTexts), fc.string({ unit: 'binary' }), arbitraryUnits());
}

function arbitraryUnits(): fc.Arbitrary<string> {
  const unit = fc.constantFrom('\ud800', '\udc00', '\0', "'", '"', '\\', 'u', '{', '}', 'a');
  return fc.array(unit, { maxLength: 6 }).map((units) => units.join(''));
}

function arbitraryOperand(): fc.Arbitrary<Operand> {
  const single: fc.Arbitrary<Operand> = fc.oneof(
    arbitraryText().map((text) => ({ kind: 'text' as const, text, column: 0 })),
    fc
      .oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }))
      .map((number) => ({ kind: 'number' as const, text: String(number), column: 0 })),
    fc.boolean().map((boolean) => ({ kind: 'boolean' as const, boolean, column: 0 })),
    fc.constant({ kind: 'missing' as const, column: 0 }),
    fc.constant({ kind: 'placeholder' as const, index: 0, column: 0 }),
  );
  const list = fc
    .array(single, { maxLength: 4 })
    .map((items) => ({ kind: 'list' as const, items, column: 0 }));
  const empty = fc.constant({ kind: 'empty' as const, column: 0 });
  return fc.oneof(
    { weight: 6, arbitrary: single },
    { weight: 2, arbitrary: list },
    { weight: 1, arbitrary: empty },
  );
}

/** Numbers the placeholders of a tree in their order. */
function withNumberedPlaceholders(predicate: Predicate): Predicate {
  let next = 0;
  const number = (operand: Operand): Operand => {
    if (operand.kind === 'list') return { ...operand, items: operand.items.map(number) };
    return operand.kind === 'placeholder' ? { ...operand, index: next++ } : operand;
  };
  const visit = (term: Predicate): Predicate => {
    switch (term.kind) {
      case 'constant':
        return term;
      case 'not':
        return { kind: 'not', term: visit(term.term) };
      case 'comparison':
        return { ...term, operand: number(term.operand) };
      case 'items':
        return { ...term, where: visit(term.where) };
      default:
        return { kind: term.kind, terms: term.terms.map(visit) };
    }
  };
  return visit(predicate);
}
