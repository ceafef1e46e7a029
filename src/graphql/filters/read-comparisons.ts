/**
 * Reads the comparisons of one value in a filter, such as `{ ge: 1, lt: 10 }`.
 */
import { isDomainError } from '../../base/errors.ts';
import type { FieldPath } from '../../model/field-path.ts';
import type { BoundPredicate } from '../../query/ast.ts';
import { buildComparison } from '../../query/build-comparison.ts';
import { type ConversionTarget, type Converted, convertValue } from '../../query/convert-value.ts';
import { predicateLimits } from '../../query/limits.ts';
import { isEquality, isOrdering } from '../../query/operators.ts';
import {
  anything,
  joinAll,
  openValue,
  type Reading,
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
): BoundPredicate | undefined {
  if (member === null)
    return readComparisons(reading, scope, { member: { eq: null }, ...(reference && { reference }) });
  if (member === openValue) return resolve(reading, scope) && anything;
  // As in `readObject`.
  const { ignoreCase = false, ...members } = member as Readonly<Record<string, unknown>>;
  if (ignoreCase === null) report(reading, within(scope, 'ignoreCase'), 'must not be null');
  const terms = Object.entries(members).flatMap(([name, value]) => {
    const comparison = filterOperators.get(name);
    if (!comparison) throw new Error(`there is no comparison ${name}`);
    // A reference is its target's ID, also when there is no target.
    const isReference = reference?.separator === '/' && isEquality(comparison.operator);
    const at = { ...within(scope, name), path: isReference ? reference.path : scope.path };
    return readComparison(reading, at, { ...comparison, value, ignoreCase: ignoreCase === true }) ?? [];
  });
  return joinAll(reading, scope, terms);
}

interface Comparison extends FilterOperator {
  readonly value: unknown;
  readonly ignoreCase: boolean;
}

function readComparison(reading: Reading, scope: Scope, comparison: Comparison): BoundPredicate | undefined {
  const { operator, value, ignoreCase } = comparison;
  if (ignoreCase && isOrdering(operator)) return report(reading, scope, 'cannot be combined with ignoreCase');
  const path = resolve(reading, scope);
  if (!path) return undefined;
  const refusal = findRefusal(scope, path, comparison);
  if (refusal) return report(reading, scope, refusal);
  const target = { catalog: reading.catalog, path, leaf: lastOf(path).leaf, operator, ignoreCase };
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  reading.operands += values.length;
  if (reading.operands > predicateLimits.operands)
    return report(reading, scope, `has more than ${predicateLimits.operands} values`);
  const converted = values.flatMap((each) => convert(reading, scope, { target, value: each }));
  return value === openValue ? anything : buildComparison(target, converted);
}

const lastOf = (path: FieldPath): FieldPath => (path.through ? lastOf(path.through.path) : path);

/** Finds why a comparison cannot be made, whatever its field. */
function findRefusal({ isItem }: Scope, path: FieldPath, comparison: Comparison): string | undefined {
  const { operator, takes, value } = comparison;
  if (value === null && (takes !== 'value' || !isEquality(operator))) return 'must not be null';
  if (!isItem) return undefined;
  if (operator === 'notEquals' && value !== null && value !== openValue)
    return 'cannot be said of one item of a list';
  // An item is there, and a list without items counts as a value.
  const isAbsence = value === null && (operator === 'equals' || lastOf(path).steps.at(-1)?.list);
  return isAbsence ? 'must not be null in a filter of the items of a list' : undefined;
}

function convert(
  reading: Reading,
  scope: Scope,
  { target, value }: { target: ConversionTarget; value: unknown },
): readonly Converted[] {
  if (value === openValue) return [];
  try {
    return [convertValue(target, { value: asGiven(target, value), column: 1, literal: false })];
  } catch (error) {
    if (!isDomainError(error, 'predicate_type')) throw error;
    report(reading, scope, error.details.expected);
    return [];
  }
}

/** GraphQL takes a number for an ID; the values of a document are not coerced. */
const asGiven = ({ leaf }: ConversionTarget, value: unknown) =>
  leaf.kind === 'scalar' && leaf.scalar === 'ID' && typeof value === 'number' ? String(value) : value;
