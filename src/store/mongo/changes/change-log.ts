/**
 * The change log of a MongoDB database: reading it, events that are no writes, trimming and erasing.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Filter, FindCursor, Sort } from 'mongodb';
import { storeBusy } from '../../../base/errors.ts';
import type { Catalog } from '../../../model/content-type.ts';
import type { ChangeFilter, ChangeLog, LogPage, LogPosition, LogRequest } from '../../changes.ts';
import { chunkBytes } from '../../port.ts';
import type { Database, FormatRecord, NumberingRecord } from '../database.ts';
import type { AssetUpdate } from '../documents/document.ts';
import { own } from '../documents/document-path.ts';
import type { DeletionRules } from '../writes/deletion-rules.ts';
import { limited, withinLimit } from '../writes/transaction.ts';
import {
  bytesOf,
  type ChangeDocument,
  entriesOf,
  parseChangeId,
  toChangeId,
  toEntry,
} from './change-document.ts';
import type { RunLogged } from './logged-writes.ts';
import { waitForNumbers } from './logged-writes.ts';
import { createStateFinder } from './past-states.ts';

/** Creates the log over an open database, whose format exists before each call. Errors: the driver's. */
export function createChangeLog(
  database: Database,
  { catalog, rules, runLogged }: { catalog: Catalog; rules: DeletionRules; runLogged: RunLogged },
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
      const deletion = { kind: 'delete', id, type: known } as const;
      if (found) await rules.assertUnbroken([deletion], transaction);
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
  const waitUntilNumbered: ChangeLog['waitUntilNumbered'] = async () => {
    await waitForNumbers(database, numberingTimeoutMs);
    const numbering = await store.findOne<NumberingRecord>({ _id: 'numbering' });
    return waitForMajority(numbering?.last ?? 0);
  };

  /** Waits until a majority has numbers up to `seq`, since readers of the log see only those. Errors: store_busy. */
  async function waitForMajority(seq: number): Promise<number> {
    for (const endMs = performance.now() + numberingTimeoutMs; ; await sleep(majorityPollMs)) {
      const { last } = await reader.position();
      if (last >= seq) return last;
      if (performance.now() > endMs) throw storeBusy('the numbers of its change log are not replicated');
    }
  }

  // MongoDB manages its files.
  const purge = async () => {};
  const stateOf = createStateFinder(database, catalog);
  return { ...reader, waitUntilNumbered, stateOf, append, trim, erase, purge };
}

/** How long to wait for numbers: after a crash of the process that numbers, another one takes over within some seconds. */
const numberingTimeoutMs = 8_000;
const majorityPollMs = 10;

/** How many entries one command changes. */
const atOnce = 1_000;

// Reads the change log: where it stands, its entries in order, and the history of one asset.
//
// Reads what a majority has, so that a failover cannot take back an entry that was read. One call looks through a limited number
// of entries when no index fits the filter, and returns a limited number of bytes.

/** The reading part of the log. Errors: the driver's. */
type LogReader = Pick<ChangeLog, 'position' | 'read' | 'history'>;

/** The most entries that a filter without an index looks through in one call. */
const maxExamined = 10_000;

const majority = { readConcern: { level: 'majority' } } as const;
const withoutState = { projection: { state: 0 } } as const;

/** Creates the reader over an open database, whose format exists. */
function createLogReader({ changes, store }: Database): LogReader {
  async function position(): Promise<LogPosition> {
    const records = await store.find({}, majority).toArray();
    const first = await changes.findOne(
      { seq: { $gt: 0 } },
      { sort: { seq: 1 }, projection: { seq: 1 }, ...majority },
    );
    // Safe: these are the two documents of the collection, by their `_id`s.
    const format = records.find(({ _id }) => _id === 'format') as FormatRecord | undefined;
    const numbering = records.find(({ _id }) => _id === 'numbering') as NumberingRecord | undefined;
    const last = numbering?.last ?? 0;
    return { epoch: format?.epoch ?? '', first: first?.seq ?? last, last, trimmedTo: format?.trimmedTo ?? 0 };
  }

  async function read(request: LogRequest): Promise<LogPage> {
    const { filter = {}, limit } = request;
    const { first, last } = await position();
    const range = toRange(request, { first, last });
    const direction = request.order === 'oldest first' ? 1 : -1;
    const conditions = { ...toConditions(filter), seq: { $gte: range.from, $lte: range.to } };
    // The histories of assets are in the order of `_id`.
    const sort: Sort = filter.asset === undefined ? { seq: direction } : { _id: direction };
    const options = { sort, limit: limit + 1, ...withoutState, ...majority } as const;
    const { documents, isWhole } = await readPage(changes.find(conditions, options), limit);
    const shown = filter.latestOnly ? await onlyLatest(documents) : documents;
    const lastRead = documents.at(-1)?.seq;
    const next = isWhole ? range.next : lastRead;
    // Safe: the condition on `seq` leaves out entries without it.
    const entries = shown.map(toEntry) as LogPage['entries'][number][];
    return { entries, ...(next !== undefined && { next }) };
  }

  /** Leaves out entries that are followed by another one of the same asset, numbered or not. */
  async function onlyLatest(documents: readonly ChangeDocument[]): Promise<ChangeDocument[]> {
    const ids = documents.map(({ _id }) => followingId(_id));
    const found = await changes.find({ _id: { $in: ids } }, { projection: { _id: 1 } }).toArray();
    const existing = new Set(found.map(({ _id }) => _id));
    return documents.filter(({ _id }) => !existing.has(followingId(_id)));
  }

  return {
    position,
    read,
    async history({ asset, before, limit }) {
      const range = entriesOf(asset, before === undefined ? {} : { below: before });
      const options = { sort: { _id: -1 }, limit: limit + 1, ...withoutState } as const;
      const { documents, isWhole } = await readPage(changes.find({ _id: range }, options), limit);
      const entries = documents.map(toEntry);
      const next = entries.at(-1)?.number;
      return { entries, ...(!isWhole && next !== undefined && { next }) };
    },
  };
}

/** Returns the range of `seq` to read, and the `from` of the next page when the range does not reach the end of the log. */
function toRange({ order, from, filter = {} }: LogRequest, { first, last }: { first: number; last: number }) {
  const { asset, run, latestOnly: _latestOnly, ...others } = filter;
  const isBounded = asset === undefined && run === undefined && Object.keys(others).length > 0;
  const width = isBounded ? maxExamined : Infinity;
  if (order === 'oldest first') {
    const start = Math.max(first, (from ?? 0) + 1);
    const end = Math.min(last, start + width - 1);
    return { from: start, to: end, next: end < last ? end : undefined };
  }
  const end = Math.min(last, (from ?? last + 1) - 1);
  const start = Math.max(first, end - width + 1);
  return { from: start, to: end, next: start > first ? start : undefined };
}

function toConditions({
  asset,
  types,
  actions,
  by,
  run,
  fromMs,
  toMs,
}: ChangeFilter): Filter<ChangeDocument> {
  const at = { ...(fromMs !== undefined && { $gte: fromMs }), ...(toMs !== undefined && { $lt: toMs }) };
  return {
    ...(asset !== undefined && { _id: entriesOf(asset) }),
    ...(types && { type: { $in: [...types] } }),
    ...(actions && { action: { $in: [...actions] } }),
    ...(by?.kind !== undefined && { 'by.kind': by.kind }),
    ...(by?.id !== undefined && { 'by.id': by.id }),
    ...(run !== undefined && { run }),
    ...((fromMs !== undefined || toMs !== undefined) && { at }),
  };
}

/** Reads up to `limit` documents, and fewer when they are large, but at least one. */
async function readPage(
  cursor: FindCursor<ChangeDocument>,
  limit: number,
): Promise<{ documents: ChangeDocument[]; isWhole: boolean }> {
  const documents: ChangeDocument[] = [];
  let left = chunkBytes;
  try {
    for await (const document of cursor) {
      left -= bytesOf(document);
      if (documents.length === limit || (left < 0 && documents.length > 0))
        return { documents, isWhole: false };
      documents.push(document);
    }
    return { documents, isWhole: true };
  } finally {
    await cursor.close();
  }
}

function followingId(id: string): string {
  const { asset, number } = parseChangeId(id);
  return toChangeId(asset, number + 1);
}
