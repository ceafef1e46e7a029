/**
 * The messages between a worker, which has a `remote-writer.ts`, and its parent, which has the `writer-host.ts`.
 */
import type { ServedTypes } from '../../served-types.ts';
import type { TypeToStore } from '../indexes/stored-types.ts';
import type { SerializedError } from '../threads/serialized-error.ts';
import type { WriterReady } from '../threads/writer-entry.ts';
import type { QueuedRequest } from '../writes/group-commit.ts';
import type { WriterCall } from './store-writer.ts';

/** What a worker asks for. */
export type WorkerQuestion =
  /** Starts the writer, unless it runs. The result is an `OpenedWriter`. */
  | { readonly kind: 'open'; readonly types: readonly TypeToStore[] }
  | { readonly kind: 'call'; readonly request: WriterCall }
  /** `leftMs` is the time until the deadline of the write, because each process has its own clock. */
  | { readonly kind: 'write'; readonly request: QueuedRequest; readonly leftMs: number }
  | { readonly kind: 'serve'; readonly types: ServedTypes }
  | { readonly kind: 'prepare' | 'check' | 'canRecover' };

/** A message to the parent: a question, or the news that the worker no longer waits for its result. */
export type MessageToHost =
  | { readonly number: number; readonly question: WorkerQuestion }
  | { readonly number: number; readonly question: 'abort' };

/** The running writer, for a worker. */
export interface OpenedWriter {
  readonly ready: WriterReady;
  readonly identity: string | undefined;
}

/** A message to a worker: the result of its question with this number, or the news that indexes were created or dropped. */
export type MessageFromHost =
  | { readonly number: number; readonly value: unknown }
  | { readonly number: number; readonly error: SerializedError }
  | 'indexes changed';
