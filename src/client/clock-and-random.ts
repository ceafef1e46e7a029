/**
 * What the client takes from the outside world besides the network: time and chance. Both are there in Node and in browsers.
 */

/** Milliseconds since 1970-01-01T00:00Z. */
export const nowMs = () => Date.now();

/** A number from 0 up to but not including 1. */
export const chance = () => Math.random();

/** A text of 128 random bits; it needs no secure context, as a random UUID does. */
export function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Waits; rejects with the signal's reason once it is aborted. */
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
