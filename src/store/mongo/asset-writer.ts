/**
 * The writes: each is one operation on one document, so that it is whole or not at all without a transaction.
 *
 * MongoDB says that a unique value was repeated; which one is looked up afterwards.
 */
import { idInUse, invalidBody, preconditionFailed, storeBusy, valueInUse } from '../../base/errors.ts';
import type { Catalog, ContentType } from '../../model/content-type.ts';
import type { AssetDeletion, AssetPatch, StoredAsset } from '../port.ts';
import type { Database } from './database.ts';
import { fromDocument, toDocument, toUpdate } from './document.ts';
import { toFieldIndexes } from './field-indexes.ts';
import { isDuplicate } from './map-error.ts';
import { depthOf, getNested, type NestedObject, setNested } from './nested-names.ts';

/** The writing half of the store, as the port has it; errors are the driver's, the conflicts, and invalid_body. */
export interface AssetWriter {
  insert(stored: StoredAsset): Promise<void>;
  patch(patch: AssetPatch): Promise<StoredAsset | undefined>;
  delete(deletion: AssetDeletion): Promise<boolean>;
}

/** Creates the writing half over an open database. */
export function createAssetWriter({ assets, types }: Database, catalog: Catalog): AssetWriter {
  const uniqueFields = new Map(
    [...catalog.types.values()].map((type) => [
      type.class,
      toFieldIndexes(type).filter(({ unique }) => unique),
    ]),
  );

  async function insert(stored: StoredAsset): Promise<void> {
    const { _id, _type } = stored.asset;
    const document = toDocument(stored, getType(catalog, _type));
    assertDepth(document);
    await explainConflict({
      write: () => assets.insertOne(document),
      // An asset's own identifier comes first: a write that is tried again repeats all its values.
      explain: async () =>
        (await assets.findOne({ _id }, { projection: { _id: 1 } }))
          ? idInUse(_id)
          : findRepeated({ _id, _type, values: document }),
    });
  }

  async function patch(request: AssetPatch): Promise<StoredAsset | undefined> {
    const { id: _id, type: _type } = request;
    const update = toUpdate(request, getType(catalog, _type));
    const values = nest(update.$set ?? {});
    assertDepth(values);
    const changed = await explainConflict({
      write: () => assets.findOneAndUpdate(toFilter(request), update, afterwards),
      explain: () => findRepeated({ _id, _type, values }),
    });
    if (changed) return fromDocument(changed);
    await assertAbsent(request);
    return undefined;
  }

  async function remove(deletion: AssetDeletion): Promise<boolean> {
    const { deletedCount } = await assets.deleteOne(toFilter(deletion));
    if (deletedCount === 0) {
      await assertAbsent(deletion);
      return false;
    }
    // An asset that came and went must leave another revision than there was before.
    await types.updateOne({ _id: deletion.type }, { $inc: { deletions: 1 } });
    return true;
  }

  /** A write that met nothing met another version when the asset is there. */
  async function assertAbsent({ id, type, ifVersion }: AssetDeletion): Promise<void> {
    if (ifVersion === undefined) return;
    const present = await assets.findOne({ _id: id, _type: type }, { projection: { _id: 1 } });
    if (present) throw preconditionFailed(id);
  }

  async function findRepeated({ _id, _type, values }: { _id: string; _type: string; values: NestedObject }) {
    for (const { path, field } of uniqueFields.get(_type) ?? []) {
      const value = getNested(values, path);
      if (value === undefined) continue;
      const rival = { _type, [path]: value, _id: { $ne: _id } };
      if (await assets.findOne(rival, { projection: { _id: 1 } })) return valueInUse(field, String(value));
    }
    return undefined;
  }

  return { insert, patch, delete: remove };
}

const afterwards = { returnDocument: 'after', projection: { _words: 0 } } as const;

const maxAttempts = 3;

/** Runs `write`; when it repeats a unique value, throws what `explain` finds, or tries again when it finds nothing. */
async function explainConflict<Result>({
  write,
  explain,
}: {
  write: () => Promise<Result>;
  explain: () => Promise<Error | undefined>;
}): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await write();
    } catch (error) {
      if (!isDuplicate(error)) throw error;
      const conflict = await explain();
      if (conflict) throw conflict;
      // Whoever had the value has given it up since.
      if (attempt === maxAttempts) throw storeBusy('a unique value is changing hands', error);
    }
  }
}

/** What MongoDB promises to nest. */
const maxDepth = 100;

function assertDepth(document: NestedObject): void {
  if (depthOf(document) <= maxDepth) return;
  throw invalidBody([{ path: '', message: `The asset nests deeper than ${maxDepth} levels` }]);
}

function toFilter({ id, type, ifVersion }: AssetDeletion) {
  return { _id: id, _type: type, ...(ifVersion === undefined ? {} : { _version: ifVersion }) };
}

function nest(values: NestedObject): NestedObject {
  const nested: NestedObject = {};
  for (const [name, value] of Object.entries(values)) setNested(nested, name, value);
  return nested;
}

/** The type with this class name; the catalog has it, or the caller has a bug. */
function getType({ types }: Catalog, className: string): ContentType {
  const type = types.get(className);
  if (type === undefined) throw new Error(`No content type has the class name ${className}`);
  return type;
}
