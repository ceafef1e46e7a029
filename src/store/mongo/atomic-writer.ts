/**
 * Several writes that happen all or not at all: one transaction, which the first write that fails or meets nothing ends.
 *
 * An error ends a transaction, so what a write has repeated is looked up in another one, of which nothing is kept.
 */
import type { ClientSession } from 'mongodb';
import { type DomainError, isDomainError, storeBusy } from '../../base/errors.ts';
import type { WriteOutcome } from '../port.ts';
import type { Database } from './database.ts';
import type { DocumentWriter } from './document-writer.ts';
import type { ConflictFinder } from './explain-conflict.ts';
import { failedWrites, isDuplicate, isTransactionTooLarge, toStoreError } from './map-error.ts';
import type { PlacedWrite } from './plan-runs.ts';

/** Writes all or nothing, as the port has it with `atomic`. Errors: the driver's. */
export type AtomicWriter = (writes: readonly PlacedWrite[]) => Promise<WriteOutcome[]>;

/** Creates the writer over an open database. */
export function createAtomicWriter({
  database,
  documents,
  conflicts,
}: {
  database: Database;
  documents: DocumentWriter;
  conflicts: ConflictFinder;
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

  /** What a write has repeated, with the writes before it done once more: the error has ended the transaction they were in. */
  async function explain(write: PlacedWrite, writes: readonly PlacedWrite[]): Promise<DomainError> {
    const earlier = writes.slice(0, writes.indexOf(write));
    try {
      const conflict = await database.inTransaction(async (session) => {
        await writeAll(earlier, session);
        const found = await findConflict(write, session);
        await session.abortTransaction();
        return found;
      });
      if (conflict) return conflict;
    } catch (error) {
      if (!(error instanceof Stop)) throw error;
    }
    return storeBusy('a unique value is changing hands');
  }

  async function findConflict(write: PlacedWrite, session: ClientSession): Promise<DomainError | undefined> {
    switch (write.kind) {
      case 'insert':
        return conflicts.ofInsert(write.document, session);
      case 'patch':
        return conflicts.ofPatch(write, session);
      case 'delete':
        throw new Error('A deletion repeats no value');
    }
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
  if (!write || error instanceof Stop || isTransactionTooLarge(error)) return error;
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
