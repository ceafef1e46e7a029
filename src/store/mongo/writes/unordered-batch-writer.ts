/**
 * Applies a batch of independent writes. Writes whose order makes no difference are sent together: those that are logged in
 * transactions, the inserts of others in one command.
 */

import type { AnyBulkWriteOperation } from 'mongodb';
import { type DomainError, isDomainError, preconditionFailed } from '../../../base/errors.ts';
import { createTaskQueue } from '../../../base/fair-queue.ts';
import { jsonBytes } from '../../../base/json-bytes.ts';
import { yieldEvery32Steps } from '../../../base/runtime.ts';
import type { Catalog } from '../../../model/content-type.ts';
import type { ChangeOrigin } from '../../changes.ts';
import { type StoredAsset, typeOfWrite, type WriteOutcome } from '../../port.ts';
import { createAssetChanges } from '../changes/asset-changes.ts';
import type { LoggedTransaction, RunLogged } from '../changes/logged-writes.ts';
import type { Database } from '../database.ts';
import { type AssetDocument, fromDocument } from '../documents/document.ts';
import { own, withoutIndex } from '../documents/document-path.ts';
import type { DocumentWriter } from '../documents/document-writer.ts';
import type { NestedObject } from '../documents/nested-names.ts';
import type { UniqueFields } from '../indexes/unique-values.ts';
import { failedWrites, isWriteConflict, toStoreError } from '../map-error.ts';
import type { DeletionRules } from './deletion-rules.ts';
import { mayRelease, type PlacedWrite, planRuns } from './plan-runs.ts';
import type { SingleWriter } from './single-writer.ts';
import { insertsAtOnce, insertsLimited, withinInsertsLimit } from './transaction.ts';

/** Applies writes, as the port defines `write` without `atomic`. */
type UnorderedBatchWriter = (
  writes: readonly PlacedWrite[],
  origin?: ChangeOrigin,
) => Promise<WriteOutcome[]>;

/** Creates the writer over an open database. */
export function createUnorderedBatchWriter({
  database: { assets },
  documents,
  writer,
  writeGroup,
  uniqueFields,
  rules,
}: {
  database: Database;
  documents: DocumentWriter;
  writer: SingleWriter;
  writeGroup: LoggedGroupWriter;
  uniqueFields: UniqueFields;
  rules: DeletionRules;
}): UnorderedBatchWriter {
  async function readHeldFields(writes: readonly PlacedWrite[]): Promise<Map<string, NestedObject>> {
    const releasing = writes.flatMap((write) => (mayRelease(write, uniqueFields) ? [write] : []));
    if (releasing.length === 0) return new Map();
    const keys = releasing.flatMap(({ type }) => uniqueFields.keysOf(type));
    const paths = keys.flatMap(({ parts }) => parts.map(({ path }) => path));
    const projection = Object.fromEntries(paths.map((path) => [path, 1]));
    const found = await assets
      .find({ _id: { $in: releasing.map(({ id }) => id) } }, { projection })
      .toArray();
    return new Map(found.map((document) => [document._id, document]));
  }

  async function insertAll(inserts: readonly Insert[]): Promise<WriteOutcome[]> {
    const outcomes: WriteOutcome[] = [];
    while (outcomes.length < inserts.length) {
      const next = inserts.slice(outcomes.length, outcomes.length + insertsAtOnce);
      const last = outcomes.at(-1);
      const isRefused = last?.kind === 'failed' && isBusy(last.error);
      outcomes.push(...(isRefused ? next.map(() => last) : await insertTogether(next)));
    }
    return outcomes;
  }

  async function insertTogether(inserts: readonly Insert[]): Promise<WriteOutcome[]> {
    if (inserts.length === 1) return mapConcurrently(inserts, (one) => toOutcome(() => insertOne(one)));
    try {
      const sent = inserts.map(({ document }) => document);
      await withinInsertsLimit(() => assets.insertMany(sent, { ...insertsLimited, ordered: false }));
      return inserts.map(() => done);
    } catch (error) {
      const failed = failedWrites(error);
      const whole = toStoreError('write', error);
      if (failed.size === 0 && isBusy(whole)) return inserts.map(() => toFailure(whole));
      // Each insert is repeated alone, to get its own error.
      const retry = async (insert: Insert, index: number) => {
        if (failed.size === 0) return toOutcome(() => insertUnlessStored(insert));
        return failed.has(index) ? toOutcome(() => insertOne(insert)) : done;
      };
      return mapConcurrently(inserts, retry);
    }
  }

  const insertOne = (stored: StoredAsset) => writer.insert(stored).then(() => true);

  /** The failed command may have stored some of the documents. */
  async function insertUnlessStored(stored: StoredAsset): Promise<boolean> {
    const { _id } = stored.asset;
    const present = await assets.findOne({ _id }, { projection: { [own.version]: 1 } });
    return present?._colophon.version === stored.version || insertOne(stored);
  }

  /** Applies one logged write by itself. */
  const writeOne = (one: PlacedWrite, origin: ChangeOrigin | undefined) =>
    toOutcome(async () => {
      if (one.kind === 'patch') return writer.patch(one, origin);
      if (one.kind === 'delete') return writer.delete(one, origin);
      await writer.insert(one, origin);
      return true;
    });

  async function writeLogged(writes: readonly PlacedWrite[], origin?: ChangeOrigin): Promise<Outcomes> {
    const outcomes: Outcomes = new Map();
    for (let left = writes; left.length > 0; left = left.filter((one) => !outcomes.has(one))) {
      const group = left.slice(0, insertsAtOnce);
      const busy = [...outcomes.values()].find((one) => one.kind === 'failed' && isBusy(one.error));
      const together = busy ? new Map(group.map((one) => [one, busy])) : await writeGroup(group, origin);
      const ended = together ?? (await writeEach(group, origin));
      for (const [write, outcome] of ended) outcomes.set(write, outcome);
    }
    return outcomes;
  }

  async function writeEach(group: readonly PlacedWrite[], origin?: ChangeOrigin): Promise<Outcomes> {
    const results = await mapConcurrently(group, (one) => writeOne(one, origin));
    return new Map(group.map((one, n) => [one, results[n] ?? done]));
  }

  async function writeUnlogged(writes: readonly PlacedWrite[]): Promise<Outcomes> {
    const inserts = writes.filter((write) => write.kind === 'insert');
    const others = writes.filter((write) => write.kind !== 'insert');
    const [changed, inserted] = await Promise.all([
      mapConcurrently(others, (one) => writeOne(one, undefined)),
      insertAll(inserts),
    ]);
    const outcomes = [...inserted, ...changed];
    return new Map([...inserts, ...others].map((write, n) => [write, outcomes[n] ?? done]));
  }

  async function writeRun(run: readonly PlacedWrite[], origin?: ChangeOrigin): Promise<Outcomes> {
    const isLogged = (write: PlacedWrite) => documents.isLogged(typeOfWrite(write));
    const parts = await Promise.all([
      writeLogged(run.filter(isLogged), origin),
      writeUnlogged(run.filter((write) => !isLogged(write))),
    ]);
    return new Map(parts.flatMap((part) => [...part]));
  }

  return async (writes, origin) => {
    const outcomes: Outcomes = new Map();
    const held = await readHeldFields(writes);
    let busy: DomainError | undefined;
    for (const run of planRuns(writes, { documents, uniqueFields, held, isAlone: rules.isDeletion })) {
      // A busy database is not asked again for each run.
      const refusal = busy && toFailure(busy);
      const ended = refusal ? run.map((one) => [one, refusal] as const) : await writeRun(run, origin);
      for (const [write, outcome] of ended) {
        outcomes.set(write, outcome);
        if (outcome.kind === 'failed' && isBusy(outcome.error)) busy = outcome.error;
      }
    }
    return writes.map((write) => outcomes.get(write) ?? done);
  };
}

type Insert = Extract<PlacedWrite, { kind: 'insert' }>;
type Outcomes = Map<PlacedWrite, WriteOutcome>;

const done: WriteOutcome = { kind: 'done' };

const isBusy = (error: DomainError) => isDomainError(error, 'store_busy');

const toFailure = (error: DomainError): WriteOutcome => ({ kind: 'failed', error });

/** Runs one write and returns its outcome; a falsy result means that the asset does not exist. */
async function toOutcome(write: () => Promise<unknown>): Promise<WriteOutcome> {
  try {
    return (await write()) ? done : { kind: 'absent' };
  } catch (error) {
    return toFailure(toStoreError('write', error));
  }
}

const atOnce = 32;

/** Runs `work` for each item, and returns the results in the order of the items. */
function mapConcurrently<Item, Result>(
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const queue = createTaskQueue(atOnce);
  const workOn = async (item: Item, index: number) => {
    const result = await work(item, index);
    // Preparing many items, such as the words of long texts, would block the event loop.
    await yieldEvery32Steps(index);
    return result;
  };
  return Promise.all(items.map((item, index) => queue.run(() => workOn(item, index))));
}

// Applies a group of logged writes to different assets in one transaction, with one command for each kind of write.
//
// A write that finds no asset, or another version than it requires, is left out. When MongoDB refuses the group, none is applied:
// an error ends the transaction and does not tell what is wrong with the other writes.

/** The outcomes of a group. Writes without one are left for another group, because their assets are large. */
type GroupOutcomes = ReadonlyMap<PlacedWrite, WriteOutcome>;

/**
 * Applies up to `insertsAtOnce` writes to different assets. Returns `undefined` when MongoDB refuses the group, or another
 * transaction has locked one of the assets.
 */
type LoggedGroupWriter = (
  writes: readonly PlacedWrite[],
  origin: ChangeOrigin | undefined,
) => Promise<GroupOutcomes | undefined>;

/** Creates the writer over an open database. */
export function createLoggedGroupWriter({
  database: { assets },
  catalog,
  documents,
  rules,
  runLogged,
}: {
  database: Database;
  catalog: Catalog;
  documents: DocumentWriter;
  rules: DeletionRules;
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
    const update = documents.toStorableUpdate(write, former);
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
    const applied = writes.filter((write) => outcomes.get(write)?.kind === 'done');
    await rules.assertUnbroken(applied, transaction);
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
