/**
 * Turns for work that takes milliseconds: one for each round of the event loop, so that everybody else's comes in between.
 *
 * Without them nobody else would be served: as long as answers of a thread keep coming in while earlier ones are at work, Node.js
 * takes a thousand of them before it looks at anything else.
 */

/** Makes a queue; the promise it gives resolves when the turn has come. */
export function createEventLoopTurns(): () => Promise<void> {
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
