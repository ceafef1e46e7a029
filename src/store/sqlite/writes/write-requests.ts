/**
 * The requests for single writes to the writer thread: converts writes of the store port to them.
 */

import { randomUUID } from 'node:crypto';
import type { AssetWrite, WriteOutcome } from '../../port.ts';
import type { WrittenTarget } from '../../written-targets.ts';
import type { PatchChanges } from '../changes/apply-patch.ts';
import { toStoreError } from '../map-error.ts';
import { deserializeError, type SerializedError } from '../threads/worker-calls.ts';

/** Inserts an asset. */
export interface InsertRequest {
  readonly kind: 'insert';
  readonly type: string;
  readonly id: string;
  readonly version: string;
  /** JSON text of the asset. */
  readonly document: string;
  /** JSON list of the names of its fields; absent when it has none. One text is sent faster than a list. */
  readonly fields?: string;
  readonly targets?: readonly WrittenTarget[];
}

/** Changes some fields of an asset. */
export interface PatchRequest {
  readonly kind: 'patch';
  readonly type: string;
  readonly id: string;
  readonly version: string;
  /** JSON text of `PatchChanges`. */
  readonly changes: string;
  readonly ifVersion?: string;
  readonly targets?: readonly WrittenTarget[];
}

/** Deletes an asset. */
export interface DeleteRequest {
  readonly kind: 'delete';
  readonly type: string;
  readonly id: string;
  /** The `id` of the entry in the change log. */
  readonly change: string;
  readonly ifVersion?: string;
  /** Whether the entries of the asset are erased with it. */
  readonly erase?: boolean;
}

/** Appends an entry without changing the asset. */
export interface EventRequest {
  readonly kind: 'event';
  readonly type: string;
  readonly id: string;
  readonly action: 'signIn';
  readonly change: string;
}

/** One write, as it is sent to the writer thread. */
export type WriteRequest = InsertRequest | PatchRequest | DeleteRequest | EventRequest;

/** Converts a write to the request that is sent to the writer thread. */
export function toRequest(write: AssetWrite): WriteRequest {
  switch (write.kind) {
    case 'insert': {
      const { kind, asset, version, targets } = write;
      const { _id: id, _type: type } = asset;
      const names = Object.keys(asset).filter((name) => name !== '_id' && name !== '_type');
      const fields = names.length > 0 ? { fields: JSON.stringify(names) } : {};
      const document = JSON.stringify(asset);
      return { kind, type, id, version, document, ...fields, ...(targets && { targets }) };
    }
    case 'patch': {
      const { set, unset, ...patch } = write;
      const changes: PatchChanges = { set, unset };
      return { ...patch, changes: JSON.stringify(changes) };
    }
    case 'delete':
      return { ...write, change: write.change ?? randomUUID() };
  }
}

/** The outcome of one of several writes, with a serialized error that can be sent to another thread. */
export type SerializedOutcome = 'done' | 'absent' | 'undone' | SerializedError;

/** Converts an outcome of the writer thread to an outcome of the port. */
export function toWriteOutcome(outcome: SerializedOutcome): WriteOutcome {
  if (typeof outcome === 'string') return { kind: outcome };
  return { kind: 'failed', error: toStoreError('write', deserializeError(outcome)) };
}
