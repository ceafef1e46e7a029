/**
 * Runs writes in transactions that also append their entries to the change log.
 *
 * The entries of a transaction are inserted at its end, in one command. An asset that is inserted goes on with the numbers of one
 * that was deleted; its last entry is found by the index of `gone`.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientSession } from 'mongodb';
import { storeBusy } from '../../../base/errors.ts';
import { randomIds, systemClock } from '../../../base/runtime.ts';
import type { ChangeAction, ChangeOrigin } from '../../changes.ts';
import type { Database } from '../database.ts';
import { isDuplicate } from '../map-error.ts';
import {
  insertsAtOnce,
  insertsLimited,
  limited,
  withinInsertsLimit,
  withinLimit,
} from '../writes/transaction.ts';
import {
  type ChangeDocument,
  createStamps,
  entriesOf,
  entryDigits,
  parseChangeId,
  toChangeId,
} from './change-document.ts';
import type { ChangedValues } from './describe-change.ts';
import type { Numbering } from './numbering.ts';

/** An entry to append. */
interface NewChange extends ChangedValues {
  /** The `_id` of the asset. */
  readonly asset: string;
  readonly number: number;
  /** Absent means a random one. */
  readonly id?: string | undefined;
  readonly type: string;
  readonly action: ChangeAction;
  readonly version?: string;
  readonly previous?: string | undefined;
}

/** An asset whose entries are erased, and the entry that is left for its last type. */
interface EntryErasure {
  /** The `_id` of the asset. */
  readonly asset: string;
  readonly type: string;
  readonly last: number;
  /** The `id` of the entry that is left; absent means a random one. */
  readonly id?: string | undefined;
  /** The version of the asset; absent when it did not exist. */
  readonly previous?: string | undefined;
}

export interface LoggedTransaction {
  readonly session: ClientSession;
  /** Reads the numbers that `nextNumber` will need, in one query. */
  loadNumbers(assets: readonly string[]): Promise<void>;
  /** Returns the number of the next entry of an asset that does not exist. */
  nextNumber(asset: string): Promise<number>;
  /** Appends an entry at the end of the transaction. */
  append(change: NewChange): void;
  /** Reads the types of the entries that `erase` will remove, in one query. */
  loadFormerTypes(assets: readonly string[]): Promise<void>;
  /** Removes the entries of an asset at the end of the transaction, and leaves one for each of their types. */
  erase(erasure: EntryErasure): Promise<void>;
}

/** Runs work in a logged transaction. Errors: those of the work, the driver's, store_busy. */
export type RunLogged = <Result>(
  origin: ChangeOrigin | undefined,
  work: (transaction: LoggedTransaction) => Promise<Result>,
) => Promise<Result>;

const maxAttempts = 5;

/** Creates it over an open database; `numbering` learns of each transaction. */
export function createLoggedWrites(database: Database, numbering: Numbering): RunLogged {
  const nextStamp = createStamps(systemClock.nowMs);

  async function findLast(assets: readonly string[], session: ClientSession): Promise<Map<string, number>> {
    const options = { projection: { _id: 1 }, session, ...limited } as const;
    const found = await database.changes.find({ gone: { $in: [...assets] } }, options).toArray();
    const last = new Map(assets.map((asset) => [asset, 0]));
    for (const { asset, number } of found.map(({ _id }) => parseChangeId(_id))) {
      last.set(asset, Math.max(last.get(asset) ?? 0, number));
    }
    return last;
  }

  /** Begins a transaction. `entries` has the changes to append at its end, and `erased` the assets whose stored entries go before that. */
  function begin(session: ClientSession) {
    const numbers = new Map<string, number>();
    const formerTypes = new Map<string, readonly string[]>();
    const erased = new Set<string>();
    let entries: NewChange[] = [];
    async function loadNumbers(assets: readonly string[]): Promise<void> {
      const missing = assets.filter((asset) => !numbers.has(asset));
      if (missing.length === 0) return;
      for (const [asset, number] of await findLast(missing, session)) numbers.set(asset, number);
    }
    async function loadFormerTypes(assets: readonly string[]): Promise<void> {
      const missing = assets.filter((asset) => !formerTypes.has(asset));
      if (missing.length === 0) return;
      const found = await findFormerTypes(database, { assets: missing, session });
      for (const [asset, types] of found) formerTypes.set(asset, types);
    }
    function append(change: NewChange): void {
      numbers.set(change.asset, change.number);
      entries.push(change);
    }
    const transaction: LoggedTransaction = {
      session,
      loadNumbers,
      async nextNumber(asset) {
        await loadNumbers([asset]);
        return (numbers.get(asset) ?? 0) + 1;
      },
      append,
      loadFormerTypes,
      async erase({ asset, type, last, ...left }) {
        await loadFormerTypes([asset]);
        const others = (formerTypes.get(asset) ?? []).filter((other) => other !== type);
        entries = entries.filter((entry) => entry.asset !== asset);
        erased.add(asset);
        // For another erasure in the same transaction.
        formerTypes.set(asset, [...others, type]);
        for (const [n, other] of others.entries())
          append({ asset, number: last + 1 + n, type: other, action: 'erase' });
        append({ asset, number: last + 1 + others.length, type, action: 'erase', ...left });
      },
    };
    return { transaction, entries: () => entries, erased };
  }

  async function insertAll(entries: readonly ChangeDocument[], session: ClientSession): Promise<void> {
    for (let next = 0; next < entries.length; next += insertsAtOnce) {
      const part = entries.slice(next, next + insertsAtOnce);
      const options = { ...insertsLimited, ordered: true, session };
      try {
        await withinInsertsLimit(() => database.changes.insertMany(part, options));
      } catch (error) {
        throw isDuplicate(error) ? new NumberTaken() : error;
      }
    }
  }

  return async (origin, work) => {
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      let stamp: number | undefined;
      try {
        const result = await database.inTransaction(async (session) => {
          const { transaction, entries, erased } = begin(session);
          const done = await work(transaction);
          if (!session.inTransaction()) return done;
          if (erased.size > 0) await removeEntries(database, { assets: [...erased], session });
          const documents = entries().map((change) =>
            toChangeDocument(change, { origin, stamp: nextStamp() }),
          );
          await insertAll(documents, session);
          stamp = documents.at(-1)?.pending;
          return done;
        });
        if (stamp !== undefined) numbering.noteWritten(stamp);
        return result;
      } catch (error) {
        if (!(error instanceof NumberTaken)) throw error;
      }
    }
    throw storeBusy('an asset is being deleted and created again');
  };
}

/** Ends a transaction because an entry with this number of its asset exists. */
class NumberTaken extends Error {}

/** The most bytes of texts that one entry has: a document has 16 MiB. */
const maxTextBytes = 15 * 1_048_576;

function toChangeDocument(
  { asset, number, id, state, previous, ...change }: NewChange,
  { origin, stamp }: { origin: ChangeOrigin | undefined; stamp: number },
): ChangeDocument {
  const { by, run, requestId, atMs } = origin ?? { by: { kind: 'system' }, atMs: systemClock.nowMs() };
  // Without it, reading a past state undoes more entries.
  const fits = state !== undefined && state.length + (change.before?.length ?? 0) < maxTextBytes;
  return {
    _id: toChangeId(asset, number),
    id: id ?? randomIds.version(),
    pending: stamp,
    at: atMs,
    ...change,
    ...(previous !== undefined && { previous }),
    ...(change.version === undefined && { gone: asset }),
    ...(fits && { state }),
    by: { ...by },
    ...(run !== undefined && { run }),
    ...(requestId !== undefined && { requestId }),
  };
}

/** Assets, and the transaction that erases their entries. */
interface ErasedAssets {
  readonly assets: readonly string[];
  readonly session: ClientSession;
}

const ofAssets = (assets: readonly string[]) => ({ $or: assets.map((asset) => ({ _id: entriesOf(asset) })) });

/** Finds the types of the entries of assets, by asset, in the order of their names. */
async function findFormerTypes(
  { changes }: Database,
  { assets, session }: ErasedAssets,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const asset = { $substrBytes: ['$_id', 0, { $subtract: [{ $strLenBytes: '$_id' }, entryDigits + 1] }] };
  const stages = [{ $match: ofAssets(assets) }, { $group: { _id: { asset, type: '$type' } } }];
  const found = await withinLimit(() =>
    changes.aggregate<{ _id: { asset: string; type: string } }>(stages, { session, ...limited }).toArray(),
  );
  const types = new Map<string, string[]>(assets.map((id) => [id, []]));
  for (const { _id } of found) types.get(_id.asset)?.push(_id.type);
  for (const names of types.values()) names.sort();
  return types;
}

/**
 * Removes the entries of assets. Counts those that have no number yet: `revision` counts numbered and pending ones.
 */
async function removeEntries({ changes, types }: Database, { assets, session }: ErasedAssets): Promise<void> {
  const pending = { ...ofAssets(assets), pending: { $gt: 0 } };
  const found = await changes.find(pending, { projection: { type: 1 }, session, ...limited }).toArray();
  const counts = new Map<string, number>();
  for (const { type } of found) counts.set(type, (counts.get(type) ?? 0) + 1);
  const options = { session, upsert: true, ...limited };
  for (const [type, count] of counts)
    await types.updateOne({ _id: type }, { $inc: { changes: count } }, options);
  await withinLimit(() => changes.deleteMany(ofAssets(assets), { session, ...limited }));
}

const pollMs = 20;

/** Waits until every entry that is visible now has its number. Errors: store_busy after `longestMs`. */
export async function waitForNumbers({ changes }: Database, longestMs: number): Promise<void> {
  // Not only what a majority has: reads of assets also return states that are not replicated yet.
  const waiting = { projection: { pending: 1 } } as const;
  const last = await changes.findOne({ pending: { $gt: 0 } }, { sort: { pending: -1 }, ...waiting });
  if (!last) return;
  const endMs = performance.now() + longestMs;
  const ours = { pending: { $gt: 0, $lte: last.pending ?? 0 } };
  while (await changes.findOne(ours, waiting)) {
    if (performance.now() > endMs) throw storeBusy('its change log is not numbered');
    await sleep(pollMs);
  }
}
