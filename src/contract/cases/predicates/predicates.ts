/**
 * Predicates: every operator in every spelling, on every path that the content types offer, with the assets they must find
 * computed from the assets that the run created (`query/evaluate.ts` says what each predicate means).
 */

import type { Asset, Catalog, Field, ScalarName } from '../../../model/content-type.ts';
import { type FieldPath, findFieldPath, type LeafType } from '../../../model/field-path.ts';
import type { BoundValue } from '../../../query/ast.ts';
import { joinPaths } from '../../../query/build-comparison.ts';
import { evaluatePredicate } from '../../../query/evaluate.ts';
import {
  allowsIgnoreCase,
  familyOf,
  isEquality,
  isOrdering,
  isRichText,
  type Operator,
  operatorFits,
  operatorSpellings,
  operators,
  type ValueFamily,
} from '../../../query/operators.ts';
import { pathKeywords } from '../../../query/parse.ts';
import { findValues } from '../../../query/path-values.ts';
import { bindPredicate, createPredicateCompiler } from '../../../query/prepare.ts';
import { toWrittenValue } from '../../../query/sort.ts';
import { toWords } from '../../../query/text.ts';
import { isBareWord } from '../../../query/tokens.ts';
import { memberOf } from '../../apis/api-under-test.ts';
import type { CmaUnderTest } from '../../apis/cma-under-test.ts';
import type { DocumentedInterface, DocumentedType } from '../../apis/content-types.ts';
import { assertSame, type CaseGroup, toCase, Violation } from '../../case.ts';

/** A predicate with the values of its `?`. */
interface PredicateQuery {
  readonly where: string;
  readonly values?: readonly string[];
}

/** Yields the cases of every path of every type, and of every field of every interface. */
export function* predicateCases(cma: CmaUnderTest): CaseGroup {
  const { types, interfaces, catalog } = cma.types;
  for (const type of types) {
    yield* casesFrom(cma, { from: type.class, types: [type], paths: pathsOf(catalog, type) });
  }
  for (const shared of interfaces) {
    yield* casesFrom(cma, { from: shared.class, types: shared.types, paths: sharedPathsOf(catalog, shared) });
  }
}

/** A class to query `from`: its own assets, or those of all types that implement it. */
interface Source {
  readonly from: string;
  readonly types: readonly DocumentedType[];
  readonly paths: readonly QueryablePath[];
}

function* casesFrom(cma: CmaUnderTest, source: Source): CaseGroup {
  const { from, types, paths } = source;
  const assets = types.flatMap((type) => cma.samples.kept(type.class));
  if (assets.length === 0) return;
  const ask = createPredicateCheck(cma, source);
  const resolve = (id: string) => cma.samples.kept().find(({ _id }) => _id === id);
  for (const asked of paths) {
    const present = valuesOf(assets, asked.path, resolve);
    for (const operator of operators) {
      const predicates = [...comparisons(asked, operator, present)];
      if (predicates.length === 0) continue;
      yield toCase('queryAssets', `200 ${from}: ${asked.path.text} ${operator}`, async () => {
        await Promise.all(predicates.map(ask));
      });
    }
    const items = itemPredicates(asked, (path) => valuesOf(assets, path, resolve));
    if (items.length === 0) continue;
    yield toCase('queryAssets', `200 ${from}: the items of ${asked.path.text}`, async () => {
      await Promise.all(items.map((where) => ask({ where })));
    });
  }
  yield toCase('queryAssets', `200 ${from}: and, or, not and parentheses`, async () => {
    await Promise.all(combinations(assets).map((where) => ask({ where })));
  });
}

/** Queries the instance, and compares the assets found with the meaning of the predicate. */
function createPredicateCheck(
  cma: CmaUnderTest,
  { from, types }: Source,
): (asked: PredicateQuery) => Promise<void> {
  const compiler = createPredicateCompiler(cma.types.catalog);
  const classes = types.map((type) => type.class);
  return async ({ where, values = [] }) => {
    const assets = classes
      .flatMap((className) => cma.samples.kept(className))
      .toSorted((a, b) => (a._id < b._id ? -1 : 1));
    const predicate = bindPredicate(compiler.prepare(classes, where), values);
    const resolve = (id: string) => cma.samples.kept().find(({ _id }) => _id === id);
    const holds = (asset: Asset) => evaluatePredicate({ predicate, asset, resolve });
    const request = cma.find({ from, ids: assets.map(({ _id }) => _id), where, values, limit: 1_000 });
    const { body } = await cma.call(request, 200);
    const expected = assets.filter(holds);
    assertSame({
      what: `the assets for which ${where} holds`,
      received: memberOf(body, 'result'),
      expected: { count: expected.length, items: expected },
      request,
    });
  };
}

/** Comparisons of one path by one operator: a value in quotes, bare, in a list, for a `?`, in another case, or missing. */
function* comparisons(
  { path, leaf, isFollowing }: QueryablePath,
  operator: (typeof operators)[number],
  present: readonly BoundValue[],
): Iterable<PredicateQuery> {
  const spellings = operatorSpellings[operator];
  const name = toName(path.text);
  const operands = operandsFor({ operator, leaf, present });
  for (const [index, value] of operands.entries()) {
    const spelling = spellings[(index + name.length) % spellings.length];
    yield { where: `${name} ${spelling} ${toLiteral(value)}` };
    yield { where: `${name} ${spelling} ?`, values: [String(value)] };
  }
  const [value] = operands;
  if (isEquality(operator)) yield { where: `${name} ${spellings[0]} missing` };
  if (value === undefined || isFollowing) return;
  for (const spelling of spellings)
    yield { where: `not ${name} ${spelling.toUpperCase()} ${toLiteral(value, '"')}` };
  yield { where: `${name} ${spellings[0]} [${operands.map((operand) => toLiteral(operand)).join(',')}]` };
  if (familyOf(leaf) !== 'text' || !allowsIgnoreCase(operator)) return;
  for (const other of [value, inOtherCase(value)]) {
    // Enum members and UUIDs do not depend on letter case.
    const isFree = leaf.kind === 'scalar' || !isEquality(operator);
    if (isFree)
      yield { where: `${name} ${spellings[0]}${isEquality(operator) ? '' : ' '}${toLiteral(other)}` };
    yield { where: `${name} ${spellings[0]}[c] ?0`, values: [String(other)] };
  }
}

/** Conditions on the items of a list, and on whether it has any. */
function itemPredicates(
  { path, leaf, isFollowing }: QueryablePath,
  valuesAt: (path: FieldPath) => readonly BoundValue[],
): string[] {
  if (isFollowing || !path.steps.at(-1)?.list) return [];
  const name = toName(path.text);
  const [a, b] = itemConditions(path, leaf, valuesAt);
  const ofLists = [`${name} = []`, `not ${name} != []`, `${name} in []`];
  if (!a || !b) return ofLists;
  return [
    ...ofLists,
    ...['any', 'ANY', 'every', 'none'].flatMap((word) => [
      `${name} ${word} (${a} and ${b})`,
      `${name} ${word}(not ${a} or ${b})`,
    ]),
    `${name} any (true) and ${name} every (true)`,
  ];
}

/** Two conditions that some items fulfil. */
function itemConditions(
  path: FieldPath,
  leaf: QueryablePath['leaf'],
  valuesAt: (path: FieldPath) => readonly BoundValue[],
): string[] {
  if (leaf.kind === 'reference') {
    const [first, second = first] = valuesAt(path);
    return first === undefined ? [] : [`_id = ${first}`, `_id != ${second}`];
  }
  if (leaf.kind !== 'embedded') return [];
  return [...leaf.type.fields.values()].flatMap(({ name, type, list }) => {
    if (list || type.kind === 'embedded' || familyOf(type) === 'opaque') return [];
    const inner = { text: name, steps: [{ name, list }], leaf: type };
    const [value] = valuesAt(joinPaths(path, inner));
    const literal = value === undefined ? 'missing' : toLiteral(toWrittenValue({ leaf: type }, value));
    return [`${toName(name)} = ${literal}`];
  });
}

/** A path as a predicate has it: in quotes where it would be read as something else. */
function toName(text: string): string {
  return isBareWord(text) && !pathKeywords.has(text.toLowerCase()) ? text : toLiteral(text);
}

/** Combinations of comparisons, on the IDs of two assets. */
function combinations([first, second = first]: readonly Asset[]): string[] {
  if (!first || !second) throw new Violation({ message: 'there are no assets to query' });
  const [a, b] = [`_id = ${first._id}`, `_id = ${second._id}`];
  return [
    'true',
    'false',
    `${a} or ${b}`,
    `${a}||${b}`,
    `${a} AND ${b}`,
    `not(${a})&&!(${b})`,
    `NOT ${a} and not ${b} or ${b}`,
    `${a} or ${b} and false`,
    `(${a} or ${b}) and false`,
    `(((${a}))) or not not ${b}`,
  ];
}

/** A path and the field at its end. */
interface QueryablePath {
  readonly path: FieldPath;
  readonly leaf: LeafType;
  /** Whether it goes through references. */
  readonly isFollowing: boolean;
}

/** Lists every path within an asset of the type, and one step through each of its references. */
function pathsOf(catalog: Catalog, type: DocumentedType): QueryablePath[] {
  const own = ['_id', '_type', ...namesIn(type.fields, '')];
  const following = [...type.fields.values()].flatMap(({ name, type: valueType }) => {
    if (valueType.kind !== 'reference') return [];
    const target = catalog.find(valueType.targets[0] ?? '');
    return ['_id', ...namesIn(target?.fields ?? new Map(), '')].map((rest) => `${name}/${rest}`);
  });
  return resolve(catalog, [type], [...own, ...following]);
}

/** Lists the paths of an interface's fields, for assets of any type that implements it. */
function sharedPathsOf(catalog: Catalog, { types, fields }: DocumentedInterface): QueryablePath[] {
  return resolve(catalog, types, ['_id', '_type', ...fields]);
}

function resolve(
  catalog: Catalog,
  types: readonly DocumentedType[],
  texts: readonly string[],
): QueryablePath[] {
  const classes = types.map((type) => type.class);
  return texts.flatMap((text) => {
    const path = findFieldPath(catalog, classes, text);
    // A path with different meanings in the target types cannot be used.
    return typeof path === 'string'
      ? []
      : [{ path, leaf: leafOf(path), isFollowing: path.through !== undefined }];
  });
}

/** Gets the values at a path of an asset, through its references. */
function leafOf({ leaf, through }: FieldPath): LeafType {
  return through ? leafOf(through.path) : leaf;
}

const maxDepth = 2;

function namesIn(fields: ReadonlyMap<string, Field>, prefix: string, depth = 0): string[] {
  return [...fields.values()].flatMap(({ name, type }) => {
    const path = `${prefix}${name}`;
    if (type.kind !== 'embedded' || depth >= maxDepth) return [path];
    return [path, ...namesIn(type.type.fields, `${path}.`, depth + 1)];
  });
}

// Operands to compare a path with: values that some assets have, parts and other spellings of them, and values that no asset has;
// each as predicate text and as a value for `?`.

/** Collects the values of a path in some assets, referenced ones included. */
function valuesOf(
  assets: readonly Asset[],
  path: FieldPath,
  resolve: (id: string) => Asset | undefined,
): readonly BoundValue[] {
  const here = assets.flatMap((asset) => findValues(asset, path));
  const { through } = path;
  if (!through) return [...new Set(here)];
  return valuesOf(
    here.flatMap((id) => resolve(String(id)) ?? []),
    through.path,
    resolve,
  );
}

/** Operands for an operator, of the kind of the path's field; none when the operator does not apply. */
function operandsFor({
  operator,
  leaf,
  present,
}: {
  operator: Operator;
  leaf: LeafType;
  present: readonly BoundValue[];
}): BoundValue[] {
  const family = familyOf(leaf);
  if (!operatorFits(operator, family) || family === 'opaque') return [];
  const [found] = present;
  if (found === undefined) return [];
  const value = toWrittenValue({ leaf }, found);
  if (isEquality(operator)) return [value, ...absentOf(leaf)];
  if (isOrdering(operator)) return [value];
  const text = String(value);
  const [word = text, other = text] = toWords(text, { richText: isRichText(leaf) });
  switch (operator) {
    case 'startsWith':
      return [startOf(text)];
    case 'contains':
      return [[...text].slice(1, 4).join('') || text];
    case 'matches':
      return [`${word} nosuchword`];
    case 'matchesAll':
      return [`${other} ${word}`, `${word} nosuchword`];
  }
}

/** Values of the kind that no asset has. */
function absentOf(leaf: LeafType): BoundValue[] {
  if (leaf.kind === 'id') return [absentId];
  if (leaf.kind === 'enum') return [];
  return (leaf.kind === 'scalar' && absentTexts[leaf.scalar]) || absentValues[familyOf(leaf)];
}

const absentId = '00000000-0000-4000-8000-000000000000';
const absentValues: Readonly<Record<ValueFamily, BoundValue[]>> = {
  text: ['no \' such \\ " text'],
  number: [-7],
  boolean: [false],
  reference: [absentId],
  ordered: [],
  type: [],
  opaque: [],
};

const absentTexts: { readonly [name in ScalarName]?: BoundValue[] } = {
  Date: ['0001-01-01'],
  DateTime: ['0001-01-01T00:00:00.000001Z'],
  Decimal: ['-7.000000001'],
};

const startOf = (text: string) => [...text].slice(0, 3).join('');

/** A value as a literal: texts in quotes of either kind, numbers and truth values bare. */
function toLiteral(value: BoundValue, quotes: "'" | '"' = "'"): string {
  if (typeof value !== 'string') return String(value);
  return `${quotes}${value.replaceAll('\\', '\\\\').replaceAll(quotes, `\\${quotes}`)}${quotes}`;
}

/** The value with its letter case swapped. */
function inOtherCase(value: BoundValue): BoundValue {
  if (typeof value !== 'string') return value;
  const upper = value.toUpperCase();
  return upper === value ? value.toLowerCase() : upper;
}
