/**
 * Appends entries to the change log. The caller opens the transaction, in which it also changes the asset.
 */
import type { DatabaseSync } from 'node:sqlite';
import { type ChangeAction, type ChangeOrigin, entriesPerState } from '../../changes.ts';
import { actionNumbers, sqlNow } from './change-tables.ts';
import { createLogWords } from './log-words.ts';
import { toStoredId } from './stored-id.ts';

/** An origin with the numbers of its words. */
export interface StoredOrigin {
  readonly atMs: number;
  readonly actor: number;
  readonly run: number | null;
  readonly requestId: string | null;
}

/** An entry to append. */
export interface NewEntry {
  readonly origin: StoredOrigin;
  readonly id: string;
  /** The `_id` of the asset. */
  readonly asset: string;
  readonly number: number;
  /** The number of the type. */
  readonly type: number;
  readonly action: ChangeAction;
  readonly previous?: string | undefined;
  /** The JSON list of the names of changed fields; absent when there are none. */
  readonly changed?: string | undefined;
  /** JSON text of the former values, without secret fields. */
  readonly before?: string | undefined;
  /** Returns the JSON text of the asset after the change, without secret fields. Absent when there is no asset. */
  readonly state?: () => string;
}

/** Writes the change log. */
export interface LogWriter {
  /** Stores the words of an origin. A write without an origin is one of Colophon itself. */
  storeOrigin(origin?: ChangeOrigin): StoredOrigin;
  /** Returns the number of the last entry of an asset that has no row, 0 when there is none. */
  findLast(asset: string): number;
  append(entry: NewEntry): void;
  /** Has to be called after each rollback. */
  forget(): void;
}

/** Prepares the statements. */
export function createLogWriter(database: DatabaseSync): LogWriter {
  const words = createLogWords(database);
  const now = database.prepare(`SELECT ${sqlNow} AS ms`);
  // Without an aggregate, which would return a row for each new asset.
  const selectLast = database.prepare(
    'SELECT number FROM changes WHERE asset = ? ORDER BY number DESC LIMIT 1',
  );
  const insert = database.prepare(
    `INSERT INTO changes (asset, number, type, action, at, actor, run, id, previous, request, changed, before, state)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  return {
    storeOrigin({ by, run, requestId, atMs } = { by: colophon, atMs: Number(now.get()?.ms) }) {
      return {
        atMs,
        actor: words.actorNumber(by),
        run: run === undefined ? null : words.nameNumber(run),
        requestId: requestId ?? null,
      };
    },
    findLast: (asset) => Number(selectLast.get(toStoredId(asset))?.number ?? 0),
    append({ origin, id, asset, number, type, action, previous, changed, before, state }) {
      const names = changed === undefined ? null : words.numbersOf(changed);
      const { atMs, actor, run, requestId } = origin;
      const whole = number % entriesPerState === 0 && state ? state() : null;
      const who = [atMs, actor, run] as const;
      const what = [id, previous ?? null, requestId, names, before ?? null, whole] as const;
      insert.run(toStoredId(asset), number, type, actionNumbers[action], ...who, ...what);
    },
    forget: words.forget,
  };
}

const colophon = { kind: 'system' } as const;
