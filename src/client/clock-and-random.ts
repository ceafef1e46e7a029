/**
 * The clock and randomness of the client, from functions that Node.js and browsers both have.
 */

/** Milliseconds since 1970-01-01T00:00Z. */
export const nowMs = () => Date.now();

/** A number from 0 up to but not including 1. */
export const randomFraction = () => Math.random();

/** Generates a text of 128 random bits; unlike `crypto.randomUUID` it needs no secure context. */
export function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Waits; rejects with the signal's reason when it is aborted. */
export function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
