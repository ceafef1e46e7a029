/**
 * How the receiver of a webhook does: when it fails as a whole, one delivery at a time probes it, by the table of retries.
 *
 * A receiver fails as a whole when the deliveries of three assets in succession have failed: one asset may fail because of its content.
 */

/** What is stored of a receiver's health. */
interface StoredHealth {
  readonly failingSinceMs?: number | undefined;
  /** How many probes have failed, the failures before included as one. */
  readonly failures?: number | undefined;
  readonly retryAtMs?: number | undefined;
  readonly lastSuccessAtMs?: number | undefined;
}

/** How many deliveries of one webhook are under way at a time. */
const maxInFlight = 8;
const failingAssets = 3;

export class ReceiverHealth {
  #stored: StoredHealth;
  readonly #failed = new Set<string>();

  constructor(stored: StoredHealth) {
    this.#stored = stored;
  }

  get stored(): StoredHealth {
    return this.#stored;
  }

  get isFailing(): boolean {
    return this.#stored.failingSinceMs !== undefined;
  }

  /** Whether the receiver has failed during the whole table of retries. */
  get isExhausted(): boolean {
    return (this.#stored.failures ?? 0) > retryWaitsMs.length;
  }

  /** Before this time nothing is sent. */
  get retryAtMs(): number {
    return this.#stored.retryAtMs ?? 0;
  }

  /** Returns how many more deliveries may begin. */
  room(nowMs: number, inFlight: number): number {
    if (nowMs < this.retryAtMs) return 0;
    return Math.max(0, (this.isFailing ? 1 : maxInFlight) - inFlight);
  }

  /** Notes a success; returns whether the receiver has just recovered. */
  succeed(nowMs: number): boolean {
    const hasRecovered = this.isFailing;
    this.#failed.clear();
    this.#stored = { lastSuccessAtMs: nowMs };
    return hasRecovered;
  }

  /** Notes a failed delivery. `isProbe` says that the receiver was failing when it began. */
  fail(facts: { assetId: string; nowMs: number; isProbe: boolean; retryAfterMs?: number | undefined }): void {
    const { assetId, nowMs, isProbe, retryAfterMs = 0 } = facts;
    if (this.#failed.size < failingAssets) this.#failed.add(assetId);
    const counts = isProbe || (!this.isFailing && this.#failed.size >= failingAssets);
    if (counts) this.#countFailure(nowMs);
    const askedMs = nowMs + retryAfterMs;
    if (retryAfterMs > 0 && askedMs > this.retryAtMs) this.#stored = { ...this.#stored, retryAtMs: askedMs };
  }

  #countFailure(nowMs: number): void {
    const failures = (this.#stored.failures ?? 0) + 1;
    const retryAtMs = nowMs + (retryWaitsMs[failures - 1] ?? 0);
    this.#stored = {
      ...this.#stored,
      failingSinceMs: this.#stored.failingSinceMs ?? nowMs,
      failures,
      retryAtMs,
    };
  }
}

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
