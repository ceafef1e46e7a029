/**
 * Erases an asset: removes its row and its entries in the change log, and leaves one entry for each type of the removed ones. Runs on
 * the writer thread, which then removes the former values from the files; see `rebuild-file.ts`.
 */
import type { DatabaseSync } from 'node:sqlite';
import { randomIds } from '../../../base/runtime.ts';
import type { Asset } from '../../../model/content-type.ts';
import type { ChangeOrigin } from '../../changes.ts';
import type { StoredTypes } from '../indexes/stored-types.ts';
import { createValueWriter } from '../indexes/value-writer.ts';
import { createLogWriter } from './log-writer.ts';
import { toStoredId } from './stored-id.ts';

/** A request to erase an asset. */
export interface EraseRequest {
  readonly kind: 'erase';
  readonly id: string;
  /** A class name that the asset must have. */
  readonly type?: string | undefined;
  /** The `id` of the entry that is left for the last type of the asset. */
  readonly change: string;
  readonly origin?: ChangeOrigin | undefined;
}

/** Prepares a function that erases an asset in the caller's transaction; it returns whether the store knew the asset. */
export function createErasure(
  database: DatabaseSync,
  types: StoredTypes,
): (request: EraseRequest) => boolean {
  const log = createLogWriter(database);
  const values = createValueWriter(database);
  const selectAsset = database.prepare(
    'SELECT key, type, version, last_change AS number, document FROM assets WHERE id = ?',
  );
  const selectLast = database.prepare(
    'SELECT type, number FROM changes WHERE asset = ? ORDER BY number DESC LIMIT 1',
  );
  const selectOtherTypes = database.prepare(
    `SELECT DISTINCT changes.type, class FROM changes JOIN types ON types.number = changes.type
     WHERE asset = ? AND changes.type <> ? ORDER BY changes.type`,
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
    if (row) {
      removeAsset.run(Number(row.key));
      values.forget();
      values.refresh();
      const stored = { type: Number(row.type), key: Number(row.key), id };
      // Every stored document is an asset.
      values.remove(stored, () => JSON.parse(String(row.document)) as Asset);
    }
    count.run(row ? -1 : 0, Number(known.type));
    const first = Number(known.number) + 1;
    // Before the older entries are removed, because the newest entry of all must stay.
    if (isLogged(className)) {
      log.forget();
      const common = { asset: id, action: 'erase', origin: log.storeOrigin(origin) } as const;
      const others = selectOtherTypes
        .all(toStoredId(id), Number(known.type))
        .filter((other) => isLogged(String(other.class)));
      for (const [n, other] of others.entries())
        log.append({ ...common, number: first + n, type: Number(other.type), id: randomIds.version() });
      const last = { number: first + others.length, type: Number(known.type), id: change };
      log.append({ ...common, ...last, previous: row && String(row.version) });
    }
    removeEntries.run(toStoredId(id), first);
    // A user may have been called by a name that is erased with the user.
    forgetActor.run(id);
    return true;
  };
}
