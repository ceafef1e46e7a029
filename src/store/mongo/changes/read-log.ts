/**
 * Reads the change log: where it stands, its entries in order, and the history of one asset.
 *
 * Reads what a majority has, so that a failover cannot take back an entry that was read. One call looks through a limited number
 * of entries when no index fits the filter, and returns a limited number of bytes.
 */
import type { Filter, FindCursor, Sort } from 'mongodb';
import type { ChangeFilter, ChangeLog, LogPage, LogPosition, LogRequest } from '../../changes.ts';
import { chunkBytes } from '../../port.ts';
import type { Database, FormatRecord, NumberingRecord } from '../database.ts';
import {
  bytesOf,
  type ChangeDocument,
  entriesOf,
  parseChangeId,
  toChangeId,
  toEntry,
} from './change-document.ts';

/** The reading part of the log. Errors: the driver's. */
export type LogReader = Pick<ChangeLog, 'position' | 'read' | 'history'>;

/** The most entries that a filter without an index looks through in one call. */
const maxExamined = 10_000;

const majority = { readConcern: { level: 'majority' } } as const;
const withoutState = { projection: { state: 0 } } as const;

/** Creates the reader over an open database, whose format exists. */
export function createLogReader({ changes, store }: Database): LogReader {
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
