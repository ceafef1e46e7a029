/** Generated predicates: any tree at all, and well-typed ones for a content type; and what tests compare trees by. */
import fc from 'fast-check';
import type { Catalog, EmbeddedType } from '../../src/model/content-type.ts';
import { type FieldPath, findFieldPath, type LeafType } from '../../src/model/field-path.ts';
import type { Operand, Predicate } from '../../src/query/ast.ts';
import {
  familyOf,
  isEquality,
  isOrdering,
  type Operator,
  operatorFits,
  operators,
} from '../../src/query/operators.ts';
import { printPredicate } from '../../src/query/print.ts';
import * as awkward from './awkward-values.ts';

/** A copy of a tree in which nothing has a column. */
export function withoutColumns(predicate: Predicate): unknown {
  return JSON.parse(JSON.stringify(predicate, (name, value) => (name === 'column' ? undefined : value)));
}

/** Any tree that a text could be parsed to, columns apart: they are all 0. */
export const arbitraryPredicate: fc.Arbitrary<Predicate> = arbitraryTree(
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
    .map((comparison) => ({ kind: 'comparison' as const, column: 0, ...comparison })),
).map(withNumberedPlaceholders);

/**
 * Texts of predicates that are well-typed for all of the given classes, and that meet the awkward values of `assets.ts`.
 *
 * Shapes: `ids` are what `_id` and references are compared with. No placeholders.
 */
export function arbitraryPredicateText(request: {
  catalog: Catalog;
  classes: readonly string[];
  ids: readonly string[];
}): fc.Arbitrary<string> {
  const { catalog, classes, ids } = request;
  const paths = listPaths(catalog, classes);
  const comparison = fc
    .constantFrom(...paths)
    .chain((path) => arbitraryComparison(path, { catalog, ids }))
    .map((made) => ({ ...made, kind: 'comparison' as const, column: 0 }));
  return arbitraryTree(comparison).map(printPredicate);
}

/** Every path of the given classes that means something, through up to two references and two levels of embedded values. */
export function listPaths(catalog: Catalog, classes: readonly string[]): FieldPath[] {
  const texts = pathTexts(catalog, classes[0] ?? '', 2);
  return texts.flatMap((text) => {
    const path = findFieldPath(catalog, classes, text);
    return typeof path === 'string' ? [] : [path];
  });
}

function arbitraryTree(
  comparison: fc.Arbitrary<Predicate & { kind: 'comparison' }>,
): fc.Arbitrary<Predicate> {
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
  // Lone surrogates and U+0000 too: the language can write them, whatever becomes of them later.
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
      .map((number) => ({ kind: 'number' as const, number: number === 0 ? 0 : number, column: 0 })),
    fc.boolean().map((boolean) => ({ kind: 'boolean' as const, boolean, column: 0 })),
    fc.constant({ kind: 'missing' as const, column: 0 }),
    fc.constant({ kind: 'placeholder' as const, index: 0, column: 0 }),
  );
  const list = fc
    .array(single, { maxLength: 4 })
    .map((items) => ({ kind: 'list' as const, items, column: 0 }));
  return fc.oneof({ weight: 3, arbitrary: single }, { weight: 1, arbitrary: list });
}

/** Gives the placeholders of a tree the numbers that they would have by their order. */
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
      default:
        return { kind: term.kind, terms: term.terms.map(visit) };
    }
  };
  return visit(predicate);
}

function pathTexts(catalog: Catalog, className: string, references: number): string[] {
  const type = catalog.types.get(className);
  return type ? ['_id', '_type', ...memberTexts(catalog, type, { references, embedded: 2 })] : [];
}

function memberTexts(
  catalog: Catalog,
  { fields }: Pick<EmbeddedType, 'fields'>,
  left: { references: number; embedded: number },
): string[] {
  return [...fields.values()].flatMap(({ name, type }) => {
    if (type.kind === 'reference' && left.references > 0) {
      const inner = type.targets.flatMap((target) => pathTexts(catalog, target, left.references - 1));
      return [name, ...[...new Set(inner)].map((rest) => `${name}/${rest}`)];
    }
    if (type.kind === 'embedded' && left.embedded > 0) {
      const inner = memberTexts(catalog, type.type, { ...left, embedded: left.embedded - 1 });
      return [name, ...inner.map((rest) => `${name}.${rest}`)];
    }
    return [name];
  });
}

/** What values of a predicate are drawn from, beside the pools. */
interface Surroundings {
  readonly catalog: Catalog;
  readonly ids: readonly string[];
}

interface Comparison {
  readonly path: string;
  readonly operator: Operator;
  readonly ignoreCase: boolean;
  readonly operand: Operand;
}

function arbitraryComparison(path: FieldPath, surroundings: Surroundings): fc.Arbitrary<Comparison> {
  const leaf = lastLeaf(path);
  const family = familyOf(leaf);
  return fc
    .constantFrom(...operators.filter((operator) => operatorFits(operator, family)))
    .chain((operator) =>
      fc.record({
        path: fc.constant(path.text),
        operator: fc.constant(operator),
        ignoreCase: family === 'text' && !isOrdering(operator) ? fc.boolean() : fc.constant(false),
        operand: arbitraryFittingOperand(operator, leaf, surroundings),
      }),
    );
}

function lastLeaf({ leaf, through }: FieldPath): LeafType {
  return through ? lastLeaf(through.path) : leaf;
}

function arbitraryFittingOperand(
  operator: Operator,
  leaf: LeafType,
  around: Surroundings,
): fc.Arbitrary<Operand> {
  const values = literalsFor(operator, leaf, around);
  const missing: Operand[] = isEquality(operator) ? [{ kind: 'missing', column: 0 }] : [];
  const choices = [...values.map(toLiteral), ...missing];
  const single = fc.constantFrom(...choices);
  const list = fc
    .array(single, { maxLength: 3 })
    .map((items) => ({ kind: 'list' as const, items, column: 0 }));
  return fc.oneof({ weight: 4, arbitrary: single }, { weight: 1, arbitrary: list });
}

function toLiteral(value: string | number | boolean): Operand {
  if (typeof value === 'string') return { kind: 'text', text: value, column: 0 };
  if (typeof value === 'number') return { kind: 'number', number: value, column: 0 };
  return { kind: 'boolean', boolean: value, column: 0 };
}

function literalsFor(
  operator: Operator,
  leaf: LeafType,
  { catalog, ids }: Surroundings,
): readonly (string | number | boolean)[] {
  switch (familyOf(leaf)) {
    case 'text':
      return textsFor(operator, leaf, ids);
    case 'number': {
      const numbers = [...awkward.awkwardIntegers, ...awkward.awkwardFloats, ...awkward.awkwardMillis];
      const isWhole = leaf.kind === 'scalar' && leaf.scalar === 'EpochMillis';
      return isWhole ? numbers.filter(Number.isInteger) : numbers;
    }
    case 'boolean':
      return [true, false];
    case 'reference':
      return [...ids, ...ids.map((id) => id.toUpperCase())];
    case 'type':
      return [...catalog.types.values(), ...catalog.interfaces.values()].flatMap((type) => [
        type.class,
        type.id,
      ]);
    case 'opaque':
      return [];
  }
}

function textsFor(operator: Operator, leaf: LeafType, ids: readonly string[]): readonly string[] {
  if (leaf.kind === 'id' && isEquality(operator)) return ids;
  if (leaf.kind === 'enum' && (isEquality(operator) || isOrdering(operator))) return leaf.values;
  const own =
    leaf.kind === 'scalar' && leaf.scalar === 'RichText' ? awkward.awkwardRichTexts : awkward.awkwardTexts;
  const texts = [
    ...own,
    ...awkward.awkwardTexts,
    ...(leaf.kind === 'enum' ? leaf.values.flatMap((value) => [value, value.slice(0, 2)]) : []),
    ...(leaf.kind === 'scalar' && leaf.scalar === 'Url' ? awkward.awkwardUrls : []),
    ...(leaf.kind === 'id' ? ids.flatMap((id) => [id, id.slice(0, 5), id.slice(0, 2).toUpperCase()]) : []),
  ];
  return operator === 'startsWith' || operator === 'contains' ? texts.filter((text) => text !== '') : texts;
}
