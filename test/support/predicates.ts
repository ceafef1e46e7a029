/** Generators of predicates that are well-typed for a content type and match values of generated assets. */
import fc from 'fast-check';
import type { Catalog, EmbeddedType, ScalarName } from '../../src/model/content-type.ts';
import { type FieldPath, findFieldPath, type LeafType, type PathRoot } from '../../src/model/field-path.ts';
import { scalars } from '../../src/model/values/scalars.ts';
import type { Operand, Predicate } from '../../src/query/ast.ts';
import {
  allowsIgnoreCase,
  familyOf,
  isEquality,
  isOrdering,
  isPartSearch,
  type Operator,
  operatorFits,
  operators,
} from '../../src/query/operators.ts';
import { printPredicate } from '../../src/query/print.ts';
import { pools } from './assets.ts';
import * as awkward from './awkward-values.ts';
import { arbitraryQuantifier, arbitraryTree } from './predicate-trees.ts';

/**
 * Generates texts of predicates that are well-typed for all of the given classes and use the awkward values of `assets.ts`.
 *
 * Shapes: `_id` and references are compared with `ids`. There are no placeholders.
 */
export const arbitraryPredicateText = (request: PredicateRequest): fc.Arbitrary<string> =>
  arbitraryPredicate(request).map(printPredicate);

interface PredicateRequest {
  readonly catalog: Catalog;
  readonly classes: readonly string[];
  readonly ids: readonly string[];
}

/** Generates the trees of such predicates. */
export function arbitraryPredicate(request: PredicateRequest): fc.Arbitrary<Predicate> {
  const { classes, ...sources } = request;
  const made = new Map<string, fc.Arbitrary<Predicate>>();
  const within: PredicatesWithin = (root, depth) => {
    const key = JSON.stringify([depth, 'fields' in root ? root.name : root]);
    const known = made.get(key) ?? arbitraryWithin(root, { sources, depth, within });
    made.set(key, known);
    return known;
  };
  return within(classes, 2);
}

/** Returns predicates on what paths begin at, with conditions on items of lists in up to `depth` levels. */
type PredicatesWithin = (root: PathRoot, depth: number) => fc.Arbitrary<Predicate>;

function arbitraryWithin(
  root: PathRoot,
  { sources, depth, within }: { sources: OperandSources; depth: number; within: PredicatesWithin },
): fc.Arbitrary<Predicate> {
  const paths = listPaths(sources.catalog, root);
  const [direct, indirect] = [
    paths.filter(({ through }) => !through),
    paths.filter(({ through }) => through),
  ];
  const comparison = fc
    .oneof(
      { weight: 2, arbitrary: fc.constantFrom(...direct) },
      { weight: 1, arbitrary: fc.constantFrom(...(indirect.length > 0 ? indirect : direct)) },
    )
    .chain((path) => arbitraryComparison(path, sources))
    .map((made): Predicate => ({ ...made, kind: 'comparison', column: 0 }));
  const lists = depth > 0 ? paths.flatMap((path) => itemsAt(path) ?? []) : [];
  if (lists.length === 0) return arbitraryTree(comparison);
  const items = fc.constantFrom(...lists).chain(({ path, root: item }) =>
    fc.record({
      kind: fc.constant('items' as const),
      path: fc.constant(path),
      quantifier: arbitraryQuantifier,
      where: within(item, depth - 1),
      column: fc.constant(0),
    }),
  );
  return arbitraryTree(fc.oneof({ weight: 3, arbitrary: comparison }, { weight: 1, arbitrary: items }));
}

/** Returns what the items of a list are, if conditions can be about them. */
function itemsAt(path: FieldPath): { path: string; root: PathRoot } | undefined {
  const { leaf, steps } = lastOf(path);
  if (!steps.at(-1)?.list) return undefined;
  if (leaf.kind === 'embedded') return { path: path.text, root: leaf.type };
  return leaf.kind === 'reference' ? { path: path.text, root: leaf.targets } : undefined;
}

/** Lists every valid path, through up to two references and two levels of embedded values. */
function listPaths(catalog: Catalog, root: PathRoot): FieldPath[] {
  const left = { references: 2, embedded: 2 };
  const texts = 'fields' in root ? memberTexts(catalog, root, left) : pathTexts(catalog, root[0] ?? '', 2);
  return texts.flatMap((text) => {
    const path = findFieldPath(catalog, root, text);
    return typeof path === 'string' ? [] : [path];
  });
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

/** Sources of operand values, besides the pools of awkward values. */
interface OperandSources {
  readonly catalog: Catalog;
  readonly ids: readonly string[];
}

interface Comparison {
  readonly path: string;
  readonly operator: Operator;
  readonly ignoreCase: boolean;
  readonly operand: Operand;
}

function arbitraryComparison(path: FieldPath, sources: OperandSources): fc.Arbitrary<Comparison> {
  const { leaf, steps } = lastOf(path);
  const family = familyOf(leaf);
  return fc
    .constantFrom(...operators.filter((operator) => operatorFits(operator, family)))
    .chain((operator) =>
      fc.record({
        path: fc.constant(path.text),
        operator: fc.constant(operator),
        ignoreCase: family === 'text' && allowsIgnoreCase(operator) ? fc.boolean() : fc.constant(false),
        operand:
          steps.at(-1)?.list && isEquality(operator)
            ? fc.oneof(
                { weight: 4, arbitrary: arbitraryFittingOperand(operator, leaf, sources) },
                { weight: 1, arbitrary: fc.constant<Operand>({ kind: 'empty', column: 0 }) },
              )
            : arbitraryFittingOperand(operator, leaf, sources),
      }),
    );
}

const lastOf = (path: FieldPath): FieldPath => (path.through ? lastOf(path.through.path) : path);

function arbitraryFittingOperand(
  operator: Operator,
  leaf: LeafType,
  sources: OperandSources,
): fc.Arbitrary<Operand> {
  const values = literalsFor(operator, leaf, sources);
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
  if (typeof value === 'number') return { kind: 'number', text: String(value), column: 0 };
  return { kind: 'boolean', boolean: value, column: 0 };
}

function literalsFor(
  operator: Operator,
  leaf: LeafType,
  { catalog, ids }: OperandSources,
): readonly (string | number | boolean)[] {
  switch (familyOf(leaf)) {
    case 'text':
      return textsFor(operator, leaf, ids);
    case 'number':
      return numbers.filter(comparedScalarOf(leaf).accepts);
    case 'ordered':
      return leaf.kind === 'scalar' ? textsOf(leaf.scalar) : [];
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

const numbers = [...awkward.awkwardIntegers, ...awkward.awkwardFloats, ...awkward.awkwardMillis];

/** Returns the scalar of the values that a number is compared with. */
function comparedScalarOf(leaf: LeafType) {
  const name = leaf.kind === 'scalar' ? leaf.scalar : 'Float';
  return scalars[scalars[name].comparedAs ?? name];
}

const textsOf = (scalar: ScalarName) => pools[scalar].filter((value) => typeof value === 'string');

function textsFor(operator: Operator, leaf: LeafType, ids: readonly string[]): readonly string[] {
  if (leaf.kind === 'id' && isEquality(operator)) return ids;
  if (leaf.kind === 'enum' && (isEquality(operator) || isOrdering(operator))) return leaf.values;
  const texts = [
    ...(leaf.kind === 'scalar' ? textsOf(leaf.scalar) : awkward.awkwardTexts),
    ...awkward.awkwardTexts,
    ...(leaf.kind === 'enum' ? leaf.values.flatMap((value) => [value, value.slice(0, 2)]) : []),
    ...(leaf.kind === 'id' ? ids.flatMap((id) => [id, id.slice(0, 5), id.slice(0, 2).toUpperCase()]) : []),
  ];
  if (isPartSearch(operator)) return texts.filter((text) => text !== '');
  if (operator !== 'matches' && operator !== 'matchesAll') return texts;
  const words = [...texts, ...awkward.awkwardWords];
  return operator === 'matches' ? words : words.filter((text) => /[\p{L}\p{N}]/u.test(text));
}
