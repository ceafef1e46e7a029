/**
 * What an instance gets from its process: the log, the clock and the like, and what it shares with the others that serve the same port.
 */
import type { Duplex } from 'node:stream';
import type { PasswordCost } from '../../access/users/password.ts';
import type { Collected, Metric } from '../../base/metrics/metric.ts';
import type { RequestOrigins } from '../../base/request-origin.ts';
import type { Clock, IdSource, Logger } from '../../base/runtime.ts';
import type { LiveTiming } from '../../content/feed/live/live-groups.ts';
import type { ServedTypes, ServingTiming } from '../../store/served-types.ts';
import type { LeaseTiming } from '../../webhooks/sender/sender-lease.ts';

/** The log, the clock, the source of identifiers and the origins of requests that an instance uses. */
export interface Runtime {
  readonly logger: Logger;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly origins: RequestOrigins;
  /** What new password hashes cost; less in tests. */
  readonly passwordCost?: PasswordCost;
}

/** The options of an instance; all may be absent. */
export interface InstanceOptions {
  /** How the instance reports to the store; for tests. */
  readonly timing?: ServingTiming;
  /** When live feeds are looked after; for tests. */
  readonly feedTiming?: Partial<LiveTiming>;
  /** How long the lease of the sender of webhooks lasts; for tests. */
  readonly leaseTiming?: LeaseTiming;
  /** The content types; absent means those of the configured folder. */
  readonly types?: ServedTypes;
  /** Calls `refresh` of the other instances that serve the same port. */
  readonly refreshOthers?: () => Promise<void>;
  /** Opens the channel to the writer that the parent process shares, where the store has one. */
  readonly openWriterChannel?: () => Duplex;
  /** Collects from all instances that serve the same port, this one included; absent means that there is no other. */
  readonly collectAll?: (what: Collected) => Promise<readonly Metric[]>;
}
