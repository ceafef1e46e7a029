/**
 * Bounds the responses that are kept for each sender of idempotent requests. A sender at its bound is refused, because no kept response is
 * removed before its time.
 *
 * Each process counts by itself, since its start. The count is by hours, so that its memory does not grow with the requests.
 */
import { rateLimited } from '../../base/errors.ts';
import type { Clock } from '../../base/runtime.ts';
import { keptMs } from './idempotency-records.ts';

/** How many bytes of responses are kept for each sender. */
const maxBytes = 1_073_741_824;
const hourMs = 60 * 60 * 1000;
const hours = keptMs / hourMs + 1;

/** Counts the kept responses by their senders. */
export interface ResponseQuota {
  /** Errors: rate_limited, until the oldest responses of the sender expire. */
  assertRoom(owner: string): void;
  add(owner: string, bytes: number): void;
}

/** Creates the count. */
export function createResponseQuota(clock: Clock, limit = maxBytes): ResponseQuota {
  /** The bytes of each hour, by the number of the hour. */
  const byOwner = new Map<string, Map<number, number>>();
  const hourOf = () => Math.floor(clock.nowMs() / hourMs);

  function recentOf(owner: string): Map<number, number> {
    const known = byOwner.get(owner) ?? new Map<number, number>();
    const first = hourOf() - hours;
    for (const hour of known.keys()) if (hour <= first) known.delete(hour);
    byOwner.set(owner, known);
    return known;
  }

  return {
    assertRoom(owner) {
      const recent = recentOf(owner);
      const bytes = recent.values().reduce((sum, one) => sum + one, 0);
      const [oldest] = recent.keys();
      if (bytes < limit || oldest === undefined) return;
      const waitMs = (oldest + hours) * hourMs - clock.nowMs();
      throw rateLimited(Math.ceil(waitMs / 1000), 'The responses kept for this client need too much space');
    },
    add(owner, bytes) {
      const recent = recentOf(owner);
      recent.set(hourOf(), (recent.get(hourOf()) ?? 0) + bytes);
    },
  };
}
