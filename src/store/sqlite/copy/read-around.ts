/**
 * Reads rows of a file that may be damaged, around what cannot be read.
 *
 * A scan ends where SQLite meets a damaged page. It is begun again at the next key, and the one after that, until a key lies behind the
 * damage: each attempt seeks its key as a read of one row does, so that whatever such a read finds is found here as well.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { Row } from '../connection.ts';
import { isUnreadable } from '../map-error.ts';

/** Rows to read. */
export interface RowQuery {
  /** Selects the rows whose key is `?1` or greater, in its order; the key is the first column. */
  readonly sql: string;
  /** Statements of which each finds the greatest key; the first that can be read counts. */
  readonly greatest: readonly string[];
  /** Is called for each part that cannot be read. */
  onDamage(): void;
}

/** How many keys without a readable row in sequence are tried before the rest is given up. */
const maxAttempts = 2_000_000;

/** Yields all rows that can be read. Rows of a damaged page may have wrong keys, or come twice. */
export function* readAround(database: DatabaseSync, { sql, greatest, onDamage }: RowQuery): Generator<Row> {
  const statement = database.prepare(sql);
  statement.setReturnArrays(true);
  const last = findGreatest(database, greatest);
  let next = 0;
  for (let attempts = 0; attempts < maxAttempts && next <= last; ) {
    try {
      // With `setReturnArrays` rows are arrays, which the declared types do not know.
      for (const row of statement.iterate(next) as Iterable<unknown>) {
        const key = Number((row as Row)[0]);
        if (key >= next && key <= last) {
          next = key + 1;
          attempts = 0;
        }
        yield row as Row;
      }
      return;
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      if (attempts === 0) onDamage();
      attempts++;
      next++;
    }
  }
}

function findGreatest(database: DatabaseSync, statements: readonly string[]): number {
  for (const sql of statements) {
    const found = attempt(() => Number(database.prepare(sql).get()?.key ?? 0));
    if (found !== undefined) return found;
  }
  return Number.MAX_SAFE_INTEGER - 1;
}

/** Yields the rows of a query from its begin and, if a page is damaged, from its end, as far as they can be read. */
export function* readFromBothEnds(
  database: DatabaseSync,
  { select, order }: { readonly select: string; readonly order: string },
  onDamage: () => void,
): Generator<Row> {
  for (const direction of ['ASC', 'DESC']) {
    try {
      const statement = database.prepare(`${select} ORDER BY ${order} ${direction}`);
      statement.setReturnArrays(true);
      for (const row of statement.iterate() as Iterable<unknown>) yield row as Row;
      return;
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      onDamage();
    }
  }
}

/** Returns the result of reading; `undefined` when it meets damage. */
export function attempt<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch (error) {
    if (isUnreadable(error)) return undefined;
    throw error;
  }
}
