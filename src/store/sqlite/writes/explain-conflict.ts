/**
 * Explains why a write violated a unique index: the identifier is in use, or a value is.
 */
import type { DatabaseSync } from 'node:sqlite';
import { type DomainError, valueInUse } from '../../../base/errors.ts';
import type { Asset } from '../../../model/content-type.ts';
import { indexedValues, toWritten } from '../indexes/field-indexes.ts';
import type { ValueWriter } from '../indexes/value-writer.ts';
import { isUniqueViolation } from '../map-error.ts';

/** Runs `write`; when it violates a unique constraint, throws what `explain` returns. */
export function explainConflict<Result>(write: () => Result, explain: () => DomainError | undefined): Result {
  try {
    return write();
  } catch (error) {
    throw isUniqueViolation(error) ? (explain() ?? error) : error;
  }
}

/** The asset that a write stores. */
export interface Candidate {
  /** The number of its type. */
  readonly type: number;
  readonly id: string;
  readonly asset: Asset;
}

/** Finds the value of an asset that another one has. */
export function findValueInUse(
  database: DatabaseSync,
  values: ValueWriter,
  { type, id, asset }: Candidate,
): DomainError | undefined {
  for (const index of values.uniqueOf(type)) {
    const rival = database.prepare(`SELECT 1 FROM ${index.table} WHERE ${index.column} = ? AND id <> ?`);
    for (const value of indexedValues(index, asset))
      if (rival.get(value, id)) return valueInUse(index.field, toWritten(index, value));
  }
  return undefined;
}
