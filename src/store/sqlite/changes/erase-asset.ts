/**
 * Erases an asset: removes its row and its entries in the change log, and leaves one entry for each type of the removed ones. Runs on
 * the writer thread, which then removes the former values from the files; see `log-upkeep.ts`.
 */
import type { DatabaseSync } from 'node:sqlite';
import { randomIds } from '../../../base/runtime.ts';
import type { Asset } from '../../../model/content-type.ts';
import type { ChangeOrigin } from '../../changes.ts';
import type { StoredTypes } from '../indexes/field-indexes.ts';
import { createValueWriter } from '../indexes/value-writer.ts';
import { createDeletionRules } from '../writes/deletion-rules.ts';
import { createLogWriter, type LogWriter, type StoredOrigin, toStoredId } from './log-writer.ts';

export interface EraseRequest {
  readonly kind: 'erase';
  readonly id: string;
  /** A class name that the asset must have. */
  readonly type?: string | undefined;
  /** The `id` of the entry that is left for the last type of the asset. */
  readonly change: string;
  readonly origin?: ChangeOrigin | undefined;
}

/** The entries to erase: those of an asset whose row has been removed, if it had one. */
export interface ErasedEntries {
  readonly id: string;
  /** The number of the asset's last type. */
  readonly type: number;
  readonly last: number;
  /** The version of the row; absent when there was none. */
  readonly previous?: string | undefined;
  /** The `id` of the entry that is left for the last type of the asset. */
  readonly change: string;
  readonly origin: StoredOrigin;
}

/** Prepares a function that erases the entries of an asset in the caller's transaction. */
export function createEntryEraser(
  database: DatabaseSync,
  { types, log }: { types: StoredTypes; log: LogWriter },
): (erased: ErasedEntries) => void {
  const selectOtherTypes = database.prepare(
    `SELECT DISTINCT changes.type, class FROM changes JOIN types ON types.number = changes.type
     WHERE asset = ? AND changes.type <> ? ORDER BY changes.type`,
  );
  const removeEntries = database.prepare('DELETE FROM changes WHERE asset = ? AND number < ?');
  return ({ id, type, last, previous, change, origin }) => {
    const first = last + 1;
    const common = { asset: id, action: 'erase', origin } as const;
    const others = selectOtherTypes
      .all(toStoredId(id), type)
      .filter((other) => types.get(String(other.class))?.unlogged !== 'all');
    // Before the older entries are removed, because the newest entry of all must stay.
    for (const [n, other] of others.entries())
      log.append({ ...common, number: first + n, type: Number(other.type), id: randomIds.version() });
    log.append({ ...common, number: first + others.length, type, id: change, previous });
    removeEntries.run(toStoredId(id), first);
  };
}

/** Prepares a function that erases an asset in the caller's transaction; it returns whether the store knew the asset. Errors: referenced, store_busy. */
export function createErasure(
  database: DatabaseSync,
  types: StoredTypes,
): (request: EraseRequest) => boolean {
  const log = createLogWriter(database);
  const values = createValueWriter(database);
  const findBroken = createDeletionRules(database, { types, values });
  const eraseEntries = createEntryEraser(database, { types, log });
  const selectAsset = database.prepare(
    'SELECT key, type, version, last_change AS number, document FROM assets WHERE id = ?',
  );
  const selectLast = database.prepare(
    'SELECT type, number FROM changes WHERE asset = ? ORDER BY number DESC LIMIT 1',
  );
  const removeAsset = database.prepare('DELETE FROM assets WHERE key = ?');
  const count = database.prepare(
    'UPDATE types SET total = total + ?, revision = revision + 1 WHERE number = ?',
  );
  const removeEntries = database.prepare('DELETE FROM changes WHERE asset = ?');
  const forgetActor = database.prepare('UPDATE change_actors SET name = NULL WHERE id = ?');
  const selectClass = database.prepare('SELECT class FROM types WHERE number = ?');
  return ({ id, type: wanted, change, origin }) => {
    const row = selectAsset.get(id);
    const known = row ?? selectLast.get(toStoredId(id));
    if (!known) return false;
    const className = String(selectClass.get(Number(known.type))?.class);
    if (wanted !== undefined && wanted !== className) return false;
    const type = Number(known.type);
    if (row) {
      removeAsset.run(Number(row.key));
      values.forget();
      values.refresh();
      const stored = { type, key: Number(row.key), id };
      // Every stored document is an asset.
      values.remove(stored, () => JSON.parse(String(row.document)) as Asset);
      const broken = findBroken({ kind: 'delete', id, type: className });
      if (broken) throw broken;
    }
    count.run(row ? -1 : 0, type);
    if (types.get(className)?.unlogged === 'all') removeEntries.run(toStoredId(id));
    else {
      log.forget();
      const last = { last: Number(known.number), previous: row && String(row.version) };
      eraseEntries({ id, type, ...last, change, origin: log.storeOrigin(origin) });
    }
    // A user may have been called by a name that is erased with the user.
    forgetActor.run(id);
    return true;
  };
}
