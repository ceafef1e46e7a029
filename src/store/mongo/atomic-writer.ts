/**
 * Several writes that happen all or not at all: one transaction, which the first write that fails or meets nothing ends.
 *
 * An error ends a transaction, so what a write has repeated is looked up when nothing of the transaction is left.
 */
import type { ClientSession } from 'mongodb';
import { type DomainError, idInUse, isDomainError, storeBusy, valueInUse } from '../../base/errors.ts';
import type { WriteOutcome } from '../port.ts';
import type { Database } from './database.ts';
import type { DocumentWriter } from './document-writer.ts';
import type { ConflictFinder } from './explain-conflict.ts';
import { failedWrites, isDuplicate, toStoreError } from './map-error.ts';
import { idOf, type PlacedWrite } from './plan-runs.ts';
import { toKey, type UniqueFields } from './unique-values.ts';

/** Writes all or nothing, as the port has it with `atomic`. Errors: the driver's. */
export type AtomicWriter = (writes: readonly PlacedWrite[]) => Promise<WriteOutcome[]>;

/** Creates the writer over an open database. */
export function createAtomicWriter({
  database,
  documents,
  conflicts,
  uniqueFields,
}: {
  database: Database;
  documents: DocumentWriter;
  conflicts: ConflictFinder;
  uniqueFields: UniqueFields;
}): AtomicWriter {
  async function writeAll(writes: readonly PlacedWrite[], session: ClientSession): Promise<void> {
    for (let next = 0; next < writes.length; ) {
      const inserts = takeInserts(writes, next);
      if (inserts.length > 0) await insertAll(inserts, session);
      else await change(writes[next], session);
      next += Math.max(inserts.length, 1);
    }
  }

  async function insertAll(inserts: readonly Insert[], session: ClientSession): Promise<void> {
    try {
      const options = { ordered: true, session };
      await database.assets.insertMany(
        inserts.map(({ document }) => document),
        options,
      );
    } catch (error) {
      const [[index = 0, reason = error] = []] = failedWrites(error);
      throw toStop(inserts[index], reason);
    }
  }

  async function change(write: PlacedWrite | undefined, session: ClientSession): Promise<void> {
    if (!write || write.kind === 'insert') return;
    try {
      const found =
        write.kind === 'patch'
          ? await documents.patch(write, session)
          : await documents.delete(write, session);
      if (!found) throw new Stop(write, { kind: 'absent' });
    } catch (error) {
      throw toStop(write, error);
    }
  }

  /** What a write has repeated: a value of an asset that is there, or of one that an earlier write would have made. */
  async function explain(write: PlacedWrite, writes: readonly PlacedWrite[]): Promise<DomainError> {
    if (write.kind === 'delete') throw new Error('A deletion repeats no value');
    const present =
      write.kind === 'insert' ? await conflicts.ofInsert(write.document) : await conflicts.ofPatch(write);
    return present ?? findAmong(write, writes) ?? storeBusy('a unique value is changing hands');
  }

  function findAmong(write: PlacedWrite, writes: readonly PlacedWrite[]): DomainError | undefined {
    const earlier = writes.slice(0, writes.indexOf(write));
    if (write.kind === 'insert' && earlier.some((one) => idOf(one) === idOf(write)))
      return idInUse(idOf(write));
    const taken = new Set(earlier.flatMap((one) => valuesOf(one).map((value) => toKey(typeOf(one), value))));
    const repeated = valuesOf(write).find((value) => taken.has(toKey(typeOf(write), value)));
    return repeated && valueInUse(repeated.field, String(repeated.value));
  }

  function valuesOf(write: PlacedWrite) {
    if (write.kind === 'delete') return [];
    const values = write.kind === 'insert' ? write.document : documents.toValues(write);
    return uniqueFields.valuesIn(typeOf(write), values);
  }

  return async (writes) => {
    try {
      await database.inTransaction((session) => writeAll(writes, session));
      return writes.map(() => ({ kind: 'done' }));
    } catch (error) {
      if (!(error instanceof Stop)) throw error;
      const { write: guilty, outcome = { kind: 'failed', error: await explain(error.write, writes) } } =
        error;
      return writes.map((write) => (write === guilty ? outcome : { kind: 'undone' }));
    }
  };
}

type Insert = Extract<PlacedWrite, { kind: 'insert' }>;

/** Ends a transaction; without an outcome, because the write repeats a unique value. */
class Stop extends Error {
  readonly write: PlacedWrite;
  readonly outcome?: WriteOutcome;

  constructor(write: PlacedWrite, outcome?: WriteOutcome) {
    super('A write of the transaction was refused');
    this.write = write;
    if (outcome) this.outcome = outcome;
  }
}

/** What to throw when a write has failed: the driver tries transactions again that met errors of another kind. */
function toStop(write: PlacedWrite | undefined, error: unknown): unknown {
  if (!write || error instanceof Stop) return error;
  if (isDuplicate(error)) return new Stop(write);
  const known = toStoreError('write', error);
  const isGuilty = isDomainError(known, 'invalid_body') || isDomainError(known, 'precondition_failed');
  return isGuilty ? new Stop(write, { kind: 'failed', error: known }) : error;
}

/** The inserts that stand together from `start` on. */
function takeInserts(writes: readonly PlacedWrite[], start: number): Insert[] {
  const end = writes.findIndex(({ kind }, index) => index >= start && kind !== 'insert');
  return writes.slice(start, end < 0 ? writes.length : end).filter((write) => write.kind === 'insert');
}

const typeOf = (write: PlacedWrite) => (write.kind === 'insert' ? write.asset._type : write.type);
