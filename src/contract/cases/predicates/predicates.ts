/**
 * Predicates: every operator in every spelling, on every path that the content types offer, with the assets they must find
 * computed from the assets that the run created (`query/evaluate.ts` says what each predicate means).
 */
import type { Asset } from '../../../model/content-type.ts';
import type { FieldPath } from '../../../model/field-path.ts';
import type { BoundValue } from '../../../query/ast.ts';
import { bindPredicate } from '../../../query/bind.ts';
import { joinPaths } from '../../../query/build-comparison.ts';
import { evaluatePredicate } from '../../../query/evaluate.ts';
import {
  familyOf,
  isEquality,
  isOrdering,
  operatorFits,
  operatorSpellings,
  operators,
} from '../../../query/operators.ts';
import { toWrittenValue } from '../../../query/order-keys.ts';
import { pathKeywords } from '../../../query/parse.ts';
import { createPredicateCompiler } from '../../../query/prepare.ts';
import { isBareWord } from '../../../query/tokens.ts';
import { memberOf } from '../../apis/api-under-test.ts';
import type { CmaUnderTest } from '../../apis/cma-under-test.ts';
import type { DocumentedType } from '../../apis/content-types.ts';
import { assertSame, type CaseGroup, toCase, Violation } from '../../case.ts';
import { inOtherCase, operandsFor, toLiteral, valuesOf } from './predicate-operands.ts';
import { pathsOf, type QueryablePath, sharedPathsOf } from './predicate-paths.ts';

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
  const isText = familyOf(leaf) === 'text' && operatorFits(operator, 'text') && !isOrdering(operator);
  if (!isText) return;
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
