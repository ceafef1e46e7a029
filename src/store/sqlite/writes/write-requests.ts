/**
 * Converts writes of the store port to requests of the writer thread, and their outcomes back.
 */
import type { AssetWrite, WriteOutcome } from '../../port.ts';
import { toStoreError } from '../map-error.ts';
import { deserializeError } from '../threads/serialized-error.ts';
import type { SerializedOutcome } from './group-commit.ts';
import type { PatchChanges, WriteRequest } from './row-writer.ts';

/** Converts a write to the request that is sent to the writer thread. */
export function toRequest(write: AssetWrite): WriteRequest {
  switch (write.kind) {
    case 'insert': {
      const { kind, asset, version } = write;
      return { kind, type: asset._type, id: asset._id, version, document: JSON.stringify(asset) };
    }
    case 'patch': {
      const { set, unset, ...patch } = write;
      return { ...patch, changes: JSON.stringify({ set, unset } satisfies PatchChanges) };
    }
    case 'delete':
      return write;
  }
}

/** Converts an outcome of the writer thread to an outcome of the port. */
export function toWriteOutcome(outcome: SerializedOutcome): WriteOutcome {
  if (typeof outcome === 'string') return { kind: outcome };
  return { kind: 'failed', error: toStoreError('write', deserializeError(outcome)) };
}
