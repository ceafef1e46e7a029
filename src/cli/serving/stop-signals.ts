/**
 * Handles signals such as Ctrl-C: the first asks the work to stop, the second ends the process at once.
 */

const names = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** One wish to stop may come as several signals: from a terminal, and again from what started this process. */
const sameWishMs = 3_000;

/** How much longer than its requests a server may take to stop. */
const graceMs = 5_000;

/**
 * Runs `stop` at the first SIGTERM or SIGINT and then ends the process, also when `stop` takes much longer than the requests in progress
 * may. A signal some seconds later ends it at once. No confirmed write is lost in this way.
 */
export function stopOnSignals(stop: () => Promise<void>, { shutdownMs }: { shutdownMs: number }): void {
  let firstMs: number | undefined;
  const onSignal = async () => {
    if (firstMs !== undefined) {
      if (performance.now() - firstMs > sameWishMs) process.exit(1);
      return;
    }
    firstMs = performance.now();
    setTimeout(() => process.exit(), shutdownMs + graceMs).unref();
    await stop();
    process.exit();
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}

/** Starts to listen. `onFirst` tells the user what happens. */
export function listenForStopSignals(onFirst: () => void) {
  const controller = new AbortController();
  const stop = () => {
    if (controller.signal.aborted) process.exit(1);
    controller.abort();
    onFirst();
  };
  for (const name of names) process.on(name, stop);
  return {
    signal: controller.signal,
    /** Removes the listeners. */
    ignore() {
      for (const name of names) process.off(name, stop);
    },
  };
}
