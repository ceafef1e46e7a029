/**
 * Reads the comparisons of one value in a filter, such as `{ ge: 1, lt: 10 }`.
 */
import { isDomainError } from '../../base/errors.ts';
import { memberOf } from '../../base/own-members.ts';
import type { FieldPath } from '../../model/field-path.ts';
import type { BoundPredicate } from '../../query/ast.ts';
import { buildComparison } from '../../query/build-comparison.ts';
import { type ConversionTarget, convertValue } from '../../query/convert-value.ts';
import { isEquality, isOrdering } from '../../query/operators.ts';
import {
  type FilterTerm,
  FilterVariable,
  type FilterVariables,
  joinAll,
  type Reading,
  readOpen,
  report,
  resolve,
  type Scope,
  within,
} from './filter-scope.ts';
import { type FilterOperator, filterOperators } from './filter-types.ts';

/** Reads the comparisons of one value; `reference` is what the filter of `_id` belongs to. */
export function readComparisons(
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
  if (ignoreCase && isOrdering(operator.operator)) {
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
