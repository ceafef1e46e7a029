/**
 * Tells which comparisons and orders MongoDB finds in the indexes that the catalog asks for.
 */
import type { Catalog, ContentType } from '../../../model/content-type.ts';
import { type FieldPath, indexedPaths, joinedKeys, searchablePaths } from '../../../model/field-path.ts';
import { findKeyTerms } from '../../joined-keys.ts';
import { matchInOrder } from '../../ordered-matches.ts';
import type { IndexLookup } from '../../unindexed-path.ts';

/** Creates the lookup for the types of a catalog. No index finds the words of the classes in `older`. */
export function createIndexLookup(catalog: Catalog, older: ReadonlySet<string> = new Set()): IndexLookup {
  const types = [...catalog.types.values()];
  const indexed = byClass(types, (fields) => indexedPaths(fields).map(({ path }) => path));
  // A unique index leaves out the assets without a value.
  const ordered = byClass(types, (fields) =>
    indexedPaths(fields).flatMap(({ path, unique }) => (unique ? [] : [path])),
  );
  const keys = new Map(types.map((type) => [type.class, joinedKeys(type)]));
  const searchable = byClass(types, searchablePaths);
  return {
    orders: ordered,
    joins: (terms, className) =>
      keys.get(className)?.some((paths) => findKeyTerms(terms, paths) !== undefined) === true,
    serves: (comparison, className) =>
      comparison.kind === 'words'
        ? !older.has(className) && searchable(comparison.path, className)
        : matchInOrder(comparison) && indexed(comparison.path, className),
  };
}

/** Returns a test of whether a path is among those of a type. */
function byClass(types: readonly ContentType[], pathsOf: (fields: ContentType['fields']) => FieldPath[]) {
  const found = new Map(
    types.map(({ class: name, fields }) => [name, new Set(pathsOf(fields).map(({ text }) => text))]),
  );
  return (path: FieldPath, className: string) => found.get(className)?.has(path.text) === true;
}
