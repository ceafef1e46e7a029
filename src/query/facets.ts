/**
 * Facets: how many of the matching assets have each value of a field. Every store counts as `findValues` finds values.
 *
 * An asset counts once for each of its values, however often a list has the value. Absent values, and those of another type than the
 * field's, are not counted. The most frequent values come first, and among equally frequent ones the least.
 */
import { invalidParameter } from '../base/errors.ts';
import type { Catalog } from '../model/content-type.ts';
import { type FieldPath, findFieldPath, indexedPaths } from '../model/field-path.ts';
import type { BoundValue } from './ast.ts';

/** A value of a field, and how many assets have it. */
export interface FacetValue {
  readonly value: BoundValue;
  readonly count: number;
}

/** How many fields one query may count, and how many values of each are returned. */
export const facetLimits = { paths: 5, values: 100 } as const;

/**
 * Resolves the fields to count values of, for assets of the given classes.
 *
 * Errors: invalid_parameter `facets` (more than 5 fields, a field given twice or unknown, one without an index).
 */
export function bindFacets(
  catalog: Catalog,
  classes: readonly string[],
  names: readonly string[],
): readonly FieldPath[] {
  if (names.length > facetLimits.paths) {
    throw invalidParameter('facets', `has ${names.length} fields; at most ${facetLimits.paths} are allowed`);
  }
  const twice = names.find((name, n) => names.indexOf(name) < n);
  if (twice !== undefined) throw notCountable(twice, 'it is given twice');
  return names.map((name) => {
    if (name.includes('/')) throw notCountable(name, 'it goes through a reference');
    const path = findFieldPath(catalog, classes, name, { followsReferences: false });
    if (typeof path === 'string') throw notCountable(name, path);
    const without = classes.find((each) => !isIndexed(catalog, each, path));
    if (without !== undefined) throw notCountable(name, `it has no index in ${without}`);
    return path;
  });
}

function isIndexed(catalog: Catalog, className: string, { text }: FieldPath): boolean {
  const type = catalog.types.get(className);
  return type !== undefined && indexedPaths(type.fields).some(({ path }) => path.text === text);
}

const notCountable = (name: string, reason: string) =>
  invalidParameter('facets', `cannot count the values of ${JSON.stringify(name)}: ${reason}`);
