/**
 * Ctrl-C and its like: the first asks the work to stop, the second ends the process at once.
 */

/** Signals that end a command in an orderly way. */
export interface StopSignals {
  readonly signal: AbortSignal;
  /** Leaves signals to whoever listened before. */
  ignore(): void;
}

const names = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Listens from now on; `onFirst` tells people what happens. */
export function listenForStop(onFirst: () => void): StopSignals {
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
