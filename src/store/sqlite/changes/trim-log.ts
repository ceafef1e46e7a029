/**
 * Removes the oldest entries of the change log. Runs in a transaction of the writer thread.
 */
import type { DatabaseSync } from 'node:sqlite';

/** A request to remove entries that were written before a time. */
export interface TrimRequest {
  readonly kind: 'trim';
  readonly beforeMs: number;
  readonly limit: number;
}

/** How many entries were removed, and whether the request is done. */
export interface TrimResult {
  readonly kind: 'trimmed';
  readonly removed: number;
  readonly isDone: boolean;
}

/** The entries and the bytes that one transaction removes, so that it takes a few milliseconds. */
const maxEntries = 500;
const maxBytes = 4_000_000;

/** Prepares a function that removes some entries, and at most `limit` of them. */
export function createTrimming(database: DatabaseSync): (request: TrimRequest) => TrimResult {
  const select = database.prepare(
    `SELECT seq, at, coalesce(octet_length(before), 0) + coalesce(octet_length(state), 0) AS bytes
     FROM changes WHERE seq < (SELECT max(seq) FROM changes) ORDER BY seq LIMIT ?`,
  );
  const remove = database.prepare('DELETE FROM changes WHERE seq <= ?');
  const raiseStart = database.prepare(
    `UPDATE store_facts SET value = max(value, ?) WHERE name = 'logged_since'`,
  );
  const raiseTrimmed = database.prepare(
    `INSERT INTO store_facts (name, value) VALUES ('trimmed_to', ?)
     ON CONFLICT (name) DO UPDATE SET value = max(value, excluded.value)`,
  );
  return ({ beforeMs, limit }) => {
    const rows = select.all(Math.min(limit, maxEntries));
    const newer = rows.findIndex(({ at }) => Number(at) >= beforeMs);
    const old = newer < 0 ? rows : rows.slice(0, newer);
    const part = old.slice(0, Math.max(1, countFitting(old.map(({ bytes }) => Number(bytes)))));
    const last = part.at(-1);
    if (last) {
      remove.run(Number(last.seq));
      raiseTrimmed.run(Number(last.seq));
      raiseStart.run(Math.max(...part.map(({ at }) => Number(at))));
    }
    const isMore = part.length < old.length || old.length === maxEntries;
    return { kind: 'trimmed', removed: part.length, isDone: part.length === limit || !isMore };
  };
}

function countFitting(sizes: readonly number[]): number {
  let left = maxBytes;
  const tooMany = sizes.findIndex((bytes) => {
    left -= bytes;
    return left < 0;
  });
  return tooMany < 0 ? sizes.length : tooMany;
}
