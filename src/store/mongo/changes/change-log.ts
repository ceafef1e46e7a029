/**
 * The change log of a MongoDB database: reading it, events that are no writes, trimming and erasing.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { storeBusy } from '../../../base/errors.ts';
import type { Catalog } from '../../../model/content-type.ts';
import type { ChangeLog } from '../../changes.ts';
import type { Database, NumberingRecord } from '../database.ts';
import type { AssetUpdate } from '../documents/document.ts';
import { own } from '../documents/document-path.ts';
import { limited, withinLimit } from '../writes/time-limits.ts';
import { entriesOf, parseChangeId } from './change-document.ts';
import type { RunLogged } from './logged-writes.ts';
import { createStateFinder } from './past-states.ts';
import { createLogReader } from './read-log.ts';
import { waitForNumbers } from './wait-for-numbers.ts';

/** Creates the log over an open database, whose format exists before each call. Errors: the driver's. */
export function createChangeLog(
  database: Database,
  { catalog, runLogged }: { catalog: Catalog; runLogged: RunLogged },
): ChangeLog {
  const { assets, changes, store } = database;

  const append: ChangeLog['append'] = (event, origin) =>
    runLogged(origin, async (transaction) => {
      const { id, asset, type, action } = event;
      const options = {
        projection: { [own.version]: 1, [own.change]: 1 },
        session: transaction.session,
        ...limited,
      };
      const counting: AssetUpdate = { $inc: { [own.change]: 1 } };
      const found = await withinLimit(() =>
        assets.findOneAndUpdate({ _id: asset, _type: type }, counting, options),
      );
      const number = found ? (found._colophon.change ?? 0) + 1 : await transaction.nextNumber(asset);
      const version = found ? { version: found._colophon.version, previous: found._colophon.version } : {};
      transaction.append({ asset, number, id, type, action, ...version });
    });

  const trim: ChangeLog['trim'] = async ({ beforeMs, limit }) => {
    const options = { sort: { seq: 1 }, limit: limit + 1, projection: { seq: 1, at: 1 } } as const;
    const oldest = await changes.find({ seq: { $gt: 0 } }, options).toArray();
    const newer = oldest.findIndex(({ at }) => at >= beforeMs);
    // The last one of those found is never removed, so it may be the last of all.
    const old = oldest.slice(0, newer < 0 ? -1 : newer).slice(0, limit);
    const seq = old.at(-1)?.seq;
    if (seq === undefined) return 0;
    const sinceMs = Math.max(...old.map(({ at }) => at));
    await store.updateOne({ _id: 'format' }, { $max: { loggedSinceMs: sinceMs, trimmedTo: seq } });
    const { deletedCount } = await withinLimit(() => changes.deleteMany({ seq: { $lte: seq } }, limited));
    return deletedCount;
  };

  /** Deletes an asset and its entries, and appends the entries of the erasure. */
  const eraseHistory: ChangeLog['erase'] = ({ id, type, change }, origin) =>
    runLogged(origin, async (transaction) => {
      const { session } = transaction;
      const options = { session, ...limited };
      const history = { _id: entriesOf(id) };
      const last = await changes.findOne(history, { sort: { _id: -1 }, projection: { type: 1 }, ...options });
      const found = await assets.findOne(
        { _id: id },
        { projection: { _type: 1, [own.version]: 1, [own.change]: 1 }, ...options },
      );
      const known = found?._type ?? last?.type;
      if (known === undefined || (type !== undefined && type !== known)) return false;
      await assets.deleteOne({ _id: id }, options);
      const number = Math.max(last ? parseChangeId(last._id).number : 0, found?._colophon.change ?? 0);
      const left = { id: change, previous: found?._colophon.version };
      await transaction.erase({ asset: id, type: known, last: number, ...left });
      return true;
    });

  /** Removes the name of a user who was erased from the entries of all assets. */
  async function eraseName(id: string): Promise<void> {
    const named = { 'by.kind': 'user', 'by.id': id, 'by.name': { $exists: true } } as const;
    for (;;) {
      const found = await changes.find(named, { projection: { _id: 1 }, limit: atOnce }).toArray();
      if (found.length === 0) return;
      const ids = found.map(({ _id }) => _id);
      await changes.updateMany({ _id: { $in: ids } }, { $unset: { 'by.name': true } });
    }
  }

  async function erase(...[erasure, origin]: Parameters<ChangeLog['erase']>): Promise<boolean> {
    const isKnown = await eraseHistory(erasure, origin);
    if (isKnown) await eraseName(erasure.id);
    return isKnown;
  }

  const reader = createLogReader(database);
  const settle: ChangeLog['settle'] = async () => {
    await waitForNumbers(database, settleMs);
    const numbering = await store.findOne<NumberingRecord>({ _id: 'numbering' });
    return waitForMajority(numbering?.last ?? 0);
  };

  /** Waits until a majority has numbers up to `seq`, since readers of the log see only those. Errors: store_busy. */
  async function waitForMajority(seq: number): Promise<number> {
    for (const endMs = performance.now() + settleMs; ; await sleep(majorityPollMs)) {
      const { last } = await reader.position();
      if (last >= seq) return last;
      if (performance.now() > endMs) throw storeBusy('the numbers of its change log are not replicated');
    }
  }

  // MongoDB manages its files.
  const purge = async () => {};
  const stateOf = createStateFinder(database, catalog);
  return { ...reader, settle, stateOf, append, trim, erase, purge };
}

/** How long to wait for numbers: after a crash of the process that numbers, another one takes over within some seconds. */
const settleMs = 8_000;
const majorityPollMs = 10;

/** How many entries one command changes. */
const atOnce = 1_000;
