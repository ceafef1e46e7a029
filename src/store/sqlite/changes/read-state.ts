/**
 * Reconstructs a past state of one asset on a reader thread.
 *
 * Starts from the nearest later entry that keeps the whole state, or from the asset of today, and undoes the entries in between,
 * one row at a time.
 */

import type { Actor } from '../../../base/request-origin.ts';
import type { Asset, JsonObject } from '../../../model/content-type.ts';
import {
  type ChangeAction,
  type ChangeEntry,
  entriesPerState,
  type Moment,
  undoChange,
} from '../../changes.ts';
import type { Query, Row, RunQuery } from '../connection.ts';
import { actionNumbers, fromStoredId, storedIdText, toStoredId } from './log-writer.ts';

/** Which state to find; see `ChangeLog.stateOf`. */
export interface StateRequest {
  readonly asset: string;
  readonly moment: Moment;
}

/** A past state; `document` is its JSON text. It may contain secret fields. */
export type FoundState =
  | {
      readonly kind: 'exists';
      readonly document: string;
      readonly type: string;
      readonly version: string;
      readonly number: number;
    }
  | { readonly kind: 'deleted' | 'not created' | 'removed' };

/** The small columns of an entry. */
interface Entry {
  readonly number: number;
  readonly action: ChangeAction;
  readonly id: string;
  readonly previous: string | undefined;
  readonly atMs: number;
}

/** The asset of today, and which of its entries the log has. Without an entry, `first` and `last` are absent. */
interface Known {
  readonly asset: string;
  readonly stored: Uint8Array | string;
  readonly today: { readonly version: string; readonly lastChange: number } | undefined;
  readonly first: Entry | undefined;
  readonly last: Entry | undefined;
}

/** Finds the asset at a moment. */
export function readState(all: RunQuery, { asset, moment }: StateRequest): FoundState {
  const known = findKnown(all, asset);
  const { first, today } = known;
  if (first === undefined && today === undefined) return { kind: 'not created' };
  const number = findNumber(all, known, moment);
  if (typeof number !== 'number') return number;
  const version = findVersion(all, known, number);
  if (typeof version !== 'string') return version;
  const state = reconstruct(all, known, number);
  if (state === undefined) throw new Error(`The log of ${asset} has no state ${number}`);
  return { kind: 'exists', document: JSON.stringify(state), type: state._type, version, number };
}

function findKnown(all: RunQuery, asset: string): Known {
  const stored = toStoredId(asset);
  const [today] = all({ sql: 'SELECT version, last_change FROM assets WHERE id = ?1', params: [asset] });
  const at = (order: string) => findEntry(all, stored, `ORDER BY number ${order} LIMIT 1`);
  return {
    asset,
    stored,
    today: today && { version: String(today[0]), lastChange: Number(today[1]) },
    first: at('ASC'),
    last: at('DESC'),
  };
}

function findEntry(
  all: RunQuery,
  stored: Known['stored'],
  rest: string,
  value: string | number = '',
): Entry | undefined {
  const [row] = all({
    sql: `SELECT number, action, id, previous, at FROM changes WHERE asset = ?1 ${rest}`,
    params: rest.includes('?2') ? [stored, value] : [stored],
  });
  return row && toSmallEntry(row);
}

const toSmallEntry = ([number, action, id, previous, at]: Row): Entry => ({
  number: Number(number),
  action: toAction(action),
  id: String(id),
  previous: typeof previous === 'string' ? previous : undefined,
  atMs: Number(at),
});

/** Finds the number of the entry that is the last at a moment. */
function findNumber(all: RunQuery, known: Known, moment: Moment): number | FoundState {
  const { stored, first, last, today } = known;
  const lastNumber = last?.number ?? today?.lastChange ?? 0;
  const beforeFirst = first ? first.number - 1 : lastNumber;
  if ('number' in moment) {
    if (moment.number < beforeFirst && moment.number >= 0) return { kind: 'removed' };
    return moment.number <= lastNumber && moment.number >= 0 ? moment.number : { kind: 'not created' };
  }
  if ('version' in moment) {
    const named = 'AND id = ?2 ORDER BY number DESC LIMIT 1';
    const found = findEntry(all, stored, named, moment.version)?.number;
    if (found !== undefined) return found;
    if (moment.version === (first ? first.previous : today?.version)) return beforeFirst;
    return { kind: isWhole(known) ? 'not created' : 'removed' };
  }
  const found = findEntry(all, stored, 'AND at <= ?2 ORDER BY number DESC LIMIT 1', moment.atMs);
  if (found) return found.number;
  return isWhole(known) || moment.atMs >= readLoggedSince(all) ? beforeFirst : { kind: 'removed' };
}

/** Whether the log has all entries of the asset since its creation. */
const isWhole = ({ first }: Known) => first?.number === 1 && first.action === 'create';

function readLoggedSince(all: RunQuery): number {
  const [row] = all({ sql: "SELECT value FROM store_facts WHERE name = 'logged_since'", params: [] });
  return Number(row?.[0]);
}

/** Finds the version that the asset had after an entry, or before the first one. */
function findVersion(all: RunQuery, { stored, first, today }: Known, number: number): string | FoundState {
  if (first === undefined) return today?.version ?? { kind: 'not created' };
  if (number < first.number) {
    if (first.action === 'erase') return { kind: 'removed' };
    return first.previous ?? { kind: number === 0 ? 'not created' : 'deleted' };
  }
  const entry = findEntry(all, stored, 'AND number = ?2', number);
  return (entry && versionAfter(entry)) ?? { kind: 'deleted' };
}

function reconstruct(all: RunQuery, known: Known, number: number): Asset | undefined {
  const { asset, stored, today, last } = known;
  const lastNumber = last?.number ?? number;
  const kept = Math.ceil(Math.max(1, number) / entriesPerState) * entriesPerState;
  const from = Math.min(kept, lastNumber);
  let state: Asset | undefined;
  if (from === kept && last) state = parse(readWhole(all, stored, from));
  if (state === undefined && today && from === lastNumber) {
    state = parse(all({ sql: 'SELECT document FROM assets WHERE id = ?1', params: [asset] })[0]?.[0]);
  }
  for (let undone = from; undone > number; undone--) {
    const entry = readEntry(all, { stored, number: undone });
    state = undoChange(state, entry);
  }
  return state;
}

function readWhole(all: RunQuery, stored: Known['stored'], number: number): Row[number] | undefined {
  const sql = 'SELECT state FROM changes WHERE asset = ?1 AND number = ?2';
  return all({ sql, params: [stored, number] })[0]?.[0];
}

/** A stored document is the JSON text of an asset. */
const parse = (document: Row[number] | undefined) =>
  typeof document === 'string' ? (JSON.parse(document) as Asset) : undefined;

function readEntry(
  all: RunQuery,
  { stored, number }: { stored: Known['stored']; number: number },
): Parameters<typeof undoChange>[1] {
  const [row] = all({
    sql: `SELECT action, ${changedNames}, before FROM changes WHERE asset = ?1 AND number = ?2`,
    params: [stored, number],
  });
  if (!row) throw new Error(`The change log has no entry ${number} of an asset that has later ones`);
  const [action, changed, before] = row;
  return {
    action: toAction(action),
    changed: JSON.parse(String(changed)) as string[],
    ...(typeof before === 'string' && { before: JSON.parse(before) as JsonObject }),
  };
}

/** An SQL expression for the bytes of an entry whose size varies. */
export const entryBytes = '200 + coalesce(octet_length(before), 0)';

/** An SQL expression for the JSON list of the names in `changed`. */
export const changedNames = `(SELECT json_group_array(change_names.name)
  FROM json_each(changes.changed) AS item CROSS JOIN change_names ON change_names.number = item.value)`;

/** The columns that `toEntry` reads, as SQL. */
export const entryColumns = `seq, changes.id, ${storedIdText}, changes.number, types.class, action, at, previous,
  change_actors.kind, change_actors.id, change_actors.name,
  (SELECT name FROM change_names WHERE number = run), request, ${changedNames}, before`;

/** The tables that they come from besides `changes`, as SQL. */
export const entryTables = `types ON types.number = changes.type
  CROSS JOIN change_actors ON change_actors.number = actor`;

/** Returns the query for the entries with these values of `seq`, in no order. */
export const selectEntries = (seqs: readonly number[]): Query => ({
  sql: `SELECT ${entryColumns}
    FROM json_each(?1) AS wanted CROSS JOIN changes ON changes.seq = wanted.value CROSS JOIN ${entryTables}`,
  params: [JSON.stringify(seqs)],
});

const actions = new Map(Object.entries(actionNumbers).map(([action, number]) => [number, action]));

function toAction(number: Row[number] | undefined): ChangeAction {
  const action = actions.get(Number(number));
  if (action === undefined) throw new Error(`The change log has an unknown action: ${number}`);
  // The names in `actionNumbers` are those of all actions.
  return action as ChangeAction;
}

/** Converts a row of `entryColumns`. */
export function toEntry(row: Row): ChangeEntry & { readonly seq: number } {
  const [seq, id, asset, number, type, , at, previous, kind, actorId, name, run, requestId, changed, before] =
    row;
  const action = toAction(row[5]);
  const version = versionAfter({ action, id: String(id), previous });
  // The column has the kinds of `Actor`, and those that give one have an optional `id` and `name`.
  const by = { kind, ...given('id', actorId), ...given('name', name) } as Actor;
  return {
    id: String(id),
    seq: Number(seq),
    asset: fromStoredId(String(asset)),
    number: Number(number),
    type: String(type),
    action,
    ...(version !== undefined && { version }),
    ...given('previousVersion', previous),
    // Both were written by `JSON.stringify`, from a list of names and an object.
    changed: JSON.parse(String(changed)) as string[],
    ...(typeof before === 'string' && { before: JSON.parse(before) as JsonObject }),
    by,
    ...given('run', run),
    ...given('requestId', requestId),
    atMs: Number(at),
  };
}

/** Returns the version that an asset has after a change; `undefined` when it does not exist. */
function versionAfter({
  action,
  id,
  previous,
}: {
  action: ChangeAction;
  id: string;
  previous: Row[number] | undefined;
}): string | undefined {
  if (action === 'create' || action === 'update') return id;
  return action === 'signIn' && typeof previous === 'string' ? previous : undefined;
}

const given = <Name extends string>(name: Name, value: Row[number] | undefined) =>
  // The computed name is `Name`, which the compiler widens to `string`.
  (value === null || value === undefined ? {} : { [name]: String(value) }) as { [_ in Name]?: string };
