/**
 * The references whose targets did not exist when they were written. The journal keeps them until the end of the import.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { Targets } from '../target/content-target.ts';

/** A reference whose target does not exist yet. */
export interface DanglingReference {
  readonly line: number;
  /** The `_id` of the asset that has it. */
  readonly id: string;
  readonly path: string;
  readonly type: string;
  readonly ref: string;
  /** The member of a report line that keeps the asset of a dry run; null when the asset was written. */
  readonly kept: string | null;
}

export type DanglingTable = ReturnType<typeof createDanglingTable>;

/** Opens the table of a journal. */
export function createDanglingTable(database: DatabaseSync) {
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
    /** Lists every target, by type, at most `size` at once. */
    targets,
    /** Deletes the references to these targets, which exist now. */
    resolve,
    count: () => Number(count.get()?.n),
    // The rows are as the table has them.
    /** Lists the references in the order of lines. */
    all: () => all.iterate() as unknown as Iterable<DanglingReference>,
  };
}
