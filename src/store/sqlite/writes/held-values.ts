/**
 * Applies the writes of an atomic batch so that its assets can exchange unique values: the writes leave the columns of unique values
 * empty, and the values that the assets have at the end are written after all.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { Asset } from '../../../model/content-type.ts';
import { type FieldIndex, indexedValues } from '../indexes/field-indexes.ts';
import type { ValueRow, ValueWriter } from '../indexes/value-writer.ts';
import { explainConflict, findValueInUse } from './row-writer.ts';

/** A column to write, and the position of the last write that changed it. */
interface HeldColumn {
  readonly row: ValueRow;
  readonly index: FieldIndex;
  readonly position: number;
}

/** A write of the batch that was refused, by its position. */
interface Refused<Outcome> {
  readonly position: number;
  readonly outcome: Outcome;
}

/** The parts of `holdValues`. */
interface Holding<Outcome> {
  readonly values: ValueWriter;
  /** Applies the write at a position; returns the outcome if it is refused. */
  readonly attempt: (position: number) => Outcome | undefined;
  /** Returns the outcome of a write that repeats a value. */
  readonly refuse: (error: unknown) => Outcome;
}

/** Applies as many writes; returns the first one that is refused. The caller undoes them then. Errors: SQLite's. */
export function holdValues<Outcome>(
  database: DatabaseSync,
  count: number,
  { values, attempt, refuse }: Holding<Outcome>,
): Refused<Outcome> | undefined {
  const held = new Map<string, HeldColumn>();
  try {
    for (let position = 0; position < count; position++) {
      values.holdUnique((row, index) => held.set(`${index.name} ${row.id}`, { row, index, position }));
      const outcome = attempt(position);
      if (outcome !== undefined) return { position, outcome };
    }
  } finally {
    values.holdUnique();
  }
  for (const column of [...held.values()].sort((one, other) => one.position - other.position)) {
    try {
      writeHeld(database, values, column);
    } catch (error) {
      if (!database.isTransaction) throw error;
      return { position: column.position, outcome: refuse(error) };
    }
  }
  return undefined;
}

/** Writes the present value of an asset into a column, unless a later write has deleted the asset. Errors: value_in_use, SQLite's. */
function writeHeld(
  database: DatabaseSync,
  values: ValueWriter,
  { row: { type, id }, index }: HeldColumn,
): void {
  const row = database.prepare('SELECT document FROM assets WHERE id = ? AND type = ?').get(id, type);
  if (!row) return;
  // Every stored document is an asset.
  const asset = JSON.parse(String(row.document)) as Asset;
  const update = database.prepare(`UPDATE ${index.table} SET ${index.column} = ? WHERE id = ?`);
  explainConflict(
    () => update.run(indexedValues(index, asset)[0] ?? null, id),
    () => findValueInUse(database, values, { type, id, asset }),
  );
}
