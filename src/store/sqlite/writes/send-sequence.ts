/**
 * Sends several writes of one caller to the writer: atomic ones together, independent ones in parts, between which other callers take
 * their turn.
 */
import type { WriteOptions } from '../../write-options.ts';
import { serializeError } from '../threads/worker-calls.ts';
import { maxSequenceBytes, type SequenceResult, type WriteSequence } from './group-commit.ts';
import type { SerializedOutcome, WriteRequest } from './write-requests.ts';

type SendPart = (sequence: WriteSequence, options: WriteOptions) => Promise<SequenceResult>;

/**
 * Creates a function that returns the outcome of each write. Errors: those of the first part. The error of a later part is the outcome of
 * its writes and of those after it, because others have been done.
 */
export function createSequenceSender(send: SendPart) {
  return async (writes: readonly WriteRequest[], options: WriteOptions): Promise<SerializedOutcome[]> => {
    const { atomic = false, budget, signal } = options;
    const outcomes: SerializedOutcome[] = [];
    while (outcomes.length < writes.length) {
      const part = atomic ? writes : takePart(writes, outcomes.length);
      try {
        const sequence = { kind: 'sequence', writes: part, atomic, left: budget?.left() } as const;
        const { outcomes: done, spent } = await send(sequence, options);
        budget?.spend(spent);
        outcomes.push(...done);
      } catch (error) {
        if (outcomes.length === 0 || signal?.aborted) throw error;
        const failed = serializeError(error);
        while (outcomes.length < writes.length) outcomes.push(failed);
      }
    }
    return outcomes;
  };
}

/** Takes the writes from `start` on whose own documents and changes reach `maxSequenceBytes`. The writer ends earlier where stored ones are large. */
function takePart(writes: readonly WriteRequest[], start: number): readonly WriteRequest[] {
  let end = start;
  for (let bytes = 0; end < writes.length && bytes < maxSequenceBytes; end++) bytes += sizeOf(writes[end]);
  return start === 0 && end === writes.length ? writes : writes.slice(start, end);
}

function sizeOf(write: WriteRequest | undefined): number {
  if (write?.kind === 'insert') return write.document.length;
  return write?.kind === 'patch' ? write.changes.length : 0;
}
