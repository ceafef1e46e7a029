/**
 * Writes one document, alone or within a transaction. A repeated unique value is the driver's error here;
 * `explain-conflict.ts` finds the value.
 */
import type { ClientSession } from 'mongodb';
import { invalidBody, preconditionFailed } from '../../../base/errors.ts';
import type { Catalog, ContentType } from '../../../model/content-type.ts';
import type { AssetDeletion, AssetPatch, StoredAsset } from '../../port.ts';
import type { Database } from '../database.ts';
import { limited, withinLimit } from '../writes/time-limits.ts';
import { type AssetDocument, fromDocument, nestMembers, toDocument, toUpdate } from './document.ts';
import { depthOf, type NestedObject, setNested } from './nested-names.ts';

/** Writes one document at a time. Errors: the driver's, invalid_body, precondition_failed. */
export interface DocumentWriter {
  /** Returns the document of an asset. Errors: invalid_body when MongoDB cannot store it. */
  toStorableDocument(stored: StoredAsset): AssetDocument;
  /** Returns the values that a patch sets, nested as in a document. */
  toValues(patch: AssetPatch): NestedObject;
  insert(document: AssetDocument): Promise<void>;
  patch(patch: AssetPatch, session?: ClientSession): Promise<StoredAsset | undefined>;
  delete(deletion: AssetDeletion, session?: ClientSession): Promise<boolean>;
}

/** Creates the writer over an open database. */
export function createDocumentWriter({ assets, types }: Database, catalog: Catalog): DocumentWriter {
  function toStorableDocument(stored: StoredAsset): AssetDocument {
    const document = toDocument(stored, getType(catalog, stored.asset._type));
    assertDepth(document);
    return document;
  }

  const toValues = ({ set, type }: AssetPatch) => nestMembers(set, getType(catalog, type).fields);

  async function insert(document: AssetDocument): Promise<void> {
    await withinLimit(() => assets.insertOne(document, limited));
  }

  async function patch(request: AssetPatch, session?: ClientSession): Promise<StoredAsset | undefined> {
    const update = toUpdate(request, getType(catalog, request.type));
    assertDepth(nest(update.$set ?? {}));
    const options = { ...returnChanged, ...within(session) };
    const changed = await withinLimit(() => assets.findOneAndUpdate(toFilter(request), update, options));
    if (changed) return fromDocument(changed);
    await assertAbsent(request, session);
    return undefined;
  }

  async function remove(deletion: AssetDeletion, session?: ClientSession): Promise<boolean> {
    const { deletedCount } = await withinLimit(() => assets.deleteOne(toFilter(deletion), within(session)));
    if (deletedCount === 0) {
      await assertAbsent(deletion, session);
      return false;
    }
    // An asset that was created and deleted must change the revision too.
    const counting = { $inc: { deletions: 1 } };
    const options = { upsert: true, ...within(session) };
    await withinLimit(() => types.updateOne({ _id: deletion.type }, counting, options));
    return true;
  }

  /** Errors: precondition_failed, when a write found no document because the asset has another version. */
  async function assertAbsent(
    { id, type, ifVersion }: AssetDeletion,
    session?: ClientSession,
  ): Promise<void> {
    if (ifVersion === undefined) return;
    const options = { projection: { _id: 1 }, ...within(session) };
    if (await assets.findOne({ _id: id, _type: type }, options)) throw preconditionFailed(id);
  }

  return { toStorableDocument, toValues, insert, patch, delete: remove };
}

const returnChanged = { returnDocument: 'after', projection: { _words: 0 } } as const;

const within = (session: ClientSession | undefined) => ({ ...limited, ...(session ? { session } : {}) });

/** The depth of nesting that MongoDB supports. */
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

/** Returns the type with this class name. A catalog without it is a bug of the caller. */
function getType({ types }: Catalog, className: string): ContentType {
  const type = types.get(className);
  if (type === undefined) throw new Error(`No content type has the class name ${className}`);
  return type;
}
