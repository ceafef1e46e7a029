/**
 * Reads filters: a nested filter is a way of writing paths, so `{ author: { name: { startsWith: "J" } } }` becomes the predicate
 * `author/name startsWith J`.
 *
 * A filter without conditions, such as one whose variables were all left out, vanishes together with what consists of such filters.
 * Of one item that has no fields predicates can say a single thing (`tags = a`), so a filter of such items has one condition;
 * alternatives are fine.
 */
import { invalidParameter } from '../../base/errors.ts';
import { quote } from '../../base/problems.ts';
import type { Catalog, ContentType, Field } from '../../model/content-type.ts';
import { lastTargetsOf, type PathRoot, targetsOfPath } from '../../model/field-path.ts';
import type { BoundPredicate, Quantifier } from '../../query/ast.ts';
import { anyOf, buildItems, buildMissing, negate } from '../../query/build-comparison.ts';
import { predicateLimits } from '../../query/limits.ts';
import { createPathFinder } from './filter-paths.ts';
import {
  type FilterProblem,
  type FilterTerm,
  FilterVariable,
  joinAll,
  joinTerms,
  type Notice,
  type Reading,
  readOpen,
  report,
  resolve,
  type Scope,
  within,
} from './filter-scope.ts';
import { createFilterFields, isFilteredByItems } from './filter-types.ts';
import { readComparisons } from './read-comparisons.ts';

/** What a filter says whatever a request gives for its variables. */
export interface FilterInspection {
  readonly problems: readonly FilterProblem[];
  /** The classes that its paths go on to through references. */
  readonly targets: readonly string[];
  /** Whether a variable may stand for a filter, and so have any paths. */
  readonly isOpen: boolean;
}

/** Reads the filters of one catalog. */
export interface FilterReader {
  /** Compiles a coerced filter of a type; `undefined` when it has no conditions. Errors: invalid_parameter `filter`. */
  bind(type: ContentType, filter: unknown): BoundPredicate | undefined;
  /**
   * Compiles the literal of a filter once for all requests; `undefined` when each request has to be read for itself: a variable
   * stands for more than a value, or something is wrong.
   */
  compile(type: ContentType, filter: unknown): FilterTerm | undefined;
  /** Finds everything wrong with a filter that may have variables. */
  inspect(type: ContentType, filter: unknown): FilterInspection;
}

/** Creates the reader. */
export function createFilterReader(catalog: Catalog): FilterReader {
  const fieldsOf = createFilterFields(catalog);
  const findPath = createPathFinder(catalog);

  const read = (type: ContentType, filter: unknown, notice: Notice) => {
    const whole = { at: [], depth: 0, ...beginAt(catalog.concrete(type), fieldsOf(type)) };
    return readObject({ catalog, fieldsOf, findPath, notice }, whole, filter);
  };

  return {
    bind: (type, filter) => read(type, filter, { problem: refuse, path() {}, open() {} })?.({}),
    compile(type, filter) {
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
    inspect(type, filter) {
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
