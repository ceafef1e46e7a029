/**
 * Handles signals such as Ctrl-C: the first asks the work to stop, the second ends the process at once.
 */

/** Signals that end a command in an orderly way. */
export interface StopSignals {
  readonly signal: AbortSignal;
  /** Removes the listeners. */
  ignore(): void;
}

const names = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Starts to listen. `onFirst` tells the user what happens. */
export function listenForStopSignals(onFirst: () => void): StopSignals {
  const controller = new AbortController();
  const stop = () => {
    if (controller.signal.aborted) process.exit(1);
    controller.abort();
    onFirst();
  };
  for (const name of names) process.on(name, stop);
  return {
    signal: controller.signal,
    ignore() {
      for (const name of names) process.off(name, stop);
    },
  };
}
