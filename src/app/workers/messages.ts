/**
 * The messages between the parent process and its workers.
 *
 * They travel over the channel of `child_process.fork`, in order in each direction. A message `connection` carries the socket.
 */

import type { AttemptChange } from '../../access/authenticator.ts';
import type { Charges } from '../../access/rate-limits.ts';
import type { Collected, Metric } from '../../base/metrics/metric.ts';
import type { ChosenTypes } from '../chosen-types.ts';
import type { FirstAccounts } from '../server/first-accounts.ts';

/** The file descriptor of a worker's pipe to the writer of its parent. Connections that wait to be confirmed do not delay its messages. */
export const storeChannelFd = 4;

/** What a worker needs to know before it starts. */
export interface WorkerStart {
  /** The version of Colophon that the parent runs. */
  readonly version: string;
  /** The address that the parent listens on. */
  readonly url: string;
  /** The content types as the parent has read them, so that a worker started later serves the same ones. */
  readonly types: ChosenTypes['types'];
  /** Whether it is the first worker, which creates the first accounts. */
  readonly isFirst: boolean;
}

/** What a worker has counted of senders, for the other workers. */
export type CountMessage =
  /** The work that it has done for them since its last message. */
  | { readonly kind: 'charges'; readonly charges: Charges }
  /** It has received wrong credentials, or right ones after wrong ones. */
  | { readonly kind: 'credentials'; readonly change: AttemptChange }
  /** A sender's check has met an asset that the sender may not see. */
  | { readonly kind: 'conflict'; readonly sender: string };

export type MessageToWorker =
  | { readonly kind: 'start'; readonly start: WorkerStart }
  | { readonly kind: 'connection'; readonly number: number }
  /** Read the records of the store again, and answer `refreshed`. */
  | { readonly kind: 'refresh'; readonly number: number }
  /** All other workers have read their records again. */
  | { readonly kind: 'refreshed'; readonly number: number }
  /** Answer `collected`. */
  | { readonly kind: 'collect'; readonly number: number; readonly what: Collected }
  /** What the whole server has collected. */
  | { readonly kind: 'collected'; readonly number: number; readonly metrics: readonly Metric[] }
  /** What another worker has counted. */
  | CountMessage
  | { readonly kind: 'stop' };

export type MessageToParent =
  | { readonly kind: 'ready'; readonly made: FirstAccounts }
  /** The worker has the connection with this number. */
  | { readonly kind: 'accepted'; readonly number: number }
  /** So many connections of the worker have been closed. */
  | { readonly kind: 'closed'; readonly count: number }
  /** Have all other workers read their records again, and answer `refreshed`. */
  | { readonly kind: 'refresh'; readonly number: number }
  | { readonly kind: 'refreshed'; readonly number: number }
  /** Collect from all workers, and answer `collected`. */
  | { readonly kind: 'collect'; readonly number: number; readonly what: Collected }
  /** What this worker has collected. */
  | {
      readonly kind: 'collected';
      readonly number: number;
      readonly what: Collected;
      readonly metrics: readonly Metric[];
    }
  /** What this worker has counted. */
  | CountMessage
  /** The worker wants to stop, because it has received a signal. */
  | { readonly kind: 'leaving' };
