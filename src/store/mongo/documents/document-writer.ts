/**
 * Writes one document, alone or within a transaction. A repeated unique value is the driver's error here;
 * `explain-conflict.ts` finds the value.
 */

import { idInUse, invalidBody, notFound, preconditionFailed, storeBusy } from '../../../base/errors.ts';
import type { Catalog, ContentType } from '../../../model/content-type.ts';
import type { AssetDeletion, AssetPatch, AssetWrite, StoredAsset } from '../../port.ts';
import { createAssetChanges } from '../changes/asset-changes.ts';
import type { LoggedTransaction } from '../changes/logged-writes.ts';
import type { Database } from '../database.ts';
import type { UniqueFields } from '../indexes/unique-values.ts';
import { indexMembers } from '../indexes/word-index.ts';
import { insertsLimited, limited, withinInsertsLimit, withinLimit } from '../writes/transaction.ts';
import {
  type AssetDocument,
  type AssetUpdate,
  fromDocument,
  nestMembers,
  patchDocument,
  toDocument,
  toUpdate,
} from './document.ts';
import { own, withoutIndex } from './document-path.ts';
import { depthOf, getNested, isNestedObject, type NestedObject, setNested } from './nested-names.ts';

/**
 * Writes one document at a time; within a transaction, if one is given. One with a log is necessary for a type that is logged.
 *
 * Errors: the driver's, invalid_body, precondition_failed.
 */
export interface DocumentWriter {
  /** Returns whether the writes of a type are logged. */
  isLogged(className: string): boolean;
  /** Returns the document of an asset. Errors: invalid_body when MongoDB cannot store it. */
  toStorableDocument(stored: StoredAsset): AssetDocument;
  /** Returns the update of a patch of a document. Errors: invalid_body when MongoDB cannot store it. */
  toStorableUpdate(patch: AssetPatch, former: AssetDocument): AssetUpdate;
  /** Returns the values that a patch sets and their order keys, nested as in a document. */
  toValues(patch: AssetPatch): NestedObject;
  insert(document: AssetDocument, transaction?: LoggedTransaction): Promise<void>;
  /** Inserts up to `insertsAtOnce` documents by one command, in order. */
  insertAll(documents: readonly AssetDocument[], transaction: LoggedTransaction): Promise<void>;
  patch(patch: AssetPatch, transaction?: LoggedTransaction): Promise<StoredAsset | undefined>;
  delete(deletion: AssetDeletion, transaction?: LoggedTransaction): Promise<boolean>;
  /**
   * Returns the document as a write leaves it, and appends the entry of the write, but writes no asset. `before` is the document
   * with its `_id`. Errors: also id_in_use, and not_found when there is no asset to change.
   */
  apply(
    write: AppliedWrite,
    before: AssetDocument | undefined,
    transaction: LoggedTransaction,
  ): Promise<AssetDocument | undefined>;
}

/** A write to apply in memory; an insert has its document. */
type AppliedWrite =
  | { readonly kind: 'insert'; readonly document: AssetDocument }
  | Exclude<AssetWrite, { kind: 'insert' }>;

/** Creates the writer over an open database. */
export function createDocumentWriter(
  { assets, types }: Database,
  {
    catalog,
    isLogged,
    uniqueFields,
  }: { catalog: Catalog; isLogged: (className: string) => boolean; uniqueFields: UniqueFields },
): DocumentWriter {
  const changes = createAssetChanges(catalog);

  function toStorableDocument(stored: StoredAsset): AssetDocument {
    const document = toDocument(stored, getType(catalog, stored.asset._type));
    assertDepth(document);
    const keys: NestedObject = {};
    for (const { path, among } of uniqueFields.keysAmong(document._type)) {
      const text = among.derive(stored.asset);
      if (text !== undefined) setNested(keys, path, text);
    }
    const derived = isNestedObject(keys._colophon) ? keys._colophon : {};
    return { ...document, _colophon: { ...document._colophon, ...derived } };
  }

  /** Returns the update of a patch; `former` is necessary if keys with a condition depend on it. */
  function toStorableUpdate(patch: AssetPatch, former?: AssetDocument): AssetUpdate {
    const keys = uniqueFields.keysAmong(patch.type, [...Object.keys(patch.set), ...patch.unset]);
    const update = toUpdateOfMembers(patch);
    if (keys.length === 0) return update;
    if (!former) throw new Error(`A patch of ${patch.type} changes keys with a condition`);
    const { asset } = patchDocument(former, patch);
    const [$set, $unset] = [{ ...update.$set }, { ...update.$unset }];
    for (const { path, among } of keys) {
      const text = among.derive(asset);
      if (text === undefined) $unset[path] = true;
      else $set[path] = text;
    }
    return { ...update, $set, ...(Object.keys($unset).length > 0 && { $unset }) };
  }

  function toUpdateOfMembers(patch: AssetPatch): AssetUpdate {
    const update = toUpdate(patch, getType(catalog, patch.type));
    assertDepth(nest(update.$set ?? {}));
    return isLogged(patch.type) ? { ...update, $inc: { [own.change]: 1 } } : update;
  }

  function toValues({ set, type }: AssetPatch): NestedObject {
    const { fields } = getType(catalog, type);
    return { ...nestMembers(set, fields), _colophon: { index: indexMembers(set, fields) } };
  }

  /** Appends the entry of an insert, and returns the document with its number. */
  async function log(document: AssetDocument, transaction?: LoggedTransaction): Promise<AssetDocument> {
    const isToLog = transaction && isLogged(document._type);
    return isToLog ? changes.appendCreate(transaction, document) : document;
  }

  async function insert(document: AssetDocument, transaction?: LoggedTransaction): Promise<void> {
    const logged = await log(document, transaction);
    await withinLimit(() => assets.insertOne(logged, within(transaction)));
  }

  async function insertAll(
    documents: readonly AssetDocument[],
    transaction: LoggedTransaction,
  ): Promise<void> {
    await transaction.loadNumbers(documents.filter(({ _type }) => isLogged(_type)).map(({ _id }) => _id));
    const logged: AssetDocument[] = [];
    for (const document of documents) logged.push(await log(document, transaction));
    const options = { ...insertsLimited, ordered: true, session: transaction.session };
    await withinInsertsLimit(() => assets.insertMany(logged, options));
  }

  async function patch(
    request: AssetPatch,
    transaction?: LoggedTransaction,
  ): Promise<StoredAsset | undefined> {
    const logging = transaction && isLogged(request.type);
    const options = { ...(logging ? returnFormer : returnChanged), ...within(transaction) };
    const found = await findAndUpdate(request, { options, transaction });
    if (found) return logging ? changes.appendUpdate(transaction, found, request) : fromDocument(found);
    await assertAbsent(request, transaction);
    return undefined;
  }

  /** Updates the document of a patch. One whose keys with a condition change is read before, and again if it changes meanwhile. */
  async function findAndUpdate(
    request: AssetPatch,
    {
      options,
      transaction,
    }: { options: typeof returnFormer | typeof returnChanged; transaction: LoggedTransaction | undefined },
  ): Promise<AssetDocument | null> {
    const { id, type, set, unset } = request;
    const write = (update: AssetUpdate, filter: ReturnType<typeof toFilter>) =>
      withinLimit(() => assets.findOneAndUpdate(filter, update, options));
    if (uniqueFields.keysAmong(type, [...Object.keys(set), ...unset]).length === 0)
      return write(toStorableUpdate(request), toFilter(request));
    for (let attempts = 0; attempts < maxAttempts; attempts++) {
      const reading = { projection: withoutIndex, ...within(transaction) };
      const former = await withinLimit(() => assets.findOne(toFilter(request), reading));
      if (!former) return null;
      const { version: ifVersion } = former._colophon;
      const found = await write(toStorableUpdate(request, former), toFilter({ id, type, ifVersion }));
      if (found) return found;
    }
    throw storeBusy('an asset is being changed by others');
  }

  async function remove(deletion: AssetDeletion, transaction?: LoggedTransaction): Promise<boolean> {
    const logging = transaction && isLogged(deletion.type);
    const options = { projection: logging ? withoutIndex : { _id: 1 }, ...within(transaction) } as const;
    const found = await withinLimit(() => assets.findOneAndDelete(toFilter(deletion), options));
    if (!found) {
      await assertAbsent(deletion, transaction);
      return false;
    }
    if (logging) await changes.appendDelete(transaction, found, deletion);
    else await countDeletion(deletion, transaction);
    return true;
  }

  /** Without a log, an asset that was created and deleted must change the revision too. */
  async function countDeletion({ type }: AssetDeletion, transaction?: LoggedTransaction): Promise<void> {
    const counting = { $inc: { deletions: 1 } };
    const options = { upsert: true, ...within(transaction) };
    await withinLimit(() => types.updateOne({ _id: type }, counting, options));
  }

  /** Errors: precondition_failed, when a write found no document because the asset has another version. */
  async function assertAbsent(
    { id, type, ifVersion }: AssetDeletion,
    transaction?: LoggedTransaction,
  ): Promise<void> {
    if (ifVersion === undefined) return;
    const options = { projection: { _id: 1 }, ...within(transaction) };
    if (await assets.findOne({ _id: id, _type: type }, options)) throw preconditionFailed(id);
  }

  async function apply(
    write: AppliedWrite,
    before: AssetDocument | undefined,
    transaction: LoggedTransaction,
  ): Promise<AssetDocument | undefined> {
    if (write.kind === 'insert') {
      if (before) throw idInUse(before._id);
      return log(write.document, transaction);
    }
    const { id, type, ifVersion } = write;
    if (before?._type !== type) throw notFound(id);
    if (ifVersion !== undefined && ifVersion !== before._colophon.version) throw preconditionFailed(id);
    const isToLog = isLogged(type);
    if (write.kind === 'patch') {
      if (isToLog) changes.appendUpdate(transaction, before, write);
      return applyUpdate(before, toStorableUpdate(write, before));
    }
    if (isToLog) await changes.appendDelete(transaction, before, write);
    else await countDeletion(write, transaction);
    return undefined;
  }

  const storable = { isLogged, toStorableDocument, toStorableUpdate, toValues };
  return { ...storable, insert, insertAll, patch, delete: remove, apply };
}

/** How often a patch is tried that depends on the document. */
const maxAttempts = 10;

const returnChanged = { returnDocument: 'after', projection: withoutIndex } as const;
const returnFormer = { returnDocument: 'before', projection: withoutIndex } as const;

const within = (transaction?: LoggedTransaction) => ({
  ...limited,
  ...(transaction ? { session: transaction.session } : {}),
});

/** The depth of nesting that MongoDB supports. */
const maxDepth = 100;

function assertDepth(document: NestedObject): void {
  if (depthOf(document) <= maxDepth) return;
  throw invalidBody([{ path: '', message: `The asset nests deeper than ${maxDepth} levels` }]);
}

function toFilter({ id, type, ifVersion }: AssetDeletion) {
  return { _id: id, _type: type, ...(ifVersion === undefined ? {} : { [own.version]: ifVersion }) };
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

/** Returns the document after an update that `toUpdate` has made, and of which the number of the last entry is increased. */
function applyUpdate(document: AssetDocument, update: AssetUpdate): AssetDocument {
  const { $set = {}, $unset = {}, $addToSet = {}, $inc = {}, ...others } = update;
  const [unknown] = Object.keys(others);
  if (unknown) throw new Error(`No update of an asset has ${unknown}`);
  const updated = structuredClone(document);
  for (const [path, value] of Object.entries($set)) setNested(updated, path, value);
  for (const path of Object.keys($unset)) {
    const [name = '', ...holders] = path.split('.').reverse();
    const holder = holders.length > 0 ? getNested(updated, holders.reverse().join('.')) : updated;
    if (isNestedObject(holder)) delete holder[name];
  }
  for (const [path, added] of Object.entries($addToSet)) {
    // `toUpdate` adds names to a list of names.
    const { $each } = added as { readonly $each: readonly string[] };
    setNested(updated, path, [...new Set([...((getNested(updated, path) ?? []) as string[]), ...$each])]);
  }
  for (const [path, by] of Object.entries($inc))
    setNested(updated, path, Number(getNested(updated, path) ?? 0) + Number(by));
  return updated;
}
