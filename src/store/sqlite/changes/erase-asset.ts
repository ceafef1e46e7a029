/**
 * Erases an asset: removes its row and its entries in the change log, and leaves one entry. Runs on the writer thread.
 *
 * The connection overwrites what it deletes (`PRAGMA secure_delete`), so afterwards only the WAL may contain former values, and
 * pages that 0.1 has freed. `overwriteFormerValues` removes those.
 */
import type { DatabaseSync } from 'node:sqlite';
import { storeBusy } from '../../../base/errors.ts';
import type { ChangeOrigin } from '../../changes.ts';
import type { StoredTypes } from '../indexes/stored-types.ts';
import { isBusy } from '../map-error.ts';
import { waitForOthers } from '../writes/transaction.ts';
import { createLogWriter } from './log-writer.ts';
import { toStoredId } from './stored-id.ts';

/** A request to erase an asset. */
export interface EraseRequest {
  readonly kind: 'erase';
  readonly id: string;
  /** A class name that the asset must have. */
  readonly type?: string | undefined;
  /** The `id` of the entry that is left. */
  readonly change: string;
  readonly origin: ChangeOrigin;
}

/** Prepares a function that erases an asset in the caller's transaction; it returns whether the store knew the asset. */
export function createErasure(
  database: DatabaseSync,
  types: StoredTypes,
): (request: EraseRequest) => boolean {
  const log = createLogWriter(database);
  const selectAsset = database.prepare(
    'SELECT key, type, version, last_change AS number FROM assets WHERE id = ?',
  );
  const selectLast = database.prepare(
    'SELECT type, number FROM changes WHERE asset = ? ORDER BY number DESC LIMIT 1',
  );
  const removeAsset = database.prepare('DELETE FROM assets WHERE key = ?');
  const count = database.prepare(
    'UPDATE types SET total = total + ?, revision = revision + 1 WHERE number = ?',
  );
  const removeEntries = database.prepare('DELETE FROM changes WHERE asset = ? AND number < ?');
  const forgetActor = database.prepare('UPDATE change_actors SET name = NULL WHERE id = ?');
  const selectClass = database.prepare('SELECT class FROM types WHERE number = ?');
  const isLogged = (className: string) => types.get(className)?.unlogged !== 'all';
  return ({ id, type, change, origin }) => {
    const row = selectAsset.get(id);
    const known = row ?? selectLast.get(toStoredId(id));
    if (!known) return false;
    const className = String(selectClass.get(Number(known.type))?.class);
    if (type !== undefined && type !== className) return false;
    if (row) removeAsset.run(Number(row.key));
    count.run(row ? -1 : 0, Number(known.type));
    const number = Number(known.number) + 1;
    // Before the older entries are removed, because the newest entry of all must stay.
    if (isLogged(className)) {
      log.forget();
      const previous = row && String(row.version);
      const entry = { asset: id, number, type: Number(known.type), action: 'erase', previous } as const;
      log.append({ ...entry, id: change, origin: log.storeOrigin(origin) });
    }
    removeEntries.run(toStoredId(id), number);
    // A user may have been called by a name that is erased with the user.
    forgetActor.run(id);
    return true;
  };
}

/**
 * Empties the WAL, so that no file contains what was deleted. Rebuilds the file once if 0.1 has written it, because 0.1 did not
 * overwrite what it deleted.
 *
 * Errors: store_busy while a reader needs the WAL, or another process writes.
 */
export function overwriteFormerValues(database: DatabaseSync): void {
  const fact = database.prepare("SELECT value FROM store_facts WHERE name = 'overwritten'").get();
  if (fact?.value !== 1) {
    waitForOthers(() => database.exec('VACUUM'));
    database.exec("UPDATE store_facts SET value = 1 WHERE name = 'overwritten'");
  }
  const result = runCheckpoint(database);
  if (result !== 0) throw storeBusy('former values are still being read');
}

/** Returns 0 when everything was copied to the file and the WAL is empty. */
function runCheckpoint(database: DatabaseSync): number {
  try {
    return Number(database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy);
  } catch (error) {
    if (!isBusy(error)) throw error;
    return 1;
  }
}
