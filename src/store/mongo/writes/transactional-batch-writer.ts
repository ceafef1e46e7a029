/**
 * Applies a batch all or not at all: one transaction, which ends at the first write that fails or finds no asset.
 *
 * An error ends a transaction, so a second one, which is rolled back, finds the unique value that a write repeated. If the batch also
 * releases values, `exchange-writer.ts` applies it first so that its assets can exchange them.
 */
import { type DomainError, storeBusy } from '../../../base/errors.ts';
import type { ChangeOrigin } from '../../changes.ts';
import type { WriteOutcome } from '../../port.ts';
import type { LoggedTransaction, RunLogged } from '../changes/logged-writes.ts';
import type { DocumentWriter } from '../documents/document-writer.ts';
import { failedWrites } from '../map-error.ts';
import type { DeletionRules } from './deletion-rules.ts';
import type { ExchangeWriter } from './exchange-writer.ts';
import { RefusedWrite, toOutcomes, toRefusal } from './exchange-writer.ts';
import type { ConflictFinder } from './explain-conflict.ts';
import type { PlacedWrite } from './plan-runs.ts';
import { insertsAtOnce } from './transaction.ts';

/** Applies all writes or none, as the port defines `write` with `atomic`. Errors: the driver's. */
export type TransactionalBatchWriter = (
  writes: readonly PlacedWrite[],
  origin?: ChangeOrigin,
) => Promise<WriteOutcome[]>;

export function createTransactionalBatchWriter({
  documents,
  conflicts,
  rules,
  runLogged,
  exchange,
  mayExchange,
}: {
  documents: DocumentWriter;
  conflicts: ConflictFinder;
  rules: DeletionRules;
  runLogged: RunLogged;
  exchange: ExchangeWriter;
  mayExchange: (write: PlacedWrite) => boolean;
}): TransactionalBatchWriter {
  async function writeAll(writes: readonly PlacedWrite[], transaction: LoggedTransaction): Promise<void> {
    for (let next = 0; next < writes.length; ) {
      const inserts = consecutiveInserts(writes, next);
      if (inserts.length > 0) await insertAll(inserts, transaction);
      else await change(writes[next], transaction);
      next += Math.max(inserts.length, 1);
    }
  }

  async function insertAll(inserts: readonly Insert[], transaction: LoggedTransaction): Promise<void> {
    try {
      await documents.insertAll(
        inserts.map(({ document }) => document),
        transaction,
      );
    } catch (error) {
      const [[index = 0, reason = error] = []] = failedWrites(error);
      throw toRefusal(inserts[index], reason);
    }
  }

  async function change(write: PlacedWrite | undefined, transaction: LoggedTransaction): Promise<void> {
    if (!write || write.kind === 'insert') return;
    try {
      const found =
        write.kind === 'patch'
          ? await documents.patch(write, transaction)
          : await documents.delete(write, transaction);
      if (!found) throw new RefusedWrite(write, { kind: 'absent' });
    } catch (error) {
      throw toRefusal(write, error);
    }
  }

  /**
   * Finds the unique value that a write repeated. First applies the writes before it again, since the error ended their
   * transaction. Returns `undefined` when no other asset has the value any more.
   */
  async function explain(
    write: PlacedWrite,
    writes: readonly PlacedWrite[],
  ): Promise<DomainError | undefined> {
    const earlier = writes.slice(0, writes.indexOf(write));
    try {
      return await runLogged(undefined, async (transaction) => {
        await writeAll(earlier, transaction);
        const found = await findConflict(write, transaction);
        await transaction.session.abortTransaction();
        return found;
      });
    } catch (error) {
      if (!(error instanceof RefusedWrite)) throw error;
      return undefined;
    }
  }

  async function findConflict(
    write: PlacedWrite,
    transaction: LoggedTransaction,
  ): Promise<DomainError | undefined> {
    switch (write.kind) {
      case 'insert':
        return conflicts.ofInsert(write.document, transaction.session);
      case 'patch':
        return conflicts.ofPatch(write, transaction.session);
      case 'delete':
        throw new Error('A deletion repeats no value');
    }
  }

  /** Applies the writes once; returns `undefined` when one of them repeated a value that is free by now. */
  async function tryWrites(
    writes: readonly PlacedWrite[],
    origin?: ChangeOrigin,
  ): Promise<WriteOutcome[] | undefined> {
    try {
      await runLogged(origin, async (transaction) => {
        await writeAll(writes, transaction);
        await rules.assertUnbroken(writes, { session: transaction.session, toError: RefusedWrite.of });
      });
      return writes.map(() => ({ kind: 'done' }));
    } catch (error) {
      if (!(error instanceof RefusedWrite)) throw error;
      if (!error.outcome && writes.some(mayExchange)) return exchange(writes, origin);
      const { write: refused, outcome = await toConflict(error.write, writes) } = error;
      return outcome && toOutcomes(writes, refused, outcome);
    }
  }

  async function toConflict(
    write: PlacedWrite,
    writes: readonly PlacedWrite[],
  ): Promise<WriteOutcome | undefined> {
    const error = await explain(write, writes);
    return error && { kind: 'failed', error };
  }

  return async (writes, origin) => {
    for (let attempts = 0; attempts < maxAttempts; attempts++) {
      const outcomes = await tryWrites(writes, origin);
      if (outcomes) return outcomes;
    }
    throw storeBusy('a unique value is changing hands');
  };
}

/** How often a batch is tried while other writers keep taking and releasing a unique value that it needs. */
const maxAttempts = 10;

type Insert = Extract<PlacedWrite, { kind: 'insert' }>;

/** Returns the consecutive inserts from `start` on, as many as one command may have. */
function consecutiveInserts(writes: readonly PlacedWrite[], start: number): Insert[] {
  const end = writes.findIndex(({ kind }, index) => index >= start && kind !== 'insert');
  const last = Math.min(start + insertsAtOnce, end < 0 ? writes.length : end);
  return writes.slice(start, last).filter((write) => write.kind === 'insert');
}
