/**
 * Reads filters: a nested filter is a way of writing paths, so `{ author: { name: { startsWith: "J" } } }` becomes the predicate
 * `author/name startsWith J`.
 *
 * A filter without conditions, such as one whose variables were all left out, vanishes together with what consists of such filters.
 * Of one item that has no fields predicates can say a single thing (`tags = a`), so a filter of such items has one condition;
 * alternatives are fine.
 */

import { invalidParameter, isDomainError } from '../../base/errors.ts';
import { memberOf } from '../../base/own-members.ts';
import { quote } from '../../base/problems.ts';
import type { Catalog, ContentType, Field } from '../../model/content-type.ts';
import {
  type FieldPath,
  findFieldPath,
  lastTargetsOf,
  type PathRoot,
  targetsOfPath,
} from '../../model/field-path.ts';
import type { BoundPredicate, Quantifier } from '../../query/ast.ts';
import {
  anyOf,
  buildComparison,
  buildItems,
  buildMissing,
  type ConversionTarget,
  convertValue,
  negate,
} from '../../query/build-comparison.ts';
import { predicateLimits } from '../../query/limits.ts';
import { allowsIgnoreCase, isEquality } from '../../query/operators.ts';
import {
  createFilterFields,
  type FilterOperator,
  type FilterProblem,
  type FilterTerm,
  FilterVariable,
  type FilterVariables,
  filterOperators,
  isFilteredByItems,
  joinAll,
  joinTerms,
  type Notice,
  type Reading,
  readOpen,
  report,
  resolve,
  type Scope,
  within,
} from './filter-types.ts';

/** What a filter says whatever a request gives for its variables. */
interface FilterInspection {
  readonly problems: readonly FilterProblem[];
  /** The classes that its paths go on to through references. */
  readonly targets: readonly string[];
  /** Whether a variable may stand for a filter, and so have any paths. */
  readonly isOpen: boolean;
}

/** Reads the filters of one catalog. */
export type FilterReader = ReturnType<typeof createFilterReader>;

export function createFilterReader(catalog: Catalog) {
  const fieldsOf = createFilterFields(catalog);
  const findPath = createPathFinder(catalog);

  const read = (type: ContentType, filter: unknown, notice: Notice) => {
    const whole = { at: [], depth: 0, ...beginAt(catalog.concrete(type), fieldsOf(type)) };
    return readObject({ catalog, fieldsOf, findPath, notice }, whole, filter);
  };

  return {
    /** Compiles a coerced filter of a type; `undefined` when it has no conditions. Errors: invalid_parameter `filter`. */
    bind: (type: ContentType, filter: unknown) =>
      read(type, filter, { problem: refuse, path() {}, open() {} })?.({}),
    /**
     * Compiles the literal of a filter once for all requests; `undefined` when each request has to be read for itself: a variable
     * stands for more than a value, or something is wrong.
     */
    compile(type: ContentType, filter: unknown) {
      let isReady = false;
      let isCompilable = true;
      const prevent = () => {
        isCompilable = false;
      };
      const problem = (found: FilterProblem) => (isReady ? refuse(found) : prevent());
      const term = read(type, filter, { problem, path() {}, open: prevent });
      isReady = true;
      return isCompilable ? (term ?? (() => undefined)) : undefined;
    },
    /** Finds everything wrong with a filter that may have variables. */
    inspect(type: ContentType, filter: unknown): FilterInspection {
      const problems: FilterProblem[] = [];
      const targets = new Set<string>();
      let isOpen = false;
      read(type, filter, {
        problem: (problem) => void problems.push(problem),
        path(path) {
          for (const target of targetsOfPath(path)) targets.add(target);
        },
        open(hasPaths) {
          isOpen ||= hasPaths;
        },
      });
      return { problems, targets: [...targets], isOpen };
    },
  };
}

function refuse({ at, reason }: FilterProblem): never {
  throw invalidParameter('filter', describeProblem({ at, reason }), at);
}

/** Writes a problem to follow the name of the argument or variable that has the filter. */
export const describeProblem = ({ at, reason }: FilterProblem): string =>
  at.length > 0 ? `is wrong at ${quote(at.join('.'))}: ${reason}` : reason;

/** Makes the scope in which paths begin at an asset or at an item of a list. */
const beginAt = (root: PathRoot, fields: Scope['fields']) =>
  ({ root, path: '', separator: '', fields, isItem: false }) as const;

/** Reads the filter of an asset or of an embedded value. */
function readObject(reading: Reading, scope: Scope, filter: unknown): FilterTerm | undefined {
  if (filter instanceof FilterVariable) return readOpen(reading, true);
  // GraphQL has checked the shape; the values of documents are made by `check-filter.ts`.
  const terms = Object.entries(filter as object).flatMap(
    ([name, member]) => readMember(reading, within(scope, name), { name, member }) ?? [],
  );
  return joinAll(reading, scope, terms);
}

interface Member {
  readonly name: string;
  readonly member: unknown;
}

function readMember(reading: Reading, scope: Scope, { name, member }: Member): FilterTerm | undefined {
  switch (name) {
    case 'and':
    case 'or':
    case 'not':
      return readJoined(reading, scope, { name, member });
    case '_id':
      return readComparisons(reading, { ...scope, path: pathTo(scope, name) }, { member, reference: scope });
    case '_type':
      return readComparisons(reading, { ...scope, path: pathTo(scope, name) }, { member });
    default:
      return readField(reading, scope, { name, member });
  }
}

const pathTo = ({ path, separator }: Scope, name: string) => `${path}${separator}${name}`;

function readJoined(reading: Reading, scope: Scope, { name, member }: Member): FilterTerm | undefined {
  if (member === null) return report(reading, scope, 'must not be null');
  const deeper = deepen(reading, scope);
  if (!deeper) return undefined;
  if (name === 'not') {
    if (scope.isItem) return report(reading, scope, 'cannot be said of one item of a list');
    const term = readObject(reading, deeper, member);
    return term && mapTerm(term, negate);
  }
  if (member instanceof FilterVariable) return readObject(reading, deeper, member);
  const items: readonly unknown[] = Array.isArray(member) ? member : [member];
  const terms = items.flatMap((item, index) => readObject(reading, within(deeper, index), item) ?? []);
  if (name === 'and') return joinAll(reading, scope, terms);
  // Of no alternatives none holds.
  if (items.length === 0) return () => anyOf([]);
  return terms.length > 0 ? joinTerms(terms, anyOf) : undefined;
}

function deepen(reading: Reading, scope: Scope): Scope | undefined {
  const { nesting } = predicateLimits;
  if (scope.depth < nesting) return { ...scope, depth: scope.depth + 1 };
  return report(reading, scope, `has more than ${nesting} levels of filters`);
}

function readField(reading: Reading, scope: Scope, { name, member }: Member): FilterTerm | undefined {
  const field = scope.fields.get(name);
  if (!field) throw new Error(`there is no filter for ${name}`);
  const here = { ...scope, path: pathTo(scope, field.name) };
  if (member === null) return readAbsence(reading, here);
  if (!isFilteredByItems(field)) return readValue(reading, here, { field, member });
  if (member instanceof FilterVariable) return readObject(reading, here, member);
  // GraphQL has checked that there is no other member.
  const quantified = Object.entries(member as object) as [Quantifier, unknown][];
  const terms = quantified.flatMap(
    ([quantifier, item]) =>
      readItems(reading, within(here, quantifier), { field, quantifier, member: item }) ?? [],
  );
  return joinAll(reading, here, terms);
}

/** Reads the filter of the items of a list. */
function readItems(
  reading: Reading,
  scope: Scope,
  { field, quantifier, member }: { field: Field; quantifier: Quantifier; member: unknown },
): FilterTerm | undefined {
  if (member === null) return report(reading, scope, 'must not be null');
  const { type } = field;
  const isReference = type.kind === 'reference';
  const isOfValue = !isReference && type.kind !== 'embedded';
  if (isOfValue || (isReference && quantifier !== 'every' && isOfReference(member))) {
    const term = readValue(reading, { ...scope, isItem: true }, { field, member });
    return term && quantifier === 'none' ? mapTerm(term, negate) : term;
  }
  const path = resolve(reading, isReference ? { ...scope, path: `${scope.path}/_id` } : scope);
  const deeper = path && deepen(reading, scope);
  if (!deeper) return undefined;
  const root = isReference ? lastTargetsOf(path) : type.type;
  const items = { ...deeper, ...beginAt(root, reading.fieldsOf(type)) };
  const term = readObject(reading, items, member);
  return term && mapTerm(term, (bound) => buildItems(path, quantifier, bound));
}

/** Whether a filter of referenced assets compares the ID in the reference alone, which is there without a target, too. */
function isOfReference(member: unknown): boolean {
  const [[name, ids] = [], ...others] = Object.entries(Object(member));
  const [[operator = ''] = [], ...further] = Object.entries(Object(ids));
  return name === '_id' && ['eq', 'in'].includes(operator) && others.length + further.length === 0;
}

/** Changes a condition that does not vanish. */
const mapTerm =
  (term: FilterTerm, change: (bound: BoundPredicate) => BoundPredicate): FilterTerm =>
  (variables) => {
    const bound = term(variables);
    return bound && change(bound);
  };

/** Reads that a field is absent. */
function readAbsence(reading: Reading, scope: Scope): FilterTerm | undefined {
  if (scope.isItem) return report(reading, scope, 'must not be null in a filter of the items of a list');
  const path = resolve(reading, scope);
  const missing = path && buildMissing(path);
  return missing && (() => missing);
}

/** Reads the filter of a single value. */
function readValue(
  reading: Reading,
  scope: Scope,
  { field: { type }, member }: { field: Field; member: unknown },
): FilterTerm | undefined {
  if (type.kind !== 'embedded' && type.kind !== 'reference')
    return readComparisons(reading, scope, { member });
  const separator = type.kind === 'embedded' ? '.' : '/';
  return readObject(reading, { ...scope, separator, fields: reading.fieldsOf(type) }, member);
}

/** Reads the comparisons of one value; `reference` is what the filter of `_id` belongs to. */
function readComparisons(
  reading: Reading,
  scope: Scope,
  { member, reference }: { member: unknown; reference?: Scope },
): FilterTerm | undefined {
  if (member === null)
    return readComparisons(reading, scope, { member: { eq: null }, ...(reference && { reference }) });
  if (member instanceof FilterVariable) return resolve(reading, scope) && readOpen(reading, false);
  // As in `readObject`.
  const { ignoreCase = false, ...members } = member as Readonly<Record<string, unknown>>;
  if (ignoreCase instanceof FilterVariable) reading.notice.open(false);
  if (ignoreCase === null) report(reading, within(scope, 'ignoreCase'), 'must not be null');
  const terms = Object.entries(members).flatMap(([name, value]) => {
    const comparison = filterOperators.get(name);
    if (!comparison) throw new Error(`there is no comparison ${name}`);
    // A reference is its target's ID, also when there is no target.
    const isReference = reference?.separator === '/';
    const at = { ...within(scope, name), path: isReference ? reference.path : scope.path };
    return readComparison(reading, at, { ...comparison, value, ignoreCase: ignoreCase === true }) ?? [];
  });
  return joinAll(reading, scope, terms);
}

/** A comparison with a field; `target` is what values are converted for. */
interface Comparison extends FilterOperator {
  readonly target: ConversionTarget;
}

function readComparison(
  reading: Reading,
  scope: Scope,
  {
    value,
    ignoreCase,
    ...operator
  }: FilterOperator & { readonly value: unknown; readonly ignoreCase: boolean },
): FilterTerm | undefined {
  if (ignoreCase && !allowsIgnoreCase(operator.operator)) {
    return report(reading, scope, 'cannot be combined with ignoreCase');
  }
  const path = resolve(reading, scope);
  if (!path) return undefined;
  const { leaf } = lastOf(path);
  const target: ConversionTarget = {
    catalog: reading.catalog,
    path,
    // By order and by its parts, the ID that a reference has is compared as the `_id` of its target.
    leaf: leaf.kind === 'reference' && !isEquality(operator.operator) ? { kind: 'id' } : leaf,
    operator: operator.operator,
    ignoreCase,
  };
  const comparison = { ...operator, target };
  if (!hasVariable(value)) {
    const compared = compare(reading, scope, { comparison, value });
    return () => compared;
  }
  if (scope.isItem && operator.operator === 'notEquals') return report(reading, scope, notOfItems);
  return (variables) => {
    const given = fill(value, variables);
    return given === undefined ? undefined : compare(reading, scope, { comparison, value: given });
  };
}

const hasVariable = (value: unknown): boolean =>
  value instanceof FilterVariable || (Array.isArray(value) && value.some(hasVariable));

function fill(value: unknown, variables: FilterVariables): unknown {
  if (Array.isArray(value)) return value.map((item) => fill(item, variables));
  return value instanceof FilterVariable ? memberOf(variables, value.name) : value;
}

function compare(
  reading: Reading,
  scope: Scope,
  { comparison, value }: { comparison: Comparison; value: unknown },
): BoundPredicate | undefined {
  const refusal = findRefusal(scope, comparison, value);
  if (refusal) return report(reading, scope, refusal);
  const { target } = comparison;
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  try {
    return buildComparison(
      target,
      values.map((each) => convertValue(target, { value: asGiven(target, each), column: 1, literal: false })),
    );
  } catch (error) {
    if (!isDomainError(error, 'predicate_type')) throw error;
    return report(reading, scope, error.details.expected);
  }
}

const notOfItems = 'cannot be said of one item of a list';

/** Finds why a value cannot be compared, whatever the type of its field. */
function findRefusal({ isItem }: Scope, { target, takes }: Comparison, value: unknown): string | undefined {
  const { operator, path } = target;
  if (value === null && (takes !== 'value' || !isEquality(operator))) return 'must not be null';
  if (!isItem) return undefined;
  if (operator === 'notEquals' && value !== null) return notOfItems;
  // An item is there, and a list without items counts as a value.
  const isAbsence = value === null && (operator === 'equals' || lastOf(path).steps.at(-1)?.list);
  return isAbsence ? 'must not be null in a filter of the items of a list' : undefined;
}

const lastOf = (path: FieldPath): FieldPath => (path.through ? lastOf(path.through.path) : path);

/** GraphQL takes a number for an ID; the literals of documents are not coerced. */
const asGiven = ({ leaf }: ConversionTarget, value: unknown) =>
  leaf.kind === 'scalar' && leaf.scalar === 'ID' && typeof value === 'number' ? String(value) : value;

/** The most paths that are kept resolved; a request chooses its paths. */
const maxPaths = 2_000;

function createPathFinder(catalog: Catalog): Reading['findPath'] {
  const paths = new Map<string, FieldPath | string>();
  return (root: PathRoot, text: string) => {
    const key = `${'fields' in root ? `.${root.name}` : root}\n${text}`;
    const known = paths.get(key);
    if (known !== undefined) return known;
    const path = findExcess(text) ?? findFieldPath(catalog, root, text);
    if (paths.size >= maxPaths) paths.clear();
    paths.set(key, path);
    return path;
  };
}

function findExcess(path: string): string | undefined {
  const { pathNames, pathReferences } = predicateLimits;
  if (path.split('/').length - 1 > pathReferences)
    return `has more than ${pathReferences} references in a path`;
  return path.split(/[./]/).length > pathNames ? `has more than ${pathNames} names in a path` : undefined;
}
