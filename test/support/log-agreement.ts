/** Compares the change log of a SQLite file with its assets, entry by entry, without the code of the store. */

import type { DatabaseSync } from 'node:sqlite';
import { isDeepStrictEqual } from 'node:util';
import type { Asset } from '../../src/model/content-type.ts';
import { type ChangeAction, undoChange } from '../../src/store/changes.ts';

interface EntryRow {
  readonly id: string;
  readonly number: number;
  readonly action: number;
  readonly entry: string;
  readonly previous: string | null;
  readonly changed: string;
  readonly before: string | null;
  readonly state: string | null;
}
interface AssetRow {
  readonly version: string;
  readonly last_change: number;
  readonly document: string;
}

const actions: readonly ChangeAction[] = ['create', 'update', 'delete', 'erase', 'signIn'];

const selectEntries = `SELECT lower(hex(asset)) AS id, number, action, id AS entry, previous, before, state,
    (SELECT json_group_array(name) FROM json_each(changed) CROSS JOIN change_names ON change_names.number = value) AS changed
  FROM changes ORDER BY asset, number DESC`;

/**
 * Finds the assets whose entries do not lead from nothing to what is stored: gaps in their numbers, other versions, kept states
 * that differ, or remains after undoing all entries. Assets without entries are found, too.
 */
export function findDisagreements(database: DatabaseSync): string[] {
  // The rows have the columns of the statements, whose tables are strict.
  const assets = new Map(
    database
      .prepare("SELECT replace(id, '-', '') AS id, version, last_change, document FROM assets")
      .all()
      .map((row) => [String(row.id), row as unknown as AssetRow]),
  );
  const entries = Map.groupBy(database.prepare(selectEntries).all() as unknown as EntryRow[], ({ id }) => id);
  const ids = new Set([...assets.keys(), ...entries.keys()]);
  return [...ids].filter((id) => !agree(assets.get(id), entries.get(id) ?? []));
}

/** `entries` are those of one asset, newest first. */
function agree(asset: AssetRow | undefined, entries: readonly EntryRow[]): boolean {
  if (asset && asset.last_change !== entries.length) return false;
  let state = asset && (JSON.parse(asset.document) as Asset);
  let version = asset?.version ?? null;
  for (const [index, entry] of entries.entries()) {
    const { number, previous } = entry;
    const action = actions[entry.action - 1] ?? 'update';
    if (number !== entries.length - index || (action !== 'delete' && entry.entry !== version)) return false;
    if ((state === undefined) !== (action === 'delete')) return false;
    const kept = entry.state === null ? undefined : (JSON.parse(entry.state) as Asset);
    if (number % 64 === 0 && !isDeepStrictEqual(kept, state)) return false;
    const before = entry.before === null ? {} : { before: JSON.parse(entry.before) };
    state = undoChange(state, { action, changed: JSON.parse(entry.changed), ...before });
    version = previous;
  }
  return state === undefined && version === null;
}
