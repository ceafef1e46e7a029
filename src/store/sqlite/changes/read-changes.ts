/**
 * Reads the change log on a reader thread: pages of the whole log, the history of one asset, and past states.
 *
 * Each request reads one snapshot, examines a limited number of entries and returns a limited number of bytes.
 */
import type { HistoryRequest, LogRequest } from '../../changes.ts';
import { chunkBytes } from '../../port.ts';
import type { ReadCaller } from '../../read-caller.ts';
import type { Row, RunQuery } from '../connection.ts';
import { entryBytes, selectEntries } from './entry-rows.ts';
import { type CompiledLog, compileLog } from './log-filter.ts';
import { type FoundState, readState, type StateRequest } from './read-state.ts';
import { toStoredId } from './stored-id.ts';

/** A request to a reader thread. */
export type ChangesRequest =
  | ({ readonly kind: 'log' } & Omit<LogRequest, keyof ReadCaller>)
  | ({ readonly kind: 'history' } & Omit<HistoryRequest, keyof ReadCaller>)
  | ({ readonly kind: 'state' } & StateRequest);

/** The rows of `selectEntries` in order, with where the next page begins. */
export interface FoundEntries {
  readonly rows: readonly Row[];
  readonly next?: number;
}

/** The result of a request. */
export type FoundChanges = FoundEntries | FoundState;

/** How many entries one request examines. */
const maxExamined = 10_000;

/** Answers a request; `all` runs a query. */
export function readChanges(all: RunQuery, request: ChangesRequest): FoundChanges {
  switch (request.kind) {
    case 'log':
      return readLog(all, request);
    case 'history':
      return readHistory(all, request);
    case 'state':
      return readState(all, request);
  }
}

function readLog(all: RunQuery, request: LogRequest): FoundEntries {
  const compiled = compileLog(request);
  const { range, orderBy, conditions, rangeParams, conditionParams, upTo } = compiled;
  const limit = Math.min(request.limit, maxExamined);
  const end = conditions.length > 0 ? findLastExamined(all, compiled) : undefined;
  const where = [range, ...conditions, ...(end === undefined ? [] : [upTo(end)])].join(' AND ');
  const located = all({
    sql: `SELECT seq, ${entryBytes} ${where} ${orderBy} LIMIT ${limit + 1}`,
    params: [...rangeParams, ...conditionParams],
  });
  const fitting = takeFitting(located, limit);
  const next = fitting.length < located.length ? fitting.at(-1) : end;
  return { rows: readRows(all, fitting), ...(next !== undefined && { next }) };
}

/** Returns the `seq` of the last entry that may be examined; `undefined` when the range ends before. */
function findLastExamined(all: RunQuery, { range, orderBy, rangeParams }: CompiledLog): number | undefined {
  const [row] = all({
    sql: `SELECT seq ${range} ${orderBy} LIMIT 1 OFFSET ${maxExamined}`,
    params: rangeParams,
  });
  return row && Number(row[0]);
}

function readHistory(all: RunQuery, { asset, before, limit: wanted }: HistoryRequest): FoundEntries {
  const limit = Math.min(wanted, maxExamined);
  const located = all({
    sql: `SELECT seq, ${entryBytes}, number FROM changes WHERE asset = ?1 AND number < ?2
      ORDER BY number DESC LIMIT ${limit + 1}`,
    params: [toStoredId(asset), before ?? Number.MAX_SAFE_INTEGER],
  });
  const fitting = takeFitting(located, limit);
  const last = located[fitting.length - 1];
  const isCut = fitting.length < located.length && last !== undefined;
  return { rows: readRows(all, fitting), ...(isCut && { next: Number(last[2]) }) };
}

/** Returns the `seq` of the first entries that are not larger than a chunk, of at least one. */
function takeFitting(located: readonly Row[], limit: number): number[] {
  let left = chunkBytes;
  const tooMany = located.findIndex(([, bytes], index) => {
    left -= Number(bytes);
    return left < 0 && index > 0;
  });
  const count = Math.min(limit, tooMany < 0 ? located.length : tooMany);
  return located.slice(0, count).map(([seq]) => Number(seq));
}

/** Reads located entries and puts them in order. */
function readRows(all: RunQuery, seqs: readonly number[]): readonly Row[] {
  if (seqs.length === 0) return [];
  const bySeq = new Map(all(selectEntries(seqs)).map((row) => [row[0], row]));
  return seqs.map((seq) => bySeq.get(seq)).filter((row) => row !== undefined);
}
