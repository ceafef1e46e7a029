/**
 * Reads the change log on a reader thread: pages of the whole log, the history of one asset, and past states.
 *
 * Each request reads one snapshot, examines a limited number of entries and returns a limited number of bytes.
 */

import type { ChangeFilter, HistoryRequest, LogRequest } from '../../changes.ts';
import { chunkBytes } from '../../port.ts';
import type { ReadCaller } from '../../read-caller.ts';
import type { Row, RunQuery } from '../connection.ts';
import { actionNumbers, toStoredId } from './log-writer.ts';
import { entryBytes, type FoundState, readState, type StateRequest, selectEntries } from './read-state.ts';

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

// Compiles a request for a page of the change log to SQL.
//
// The range decides which entries are examined and in which order: those of an asset or of a run by their index, otherwise all.
// The conditions decide which of them are found.

/** The parts of the statements. The parameters of the range come first. */
type CompiledLog = ReturnType<typeof compileLog>;

type Param = string | number | Uint8Array;

function compileLog({ order, from, filter = {} }: Pick<LogRequest, 'order' | 'from' | 'filter'>) {
  const params: Param[] = [];
  const add: AddParam = (value) => `?${params.push(value)}`;
  const isOldestFirst = order === 'oldest first';
  const { table, condition } = compileTable(filter, add);
  const start = from === undefined ? [] : [`seq ${isOldestFirst ? '>' : '<'} ${add(from)}`];
  const rangeParams = [...params];
  /** Further conditions; empty when all entries of the range are found. */
  const conditions = compileConditions(filter, add);
  // The entries of one asset have rising numbers, by which their index orders them.
  const column = filter.asset === undefined ? 'seq' : 'number';
  return {
    /** `FROM` and `WHERE` with the condition of the range. */
    range: `FROM ${table} WHERE ${[...condition, ...start, 'TRUE'].join(' AND ')}`,
    orderBy: `ORDER BY ${column} ${isOldestFirst ? 'ASC' : 'DESC'}`,
    /** A condition that holds up to and including an entry with this `seq`. */
    upTo: (seq: number) => `seq ${isOldestFirst ? '<=' : '>='} ${Number(seq)}`,
    conditions,
    rangeParams,
    conditionParams: params.slice(rangeParams.length),
  };
}

type AddParam = (value: Param) => string;

function compileTable({ asset, run }: ChangeFilter, add: AddParam) {
  if (asset !== undefined) {
    return {
      table: 'changes INDEXED BY changes_by_asset',
      condition: [`asset = ${add(toStoredId(asset))}`],
    };
  }
  if (run === undefined) return { table: 'changes', condition: [] };
  const number = `(SELECT number FROM change_names WHERE name = ${add(run)})`;
  return {
    table: 'changes INDEXED BY changes_by_run',
    condition: ['run IS NOT NULL', `run = ${number}`],
  };
}

/** The conditions do not repeat that of the table, except `run` beside `asset`. */
function compileConditions(filter: ChangeFilter, add: AddParam): string[] {
  const { asset, run, types, actions, by, fromMs, toMs, latestOnly = false } = filter;
  const listed = (values: readonly (string | number)[]) =>
    `(SELECT value FROM json_each(${add(JSON.stringify(values))}))`;
  const conditions: (string | false | undefined)[] = [
    asset !== undefined &&
      run !== undefined &&
      `run = (SELECT number FROM change_names WHERE name = ${add(run)})`,
    types && `type IN (SELECT number FROM types WHERE class IN ${listed(types)})`,
    actions && `action IN ${listed(actions.map((action) => actionNumbers[action]))}`,
    by && `actor IN (SELECT number FROM change_actors WHERE ${compileActor(by, add)})`,
    fromMs !== undefined && `at >= ${add(fromMs)}`,
    toMs !== undefined && `at < ${add(toMs)}`,
    latestOnly &&
      `NOT EXISTS (SELECT 1 FROM changes AS later
        WHERE later.asset = changes.asset AND later.number > changes.number)`,
  ];
  return conditions.filter((condition) => typeof condition === 'string');
}

function compileActor({ kind, id }: NonNullable<ChangeFilter['by']>, add: AddParam): string {
  const conditions = [
    ...(kind === undefined ? [] : [`kind = ${add(kind)}`]),
    ...(id === undefined ? [] : [`id = ${add(id)}`]),
    'TRUE',
  ];
  return conditions.join(' AND ');
}
