/**
 * The state of the backfill in a database file: one JSON text among the facts of the store.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { BackfillState } from '../../backfill-calls.ts';

/** The statement that reads the text; a store without a backfill has no row. */
export const selectBackfillState = "SELECT value FROM store_facts WHERE name = 'backfill'";

/** Parses the text. `createStateWriter` and `insertState` write nothing else. */
export const parseBackfillState = (value: unknown) => JSON.parse(String(value)) as BackfillState;

/** Inserts the state of a copy into a new file, in the transaction of the caller. */
export function insertState(database: DatabaseSync, state: BackfillState): void {
  database.prepare("INSERT INTO store_facts (name, value) VALUES ('backfill', ?)").run(JSON.stringify(state));
}

/** Prepares a function that replaces the state if its revision is still one less, and returns whether it was. */
export function createStateWriter(database: DatabaseSync): (state: BackfillState) => boolean {
  const insert = database.prepare(
    "INSERT INTO store_facts (name, value) VALUES ('backfill', ?) ON CONFLICT DO NOTHING",
  );
  const replace = database.prepare(
    "UPDATE store_facts SET value = ?1 WHERE name = 'backfill' AND value ->> '$.revision' = ?2",
  );
  return (state) => {
    const text = JSON.stringify(state);
    const { changes } = state.revision === 1 ? insert.run(text) : replace.run(text, state.revision - 1);
    return changes === 1;
  };
}
