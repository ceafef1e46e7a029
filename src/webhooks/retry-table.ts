/**
 * When a delivery is tried again: the table of Standard Webhooks, which covers three days.
 */

/** The waits after each failed attempt, in milliseconds. After the attempt that follows the last wait, the delivery has failed. */
export const retryWaitsMs: readonly number[] = [
  5_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000, 50_400_000, 72_000_000, 86_400_000,
];

/** The longest wait that a receiver can ask for with `Retry-After`. */
const maxRetryAfterMs = 86_400_000;

/** Returns how long a receiver asks to wait, in milliseconds: a number of seconds or a date. `undefined` if it does not ask. */
export function readRetryAfter(text: string | undefined, nowMs: number): number | undefined {
  if (text === undefined) return undefined;
  const waitMs = /^\d{1,9}$/.test(text.trim()) ? Number(text) * 1000 : Date.parse(text) - nowMs;
  return waitMs > 0 ? Math.min(waitMs, maxRetryAfterMs) : undefined;
}
