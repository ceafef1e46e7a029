/**
 * Finds out whether writes succeed, for health checks: makes a small write, a few times a second at most.
 */

/** How long the outcome of a write holds. */
const validMs = 250;
/** How long an answer waits for the outcome: another request to the writer may take longer. */
const longestWaitMs = 500;

/** Creates a function that rejects with the error of the last write. */
export function createWriteProbe(write: () => Promise<unknown>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let endedMs = Number.NEGATIVE_INFINITY;
  let outcome: { readonly error?: unknown } = {};

  async function attempt(): Promise<void> {
    try {
      await write();
      outcome = {};
    } catch (error) {
      outcome = { error };
    }
    endedMs = performance.now();
    running = undefined;
  }

  return async () => {
    if (performance.now() - endedMs > validMs) running ??= attempt();
    if (running) await settledOrLate(running);
    if ('error' in outcome) throw outcome.error;
  };
}

async function settledOrLate(running: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, longestWaitMs);
  });
  await Promise.race([running, late]);
  clearTimeout(timer);
}
