/**
 * The part of the store port that counts the values of fields.
 */
import type { FieldPath } from '../model/field-path.ts';
import type { BoundPredicate } from '../query/ast.ts';
import type { FacetValue } from '../query/facets.ts';
import type { ReadCaller } from './read-caller.ts';

/** The fields to count the values of, and the assets among which to count. */
export interface FacetRequest extends ReadCaller {
  /** Class names of concrete content types; one at least. */
  readonly types: readonly string[];
  /** Absent means all. */
  readonly where?: BoundPredicate;
  /** Paths that the catalog has an index of in each type. */
  readonly paths: readonly FieldPath[];
  /** The most values of each field. */
  readonly limit: number;
}

/** The values of each requested field, in the order that `query/facets.ts` defines. Texts are cut at 2,001 characters. */
export type FoundFacets = readonly (readonly FacetValue[])[];
