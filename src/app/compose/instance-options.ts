/**
 * What an instance may share with the others that serve the same port.
 */

import type { Duplex } from 'node:stream';
import type { Collected, Metric } from '../../base/metrics/metric.ts';
import type { LiveTiming } from '../../content/feed/live/live-timing.ts';
import type { ServingTiming } from '../../store/served-types.ts';
import type { LeaseTiming } from '../../webhooks/sender/sender-lease.ts';
import type { ChosenTypes } from '../chosen-types.ts';

/** The options of an instance; all may be absent. */
export interface InstanceOptions {
  /** How the instance reports to the store; for tests. */
  readonly timing?: ServingTiming;
  /** When live feeds are looked after; for tests. */
  readonly feedTiming?: Partial<LiveTiming>;
  /** How long the lease of the sender of webhooks lasts; for tests. */
  readonly leaseTiming?: LeaseTiming;
  /** The content types; absent means those of the configured folder. */
  readonly types?: ChosenTypes['types'];
  /** Calls `refresh` of the other instances that serve the same port. */
  readonly refreshOthers?: () => Promise<void>;
  /** Opens the channel to the writer that the parent process shares, where the store has one. */
  readonly openWriterChannel?: () => Duplex;
  /** Collects from all instances that serve the same port, this one included; absent means that there is no other. */
  readonly collectAll?: (what: Collected) => Promise<readonly Metric[]>;
}

/** Applies a change in an instance and in the others. */
export async function runBoth(here: () => Promise<void>, elsewhere: () => Promise<void>): Promise<void> {
  await Promise.all([here(), elsewhere()]);
}
