/**
 * How one write of a transaction ends it, and what that means for the outcomes of all.
 */
import { isDomainError } from '../../../base/errors.ts';
import type { WriteOutcome } from '../../port.ts';
import { isDuplicate, isTransactionTooLarge, toStoreError } from '../map-error.ts';
import type { PlacedWrite } from './plan-runs.ts';

/** Ends a transaction because of one write; without an outcome when the write repeats a unique value. */
export class RefusedWrite extends Error {
  readonly write: PlacedWrite;
  readonly outcome?: WriteOutcome;

  constructor(write: PlacedWrite, outcome?: WriteOutcome) {
    super('A write of the transaction was refused');
    this.write = write;
    if (outcome) this.outcome = outcome;
  }
}

/** Returns what to throw when a write has failed. Transient errors stay as they are, so that the transaction is retried. */
export function toRefusal(write: PlacedWrite | undefined, error: unknown): unknown {
  if (!write || error instanceof RefusedWrite || isTransactionTooLarge(error)) return error;
  if (isDuplicate(error)) return new RefusedWrite(write);
  const known = toStoreError('write', error);
  if (isDomainError(known, 'not_found')) return new RefusedWrite(write, { kind: 'absent' });
  const isRefused = ['invalid_body', 'precondition_failed', 'id_in_use'].includes(known.code);
  return isRefused ? new RefusedWrite(write, { kind: 'failed', error: known }) : error;
}

/** Returns the outcomes of all writes after one of them was refused. */
export const toOutcomes = (
  writes: readonly PlacedWrite[],
  refused: PlacedWrite,
  outcome: WriteOutcome,
): WriteOutcome[] => writes.map((write) => (write === refused ? outcome : { kind: 'undone' }));
