/**
 * Finds out whether writes succeed, for health checks: makes a small write, a few times a second at most.
 */

/** How long the outcome of a write holds. */
const validMs = 250;
/** How long an answer waits for the outcome: another request to the writer may take longer. */
const longestWaitMs = 500;

export function createWriteProbe(write: () => Promise<unknown>) {
  let running: Promise<void> | undefined;
  let endedMs = Number.NEGATIVE_INFINITY;
  let outcome: { readonly error?: unknown } = {};

  async function attempt(): Promise<void> {
    const former = outcome;
    const result = await write().then(
      () => ({}),
      (error: unknown) => ({ error }),
    );
    // What was noted meanwhile is newer.
    if (outcome === former) outcome = result;
    endedMs = performance.now();
    running = undefined;
  }

  return {
    /** Errors: that of the last write. */
    async check(): Promise<void> {
      if (performance.now() - endedMs > validMs) running ??= attempt();
      if (running) await settledOrLate(running);
      if ('error' in outcome) throw outcome.error;
    },
    /** Notes the error of a write that was not the probe's: the next check reports it at once. */
    note(error: unknown) {
      outcome = { error };
      endedMs = performance.now();
    },
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
