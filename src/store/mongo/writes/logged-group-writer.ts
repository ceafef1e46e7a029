/**
 * Applies a group of logged writes to different assets in one transaction, with one command for each kind of write.
 *
 * A write that finds no asset, or another version than it requires, is left out. When MongoDB refuses the group, none is applied:
 * an error ends the transaction and does not tell what is wrong with the other writes.
 */

import type { AnyBulkWriteOperation } from 'mongodb';
import { isDomainError, preconditionFailed } from '../../../base/errors.ts';
import { jsonBytes } from '../../../base/json-bytes.ts';
import { yieldEvery32Steps } from '../../../base/runtime.ts';
import type { Catalog } from '../../../model/content-type.ts';
import type { ChangeOrigin } from '../../changes.ts';
import type { WriteOutcome } from '../../port.ts';
import { createAssetChanges } from '../changes/asset-changes.ts';
import type { LoggedTransaction, RunLogged } from '../changes/logged-writes.ts';
import type { Database } from '../database.ts';
import { type AssetDocument, fromDocument } from '../documents/document.ts';
import { withoutIndex } from '../documents/document-path.ts';
import type { DocumentWriter } from '../documents/document-writer.ts';
import { isWriteConflict, toStoreError } from '../map-error.ts';
import type { PlacedWrite } from './plan-runs.ts';
import { insertsLimited, withinInsertsLimit } from './time-limits.ts';

/** The outcomes of a group. Writes without one are left for another group, because their assets are large. */
export type GroupOutcomes = ReadonlyMap<PlacedWrite, WriteOutcome>;

/**
 * Applies up to `insertsAtOnce` writes to different assets. Returns `undefined` when MongoDB refuses the group, or another
 * transaction has locked one of the assets.
 */
export type LoggedGroupWriter = (
  writes: readonly PlacedWrite[],
  origin: ChangeOrigin | undefined,
) => Promise<GroupOutcomes | undefined>;

/** Creates the writer over an open database. */
export function createLoggedGroupWriter({
  database: { assets },
  catalog,
  documents,
  runLogged,
}: {
  database: Database;
  catalog: Catalog;
  documents: DocumentWriter;
  runLogged: RunLogged;
}): LoggedGroupWriter {
  const changes = createAssetChanges(catalog);

  /** Returns the operation of a write, after appending its entry. Errors: invalid_body, precondition_failed. */
  async function toOperation(
    write: PlacedWrite,
    { transaction, former }: { transaction: LoggedTransaction; former: AssetDocument | undefined },
  ): Promise<AnyBulkWriteOperation<AssetDocument> | undefined> {
    if (write.kind === 'insert') {
      return { insertOne: { document: await changes.appendCreate(transaction, write.document) } };
    }
    const { id, type, ifVersion } = write;
    if (former?._type !== type) return undefined;
    if (ifVersion !== undefined && former._colophon.version !== ifVersion) throw preconditionFailed(id);
    if (write.kind === 'delete') {
      await changes.appendDelete(transaction, former, write);
      return { deleteOne: { filter: { _id: id } } };
    }
    const update = documents.toStorableUpdate(write);
    changes.appendUpdate(transaction, former, write);
    return { updateOne: { filter: { _id: id }, update } };
  }

  async function writeAll(
    writes: readonly PlacedWrite[],
    transaction: LoggedTransaction,
  ): Promise<GroupOutcomes> {
    await transaction.loadNumbers(
      writes.flatMap((write) => (write.kind === 'insert' ? [write.asset._id] : [])),
    );
    await transaction.loadFormerTypes(
      writes.flatMap((write) => (write.kind === 'delete' && write.erase ? [write.id] : [])),
    );
    const { found, isUnread } = await readFormer(writes, transaction);
    const operations: AnyBulkWriteOperation<AssetDocument>[] = [];
    const outcomes = new Map<PlacedWrite, WriteOutcome>();
    for (const [step, write] of writes.entries()) {
      if (isUnread(write)) continue;
      const former = write.kind === 'insert' ? undefined : found.get(write.id);
      try {
        const operation = await toOperation(write, { transaction, former });
        if (operation) operations.push(operation);
        outcomes.set(write, { kind: operation ? 'done' : 'absent' });
      } catch (error) {
        outcomes.set(write, toRefusal(error));
      }
      await yieldEvery32Steps(step);
    }
    // In order, so that the driver sends no other command after the one that ends the transaction: its error would hide the first.
    const options = { ...insertsLimited, ordered: true, session: transaction.session };
    const byKind = operations.toSorted((one, other) => rankOf(one) - rankOf(other));
    if (operations.length > 0) await withinInsertsLimit(() => assets.bulkWrite(byKind, options));
    return outcomes;
  }

  /** Reads the documents to change, as many as fit the memory of one group. */
  async function readFormer(writes: readonly PlacedWrite[], { session }: LoggedTransaction) {
    const ids = writes.flatMap((write) => (write.kind === 'insert' ? [] : [write.id]));
    const found = new Map<string, AssetDocument>();
    if (ids.length === 0) return { found, isUnread: () => false };
    const cursor = assets.find({ _id: { $in: ids } }, { projection: withoutIndex, session });
    let left = maxFormerBytes;
    try {
      for await (const document of cursor) {
        found.set(document._id, document);
        left -= jsonBytes(fromDocument(document).asset, left);
        if (left < 0) break;
      }
    } finally {
      await cursor.close();
    }
    const isPart = left < 0;
    return {
      found,
      isUnread: (write: PlacedWrite) => isPart && write.kind !== 'insert' && !found.has(write.id),
    };
  }

  return async (writes, origin) => {
    try {
      return await runLogged(origin, (transaction) => writeAll(writes, transaction));
    } catch (error) {
      const known = toStoreError('write', error);
      if (!isDomainError(known, 'store_busy') || isWriteConflict(error)) return undefined;
      return new Map(writes.map((write) => [write, { kind: 'failed', error: known }]));
    }
  };
}

/** Orders operations by their kind, of which the driver sends each in one command. */
const rankOf = (operation: object) =>
  ['insertOne', 'updateOne', 'deleteOne'].findIndex((kind) => kind in operation);

/** The most bytes of former states that one group holds in memory, and one larger asset. */
const maxFormerBytes = 16 * 1_048_576;

/** Returns the outcome of a write that is refused before it is sent. Errors: any other error. */
function toRefusal(error: unknown): WriteOutcome {
  if (isDomainError(error, 'precondition_failed') || isDomainError(error, 'invalid_body')) {
    return { kind: 'failed', error };
  }
  throw error;
}
