/**
 * Compiles a bound predicate to a MongoDB filter of plain query operators, which can use indexes.
 *
 * As `query/evaluate.ts` requires, a query operator matches a list when it matches any item, and `$nor` matches an absent value.
 * A path through references is followed from its end: the targets are found first, and the reference is compared with their ids.
 */
import type { FieldPath } from '../../../model/field-path.ts';
import type { BoundComparison, BoundPredicate } from '../../../query/ast.ts';
import type { OrderOperator } from '../../../query/operators.ts';
import { prefixOf } from '../../../query/text.ts';
import { type FollowedSearch, groupFollowed, toFollowed } from '../../followed-paths.ts';
import { toToken } from '../../word-tokens.ts';
import { toPresencePath, toValuePath, toWordsPath } from '../documents/document-path.ts';
import { itemStart } from '../indexes/word-index.ts';
import { type TextSearch, toPrefixPattern, toTextPattern, toWordPattern } from './text-pattern.ts';

/** A condition on documents. */
export type Filter = Readonly<Record<string, unknown>>;

/** Finds the ids of the assets of some classes that a filter, and a comparison which is tested on each of them, match. */
export type FindIds = (
  classes: readonly string[],
  filter: Filter,
  tested?: BoundComparison,
) => Promise<readonly string[]>;

/** The classes that a predicate is for, and those of all classes whose words are being made anew. */
export interface WordScope {
  readonly classes: readonly string[];
  readonly older: ReadonlySet<string>;
}

const upToDate: WordScope = { classes: [], older: new Set() };

/** Compiles a predicate. Errors: invalid_parameter when a string is too long to search for; those of `findIds`. */
export async function compilePredicate(
  predicate: BoundPredicate,
  findIds: FindIds,
  scope: WordScope = upToDate,
): Promise<Filter> {
  switch (predicate.kind) {
    case 'constant':
      return predicate.value ? {} : { _id: { $in: [] } };
    case 'and':
      return {
        $and: await Promise.all(predicate.terms.map((term) => compilePredicate(term, findIds, scope))),
      };
    case 'or': {
      const { followed, rest } = groupFollowed(predicate.terms);
      const terms = [
        ...followed.map((search) => follow(search, findIds, scope)),
        ...rest.map((term) => compilePredicate(term, findIds, scope)),
      ];
      return { $or: await Promise.all(terms) };
    }
    case 'not':
      return { $nor: [await compilePredicate(predicate.term, findIds, scope)] };
    case 'missing':
      return compileMissing(predicate.path, findIds);
    default:
      return compileComparison(predicate, findIds, scope);
  }
}

async function compileMissing(path: FieldPath, findIds: FindIds): Promise<Filter> {
  if (path.through) return { $nor: [await compilePresence(path, findIds)] };
  return { [toPresencePath(path)]: { $exists: false } };
}

async function compilePresence(path: FieldPath, findIds: FindIds): Promise<Filter> {
  const { through } = path;
  if (!through) return { [toPresencePath(path)]: { $exists: true } };
  const ids = await findIds(through.targets, await compilePresence(through.path, findIds));
  return refersTo(path, ids);
}

async function compileComparison(
  comparison: ValueComparison,
  findIds: FindIds,
  scope: WordScope,
): Promise<Filter> {
  const followed = toFollowed(comparison);
  if (followed) return follow(followed, findIds, scope);
  const older = comparison.kind === 'words' ? scope.classes.filter((name) => scope.older.has(name)) : [];
  if (older.length === 0) return compareValues(comparison);
  const ids = await findIds(older, {}, comparison);
  return { $or: [{ $and: [{ _type: { $nin: older } }, compareValues(comparison)] }, { _id: { $in: ids } }] };
}

/** Compiles a condition on referenced assets: finds these first. */
async function follow(
  { path, targets, where }: FollowedSearch,
  findIds: FindIds,
  { older }: WordScope,
): Promise<Filter> {
  const wanted = await compilePredicate(where, findIds, { classes: targets, older });
  return refersTo(path, await findIds(targets, wanted));
}

const refersTo = (path: FieldPath, ids: readonly string[]): Filter => ({ [toValuePath(path)]: { $in: ids } });

/** A comparison with a value: any but `missing`. */
type ValueComparison = Exclude<BoundComparison, { kind: 'missing' }>;

function compareValues(comparison: ValueComparison): Filter {
  const path = toValuePath(comparison.path);
  switch (comparison.kind) {
    case 'equals': {
      const { values, ignoreCase } = comparison;
      if (!ignoreCase) return { [path]: values.length === 1 ? values[0] : { $in: values } };
      const texts = values.filter((value) => typeof value === 'string');
      return anyOf(texts.map((text) => searchText(path, { text, place: 'whole', ignoreCase })));
    }
    case 'compare':
      return { [path]: { [comparisonOperators[comparison.operator]]: comparison.value } };
    case 'text': {
      const { value: text, operator: place, ignoreCase } = comparison;
      return searchText(path, { text, place, ignoreCase });
    }
    case 'words':
      return searchWords(comparison);
  }
}

const comparisonOperators: Readonly<Record<OrderOperator, string>> = {
  lt: '$lt',
  le: '$lte',
  gt: '$gt',
  ge: '$gte',
};

const searchText = (path: string, search: TextSearch): Filter => ({ [path]: toTextPattern(search) });

/** Combines filters with `$or`, since not every server accepts patterns among the values of `$in`. */
function anyOf(filters: readonly Filter[]): Filter {
  const [first = {}] = filters;
  return filters.length === 1 ? first : { $or: filters };
}

type WordComparison = Extract<BoundComparison, { kind: 'words' }>;

/** Compiles a comparison of a field of the asset itself. */
function searchWords({ path, words, all }: WordComparison): Readonly<Record<string, unknown>> {
  const field = toWordsPath(path);
  const isAll = all && words.length > 1;
  const listed = isAll ? hasAll(path, words) : hasAny(field, words);
  return { $or: [listed, { [field]: toWordPattern(words, { all: isAll }) }] };
}

/** Compiles a search for any of some words among the listed words of a path. */
const hasAny = (field: string, words: readonly string[]): Filter =>
  anyOf(listConditions(field, '$in', words));

/** Compiles a search for all words in one value of a path. */
function hasAll({ steps }: FieldPath, words: readonly string[]): Filter {
  const hasEach = (field: string) => bothOf(listConditions(field, '$all', words));
  const lastList = steps.findLastIndex(({ list }) => list);
  if (lastList === steps.length - 1) {
    const field = toWordsPath({ steps });
    return {
      $and: [hasEach(field), { [field]: toWordPattern(words, { all: true, start: itemStart }) }],
    };
  }
  if (lastList < 0) return hasEach(toWordsPath({ steps }));
  const [outer, inner] = [steps.slice(0, lastList + 1), steps.slice(lastList + 1)];
  const rest = inner.map(({ name }) => name).join('.');
  return { [toWordsPath({ steps: outer })]: { $elemMatch: hasEach(rest) } };
}

const bothOf = (filters: readonly Filter[]): Filter =>
  filters.length === 1 ? (filters[0] ?? {}) : { $and: filters };

/** Compiles whole words to one condition, and each prefix to another. */
function listConditions(field: string, operator: '$in' | '$all', words: readonly string[]): Filter[] {
  const whole = words.filter((word) => prefixOf(word) === undefined);
  const prefixes = words.filter((word) => prefixOf(word) !== undefined);
  return [
    ...(whole.length > 0 ? [{ [field]: { [operator]: whole.map(toToken) } }] : []),
    ...prefixes.map((word) => ({ [field]: toPrefixPattern(word) })),
  ];
}
