/**
 * Finds out how the names of a catalog differ from those in a store.
 *
 * The record of the store tells, except where `@was` was added after the store was first opened with the new name: then the values
 * under both names are counted.
 */
import { badConfig, type Problem } from '../../base/errors.ts';
import type { Catalog } from '../../model/content-type.ts';
import type { FieldPath } from '../../model/field-path.ts';
import type { ContentStore } from '../port.ts';
import type { AmbiguousField } from './choose-names.ts';
import { type RecordedNames, uniteFields } from './recorded-names.ts';
import { createRenames, type Renames } from './renames.ts';

/** Opens the store itself, to read it. */
export type OpenToRead = (catalog: Catalog) => Promise<ContentStore>;

/**
 * Builds the renames of a catalog for a store with this record.
 *
 * Errors: those of `open`; bad_config when two fields would be stored under one name, or when a field has values under several.
 */
export async function findRenames(
  catalog: Catalog,
  { names, open }: { names: RecordedNames; open: OpenToRead },
): Promise<Renames> {
  const renames = createRenames(catalog, names);
  if (renames.ambiguous.length === 0) return renames;
  const store = await open(renames.stored);
  try {
    const united = await uniteAmbiguous(store, renames, names);
    // A field whose values are now found may have further ones inside.
    return await findRenames(catalog, { names: united, open });
  } finally {
    await store.close();
  }
}

/** Returns the record after each field with several recorded paths is stored under the only name that has values, or else under its former one. */
async function uniteAmbiguous(
  store: ContentStore,
  renames: Renames,
  names: RecordedNames,
): Promise<RecordedNames> {
  const problems: Problem[] = [];
  let united = names;
  for (const one of renames.ambiguous) {
    const { type, paths, fields } = one;
    const counts = await Promise.all(fields.map((path) => countValues(store, type, path)));
    const used = paths.filter((_, n) => counts[n] !== 0);
    if (used.length > 1) problems.push({ path: labelOf(renames, one), message: describe(one, counts) });
    const kept = used[0] ?? paths[1] ?? paths[0];
    if (kept !== undefined) united = uniteFields(united, { type, fields: paths, kept });
  }
  if (problems.length > 0) throw badConfig(problems);
  return united;
}

async function countValues(store: ContentStore, type: string, path: FieldPath): Promise<number> {
  const where = { kind: 'not', term: { kind: 'missing', path } } as const;
  const { count = 0 } = await store.find({ types: [type], where, offset: 0, limit: 0, withCount: true });
  return count;
}

const labelOf = ({ toPresentClass }: Renames, { type, field }: AmbiguousField) =>
  `${toPresentClass(type)} ${field.name}`;

function describe({ fields, field }: AmbiguousField, counts: readonly number[]): string {
  const found = fields.map(({ text }, n) => `${counts[n]} assets have a value under ${JSON.stringify(text)}`);
  return `has values under several of its names: ${found.join(', ')}. Move them to one, or leave out @was of ${JSON.stringify(field.name)}`;
}
