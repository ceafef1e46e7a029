/**
 * Compiles a bound predicate to a MongoDB filter of plain query operators, which can use indexes.
 *
 * As `query/evaluate.ts` requires, a query operator matches a list when it matches any item, and `$nor` matches an absent value.
 * A path through references is followed from its end: the targets are found first, and the reference is compared with their ids.
 * Words and order keys are stored apart from the items of lists, so conditions on items that need them are tested by the evaluator.
 */

import { invalidParameter } from '../../../base/errors.ts';
import type { FieldPath, PathStep } from '../../../model/field-path.ts';
import type { BoundAny, BoundPredicate, ValueComparison } from '../../../query/ast.ts';
import { allOf, anyOf, buildAny, negate } from '../../../query/build-comparison.ts';
import { type OrderOperator, type PartOperator, textOrderOf } from '../../../query/operators.ts';
import { caseVariants, prefixOf } from '../../../query/text.ts';
import { necessaryCondition } from '../../necessary-condition.ts';
import { toToken } from '../../word-tokens.ts';
import { own, toPath, toPresencePath, toValuePath, toWordsPath } from '../documents/document-path.ts';
import { itemStart } from '../indexes/word-index.ts';

/** A condition on documents. */
export type Filter = Readonly<Record<string, unknown>>;

/** Finds the ids of the assets of some classes that a filter, and a predicate which is tested on each of them, match. */
export type FindIds = (
  classes: readonly string[],
  filter: Filter,
  tested?: BoundPredicate,
) => Promise<readonly string[]>;

/** The classes that a predicate is for, and those of all classes whose words are being made anew. */
interface SearchScope {
  readonly classes: readonly string[];
  readonly older: ReadonlySet<string>;
}

/** Compiles a predicate. Errors: invalid_parameter when a string is too long to search for; those of `findIds`. */
export async function compilePredicate(
  predicate: BoundPredicate,
  findIds: FindIds,
  scope: SearchScope,
): Promise<Filter> {
  switch (predicate.kind) {
    case 'constant':
      return predicate.value ? {} : { _id: { $in: [] } };
    case 'and':
      return {
        $and: await Promise.all(predicate.terms.map((term) => compilePredicate(term, findIds, scope))),
      };
    case 'or':
      return {
        $or: await Promise.all(predicate.terms.map((term) => compilePredicate(term, findIds, scope))),
      };
    case 'not':
      if (predicate.term.kind === 'missing')
        return { [toPresencePath(predicate.term.path)]: { $exists: true } };
      return { $nor: [await compilePredicate(predicate.term, findIds, scope)] };
    case 'any':
      return compileAny(predicate, findIds, scope);
    case 'missing':
      return { [toPresencePath(predicate.path)]: { $exists: false } };
    case 'empty':
      return { [toPath(predicate.path)]: { $size: 0 } };
    default:
      return compileComparison(predicate, findIds, scope);
  }
}

async function compileAny(any: BoundAny, findIds: FindIds, scope: SearchScope): Promise<Filter> {
  const { path, targets, where } = any;
  if (targets) return { [toValuePath(path)]: { $in: await findTargets(any, findIds, scope) } };
  if (needsTest(where)) {
    const tested = await withoutReferences(any, findIds, scope);
    const necessary = tested.kind === 'any' ? necessaryCondition(tested) : tested;
    const ids = await findIds(scope.classes, await compilePredicate(necessary, findIds, scope), tested);
    return { _id: { $in: ids } };
  }
  const wanted = await compilePredicate(where, findIds, scope);
  return inItems(path.steps, wanted);
}

/** Compiles a condition on the items of nested lists. */
function inItems(steps: readonly PathStep[], wanted: Filter): Filter {
  const end = steps.findIndex(({ list }) => list) + 1;
  if (end === 0) return wanted;
  const inner = inItems(steps.slice(end), wanted);
  // A condition without fields may also be about items that are no embedded values, and not every server accepts `$or` in it.
  const ofFields = Object.keys(inner).some((name) => !name.startsWith('$'))
    ? inner
    : { ...anyFields, ...inner };
  return { [toPath({ steps: steps.slice(0, end) })]: { $elemMatch: ofFields } };
}

/** Holds for every embedded value. */
const anyFields: Filter = { [own.absent]: { $exists: false } };

/** Whether a condition on items compares words or order keys, which the items do not have. */
function needsTest(where: BoundPredicate): boolean {
  switch (where.kind) {
    case 'constant':
    case 'missing':
    case 'empty':
      return false;
    case 'and':
    case 'or':
      return where.terms.some(needsTest);
    case 'not':
      return needsTest(where.term);
    case 'any':
      return !where.targets && needsTest(where.where);
    default:
      return where.kind === 'words' || textOrderOf(where.path.leaf) !== undefined;
  }
}

/** Replaces conditions on referenced assets by comparisons of the references with those that match. */
async function withoutReferences(
  term: BoundPredicate,
  findIds: FindIds,
  scope: SearchScope,
): Promise<BoundPredicate> {
  switch (term.kind) {
    case 'and':
    case 'or': {
      const terms = await Promise.all(term.terms.map((each) => withoutReferences(each, findIds, scope)));
      return term.kind === 'and' ? allOf(terms) : anyOf(terms);
    }
    case 'not':
      return negate(await withoutReferences(term.term, findIds, scope));
    case 'any': {
      if (!term.targets)
        return buildAny({ ...term, where: await withoutReferences(term.where, findIds, scope) });
      const values = await findTargets(term, findIds, scope);
      return values.length === 0 ? anyOf([]) : { kind: 'equals', path: term.path, values, ignoreCase: false };
    }
    default:
      return term;
  }
}

async function compileComparison(
  comparison: ValueComparison,
  findIds: FindIds,
  scope: SearchScope,
): Promise<Filter> {
  const older = comparison.kind === 'words' ? scope.classes.filter((name) => scope.older.has(name)) : [];
  if (older.length === 0) return compareValues(comparison);
  const ids = await findIds(older, {}, comparison);
  return { $or: [{ $and: [{ _type: { $nin: older } }, compareValues(comparison)] }, { _id: { $in: ids } }] };
}

/** Finds the referenced assets that match. */
async function findTargets(
  { targets = [], where }: BoundAny,
  findIds: FindIds,
  { older }: SearchScope,
): Promise<readonly string[]> {
  return findIds(targets, await compilePredicate(where, findIds, { classes: targets, older }));
}

function compareValues(comparison: ValueComparison): Filter {
  const path = toValuePath(comparison.path);
  switch (comparison.kind) {
    case 'equals': {
      const { values, ignoreCase } = comparison;
      if (!ignoreCase) return { [path]: values.length === 1 ? values[0] : { $in: values } };
      const texts = values.filter((value) => typeof value === 'string');
      return oneOf(texts.map((text) => searchText(path, { text, place: 'whole', ignoreCase })));
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
function oneOf(filters: readonly Filter[]): Filter {
  const [first = {}] = filters;
  return filters.length === 1 ? first : { $or: filters };
}

type WordComparison = Extract<ValueComparison, { kind: 'words' }>;

/** Compiles a comparison of a field of the asset itself. */
function searchWords({ path, words, all }: WordComparison): Readonly<Record<string, unknown>> {
  const field = toWordsPath(path);
  const isAll = all && words.length > 1;
  const listed = isAll ? hasAll(path, words) : hasAny(field, words);
  return { $or: [listed, { [field]: toWordPattern(words, { all: isAll }) }] };
}

/** Compiles a search for any of some words among the listed words of a path. */
const hasAny = (field: string, words: readonly string[]): Filter =>
  oneOf(listConditions(field, '$in', words));

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
  // Not every server accepts a condition on items that begins with `$and`.
  return { [toWordsPath({ steps: outer })]: { $elemMatch: { [rest]: { $exists: true }, ...hasEach(rest) } } };
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

// Regular expressions for comparisons of strings, in a syntax that PCRE and other engines read alike.
//
// To ignore case, a pattern lists every variant of a character, since a database's own case-insensitive option depends on its
// version and locale. With the option `s`, `.` also matches a line break, so that `(?!.)` matches only the very end; `$` would
// also match before a final line break.

/** A pattern as a query operator. */
interface Pattern {
  readonly $regex: string;
  readonly $options: 's';
}

/** The string to search for, where it must occur, and whether case matters. */
interface TextSearch {
  readonly text: string;
  readonly place: 'whole' | PartOperator;
  readonly ignoreCase: boolean;
}

/** MongoDB refuses patterns of more than 16,384 bytes. */
const maxPatternBytes = 16_000;

/** Compiles a search to a pattern. Errors: invalid_parameter when the string is too long to search for. */
function toTextPattern({ text, place, ignoreCase }: TextSearch): Pattern {
  const source = ignoreCase ? Array.from(text, anyCase).join('') : quote(text);
  return toPattern(placed[place](source));
}

/** The pattern of a whole text, or of one that has the source as a part. */
const placed: Readonly<Record<TextSearch['place'], (source: string) => string>> = {
  whole: (source) => `^${source}(?!.)`,
  startsWith: (source) => `^${source}`,
  contains: (source) => source,
};

/**
 * Returns the pattern for the strings of words of `word-index.ts` that contain any, or all, of some words. It names the start of
 * these strings, so that an index finds them among listed words.
 */
function toWordPattern(words: readonly string[], { all, start = '' }: WordSearch): Pattern {
  const ends = words.map((word) => prefixOf(word) ?? `${word} `);
  const searched = all ? ends.map((end) => `(?=(?:.* )?${end})`).join('') : `(?:.* )?(?:${ends.join('|')})`;
  return toPattern(`^${start} ${searched}`);
}

/** Returns the pattern for listed words that begin with a searched word. */
const toPrefixPattern = (word: string): Pattern => toPattern(`^${prefixOf(word)}`);

interface WordSearch {
  readonly all: boolean;
  /** What precedes the words. */
  readonly start?: string;
}

function toPattern(source: string): Pattern {
  if (Buffer.byteLength(source) > maxPatternBytes) {
    throw invalidParameter('where', 'compares with a string too long to be searched for');
  }
  return { $regex: source, $options: 's' };
}

function anyCase(character: string): string {
  const variants = caseVariants(character);
  return variants.length > 1 ? `[${variants.join('')}]` : quote(character);
}

const quote = (text: string) => text.replace(/[\\^$.|?*+()[\]{}/-]/g, '\\$&');
