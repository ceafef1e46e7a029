/**
 * Rate limits: how much work each sender may cause. A unit is one millisecond of work, which is charged when it has been done, so a
 * sender may run into debt and then waits until the debt is paid.
 *
 * Senders have the names of `nameSender`. The number of those that are remembered is bounded; one that is forgotten starts anew.
 */
import { LRUCache } from 'lru-cache';

/** The setting: units a second, and how many a sender can save up. */
export interface RateLimit {
  readonly unitsPerSecond: number;
  readonly burst: number;
}

/** The units of senders. */
export type Charges = readonly (readonly [sender: string, units: number])[];

/** The state of one sender, in the units that it may still use. */
export interface RateState {
  /** 0 for a sender in debt. */
  readonly remaining: number;
  /** When the whole burst is there again. */
  readonly secondsToFull: number;
  /** When the sender may send again; 0 while it has units left. */
  readonly secondsToWait: number;
}

/** The work of all senders. */
export type RateLimits = ReturnType<typeof createRateLimits>;

interface Bucket {
  units: number;
  atMs: number;
}

const maxSenders = 10_000;

/** The senders that have limits. */
const limited = /^(client|user|anonymous) /;

/** Creates the limits. `now` is a monotonic clock in milliseconds. */
export function createRateLimits(limit: RateLimit, now: () => number = () => performance.now()) {
  const { unitsPerSecond, burst } = limit;
  const buckets = new LRUCache<string, Bucket>({ max: maxSenders });
  let untold: Map<string, number> | undefined;

  function find(sender: string): Bucket {
    const atMs = now();
    const bucket = buckets.get(sender);
    if (!bucket) {
      const full = { units: burst, atMs };
      buckets.set(sender, full);
      return full;
    }
    bucket.units = Math.min(burst, bucket.units + ((atMs - bucket.atMs) / 1000) * unitsPerSecond);
    bucket.atMs = atMs;
    return bucket;
  }

  function subtract(sender: string, units: number): void {
    find(sender).units -= units;
  }

  return {
    limit,
    stateOf(sender: string): RateState {
      const { units } = find(sender);
      return {
        remaining: Math.max(0, Math.floor(units)),
        secondsToFull: Math.ceil((burst - units) / unitsPerSecond),
        secondsToWait: units < 1 ? Math.ceil((1 - units) / unitsPerSecond) : 0,
      };
    },
    /** Subtracts work that was done for a sender. Colophon's own work is free. */
    charge(sender: string, units: number) {
      if (!limited.test(sender)) return;
      subtract(sender, units);
      untold?.set(sender, (untold.get(sender) ?? 0) + units);
    },
    /** Subtracts work that other processes have done. */
    addCharges(charges: Charges) {
      for (const [sender, units] of charges) subtract(sender, units);
    },
    /** Returns what was charged here since the last call, for other processes. It is collected from the first call on. */
    takeCharges(): Charges {
      const charges = [...(untold ?? [])];
      untold = new Map();
      return charges;
    },
  };
}
