/**
 * The messages between the parent process and its workers.
 *
 * They travel over the channel of `child_process.fork`, in order in each direction. A message `connection` carries the socket.
 */
import type { ChosenTypes } from '../chosen-types.ts';
import type { FirstAccounts } from '../first-accounts.ts';

/** What a worker needs to know before it starts. */
export interface WorkerStart {
  /** The address that the parent listens on. */
  readonly url: string;
  /** The content types as the parent has read them, so that a worker started later serves the same ones. */
  readonly types: ChosenTypes['types'];
  /** Whether it is the first worker, which creates the first accounts. */
  readonly isFirst: boolean;
}

/** A message to a worker. */
export type MessageToWorker =
  | { readonly kind: 'start'; readonly start: WorkerStart }
  | { readonly kind: 'connection'; readonly number: number }
  /** Read the records of the store again, and answer `refreshed`. */
  | { readonly kind: 'refresh'; readonly number: number }
  /** All other workers have read their records again. */
  | { readonly kind: 'refreshed'; readonly number: number }
  | { readonly kind: 'stop' };

/** A message to the parent. */
export type MessageToParent =
  | { readonly kind: 'ready'; readonly made: FirstAccounts }
  /** The worker has the connection with this number. */
  | { readonly kind: 'accepted'; readonly number: number }
  /** So many connections of the worker have been closed. */
  | { readonly kind: 'closed'; readonly count: number }
  /** Have all other workers read their records again, and answer `refreshed`. */
  | { readonly kind: 'refresh'; readonly number: number }
  | { readonly kind: 'refreshed'; readonly number: number }
  /** The worker wants to stop, because it has received a signal. */
  | { readonly kind: 'leaving' };
