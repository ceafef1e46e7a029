/**
 * Finds the index of fields that are unique together whose values the terms of a predicate give.
 */
import type { BoundPredicate } from '../../../query/ast.ts';
import type { KeyValues } from '../../../query/unique-values.ts';
import { findKeyTerms, type KeyTerm } from '../../joined-keys.ts';
import { type FieldIndex, toJoinedValue } from '../indexes/field-indexes.ts';
import type { StoredType } from '../indexes/stored-types.ts';

/** The values to look up in the index. */
export interface JoinedKeys {
  readonly index: FieldIndex;
  /** One term for each field. */
  readonly terms: readonly BoundPredicate[];
  readonly values: readonly string[];
}

/** With more values, other terms narrow the search as well. */
const maxValues = 1_000;

/** Finds the first index whose fields all have values in the terms, which an `and` joins. */
export function findJoinedKeys(
  terms: readonly BoundPredicate[],
  { indexes }: StoredType,
): JoinedKeys | undefined {
  if (terms.length < 2) return undefined;
  for (const index of indexes.values()) {
    const found = index.paths.length > 1 ? findKeyTerms(terms, index.paths) : undefined;
    const count = found?.reduce((product, { values }) => product * values.length, 1) ?? 0;
    if (!found || count > maxValues) continue;
    return { index, terms: found.map(({ term }) => term), values: combine(found).map(toJoinedValue) };
  }
  return undefined;
}

const combine = (terms: readonly KeyTerm[]): KeyValues[] =>
  terms.reduce<KeyValues[]>(
    (known, { values }) => known.flatMap((one) => values.map((value) => [...one, value])),
    [[]],
  );
