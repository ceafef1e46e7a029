/**
 * The outcomes of several writes, as the writer thread reports them.
 */
import type { WriteOutcome } from '../../port.ts';
import { toStoreError } from '../map-error.ts';
import { deserializeError, type SerializedError } from '../threads/serialized-error.ts';

/** The outcome of one of several writes, with a serialized error that can be sent to another thread. */
export type SerializedOutcome = 'done' | 'absent' | 'undone' | SerializedError;

/** Converts an outcome of the writer thread to an outcome of the port. */
export function toWriteOutcome(outcome: SerializedOutcome): WriteOutcome {
  if (typeof outcome === 'string') return { kind: outcome };
  return { kind: 'failed', error: toStoreError('write', deserializeError(outcome)) };
}
