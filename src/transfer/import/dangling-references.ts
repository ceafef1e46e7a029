/**
 * The references whose targets were not there when they were written, as the journal keeps them until the end.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { Targets } from '../target/content-target.ts';

/** A reference that leads nowhere as yet. */
export interface DanglingReference {
  readonly line: number;
  /** The `_id` of the asset that has it. */
  readonly id: string;
  readonly path: string;
  readonly type: string;
  readonly ref: string;
  /** The member of a report's line that keeps the asset; null when it is there, and not only would be. */
  readonly kept: string | null;
}

/** The table of them. */
export interface DanglingTable {
  /** Every target, by type, at most `size` at once. */
  targets(size: number): Iterable<Targets>;
  /** Forgets the references to targets that are there. */
  resolve(targets: Targets): void;
  count(): number;
  /** In the order of lines. */
  all(): Iterable<DanglingReference>;
}

/** The table in an open journal. */
export function createDanglingTable(database: DatabaseSync): DanglingTable {
  const types = database.prepare('SELECT DISTINCT type FROM dangling ORDER BY type');
  const next = database.prepare(
    'SELECT DISTINCT ref FROM dangling WHERE type = ? AND ref > ? ORDER BY ref LIMIT ?',
  );
  const remove = database.prepare('DELETE FROM dangling WHERE type = ? AND ref = ?');
  const count = database.prepare('SELECT count(*) AS n FROM dangling');
  const all = database.prepare('SELECT * FROM dangling ORDER BY line, path');

  function* targets(size: number): Iterable<Targets> {
    for (const { type } of types.all()) {
      let last = '';
      for (;;) {
        const refs = next.all(String(type), last, size).map(({ ref }) => String(ref));
        if (refs.length === 0) break;
        last = refs.at(-1) ?? '';
        yield { type: String(type), refs };
      }
    }
  }

  function resolve({ type, refs }: Targets): void {
    database.exec('BEGIN IMMEDIATE');
    for (const ref of refs) remove.run(type, ref);
    database.exec('COMMIT');
  }

  return {
    targets,
    resolve,
    count: () => Number(count.get()?.n),
    // The rows are as the table has them.
    all: () => all.iterate() as unknown as Iterable<DanglingReference>,
  };
}
