/**
 * Finds the terms of a predicate that together give the values of fields that are unique together, which one index finds.
 */
import type { FieldPath, KeyPaths } from '../model/field-path.ts';
import type { BoundPredicate } from '../query/ast.ts';
import { isOptionalInKey, type KeyValues } from '../query/unique-values.ts';

/** A term that gives values to one field of a key. */
export interface KeyTerm {
  readonly term: BoundPredicate;
  readonly values: KeyValues;
}

/** Finds a term for each field of a key among those that an `and` joins; `undefined` if one has none. */
export function findKeyTerms(
  terms: readonly BoundPredicate[],
  paths: KeyPaths,
): readonly KeyTerm[] | undefined {
  const found = paths.flatMap((path) => findTerm(terms, path, isOptionalInKey(paths, path)) ?? []);
  return found.length === paths.length ? found : undefined;
}

function findTerm(
  terms: readonly BoundPredicate[],
  path: FieldPath,
  isOptional: boolean,
): KeyTerm | undefined {
  for (const term of terms) {
    if (!('path' in term) || term.path.text !== path.text) continue;
    if (term.kind === 'equals' && !term.ignoreCase) return { term, values: term.values };
    if (term.kind === 'missing' && isOptional) return { term, values: [undefined] };
  }
  return undefined;
}
