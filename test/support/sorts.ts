/** Generators of sort keys that are valid for the given classes. */
import fc from 'fast-check';
import type { Catalog, Field } from '../../src/model/content-type.ts';
import { findFieldPath } from '../../src/model/field-path.ts';
import type { SortKey } from '../../src/query/sort.ts';

/** Generates up to four sort keys: fields that all the classes share, also inside embedded values. */
export function arbitrarySort(request: {
  catalog: Catalog;
  classes: readonly string[];
}): fc.Arbitrary<SortKey[]> {
  const { catalog, classes } = request;
  const names = classes.flatMap((name) => sortableNames(catalog.types.get(name)?.fields, 0));
  const common = [...new Set(names)].filter(
    (name) => typeof findFieldPath(catalog, classes, name) !== 'string',
  );
  const key = fc.record({ field: fc.constantFrom('_id', '_type', ...common), descending: fc.boolean() });
  return fc.uniqueArray(key, { maxLength: 4, selector: ({ field }) => field });
}

function sortableNames(fields: ReadonlyMap<string, Field> | undefined, depth: number): string[] {
  return [...(fields?.values() ?? [])].flatMap(({ name, type, list }) => {
    if (list || (type.kind === 'scalar' && type.scalar === 'JSON')) return [];
    if (type.kind !== 'embedded') return [name];
    return depth < 2 ? sortableNames(type.type.fields, depth + 1).map((inner) => `${name}.${inner}`) : [];
  });
}
