/**
 * Watches whether processes with other content types serve the store: they may write assets that do not fit the types of this one.
 *
 * Any other SDL counts, because loading the types of others would take the event loop for seconds.
 */
import type { Logger } from '../../base/runtime.ts';
import type { ContentStore } from '../../store/port.ts';

/** Knows whether there are such processes. */
export interface ServingWatch {
  areOthersThere(): boolean;
  /** Looks again, and again after each pause, until the signal. */
  run(): Promise<void>;
}

/** Creates it; `onChange` is called when the first of them has come, and when the last one is gone. */
export function createServingWatch({
  store,
  logger,
  signal,
  pause,
  onChange,
}: {
  store: Pick<ContentStore, 'readServing'>;
  logger: Logger;
  signal: AbortSignal;
  pause: () => Promise<void>;
  onChange: (areThere: boolean) => void;
}): ServingWatch {
  let areThere = false;

  async function look(): Promise<void> {
    const serving = await store.readServing();
    const kinds = new Set(serving.map(({ sources, areShipped }) => JSON.stringify([areShipped, sources])));
    const found = kinds.size > 1;
    if (found === areThere) return;
    areThere = found;
    onChange(found);
  }

  return {
    areOthersThere: () => areThere,
    async run() {
      while (!signal.aborted) {
        await look().catch((err: unknown) =>
          logger.warn(
            { err },
            'The processes that serve the store could not be read; it will be tried again',
          ),
        );
        await pause();
      }
    },
  };
}
