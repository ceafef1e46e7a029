/**
 * Spreads work of some milliseconds over rounds of the event loop, one task per round, so that other events are handled between.
 *
 * Without this, Node.js handles up to a thousand messages of a thread in a row before it handles any other event.
 */

/** Creates a queue. Its function returns a promise that resolves when the caller's round starts. */
export function createEventLoopQueue(): () => Promise<void> {
  const waiting: (() => void)[] = [];
  const callNext = () => {
    waiting.shift()?.();
    if (waiting.length > 0) setImmediate(callNext);
  };
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 1) setImmediate(callNext);
    });
}
