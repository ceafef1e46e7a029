/**
 * A cache refreshed by revision: a value computed from records and kept in memory, so that requests read no records.
 *
 * The cache asks the store's revision twice a second, so changes by any process take effect here within a second. While the store
 * fails, the value stays as it was.
 */
import type { Logger } from '../base/runtime.ts';

/** A value that follows its records until it is stopped. `current` never waits. */
export interface RevisionCache<Value> {
  current(): Value;
  /** Reads the records again if they have changed, including every write that ended before the call. Errors: those of reading. */
  refresh(): Promise<void>;
  /** Stops asking the store. */
  stop(): Promise<void>;
}

/** Where a cache gets its value from. */
export interface RevisionCacheSource<Value> {
  /** Returns a text that changes whenever a record has been written. */
  revision(): Promise<string>;
  /** Computes the value from the present records. */
  read(): Promise<Value>;
  readonly logger: Logger;
  /** What log lines call the records, such as `API clients`. */
  readonly subject: string;
  readonly pollIntervalMs?: number;
}

/** Creates a cache: reads the value, and refreshes it from then on. Errors: those of the first reading. */
export async function createRevisionCache<Value>({
  revision,
  read,
  logger,
  subject,
  pollIntervalMs = 500,
}: RevisionCacheSource<Value>): Promise<RevisionCache<Value>> {
  // The revision is read first: a write between the two reads causes another reading, and is never missed.
  let knownRevision = await revision();
  let value = await read();
  let reading: Promise<void> | undefined;

  async function readIfChanged(): Promise<void> {
    const latest = await revision();
    if (latest === knownRevision) return;
    value = await read();
    knownRevision = latest;
  }

  function startReading(): Promise<void> {
    reading = readIfChanged().finally(() => {
      reading = undefined;
    });
    return reading;
  }

  /** A reading in progress may have begun before the write that the caller knows of; the next one has not. */
  async function refresh(): Promise<void> {
    await reading?.catch(() => undefined);
    await (reading ?? startReading());
  }

  const poll = () => {
    timer = setTimeout(poll, untilNext(pollIntervalMs)).unref();
    if (reading) return;
    startReading().catch((error: unknown) => logger.error({ err: error }, `${subject} could not be read`));
  };
  let timer = setTimeout(poll, untilNext(pollIntervalMs)).unref();

  async function stop(): Promise<void> {
    clearTimeout(timer);
    await reading?.catch(() => undefined);
  }

  return { current: () => value, refresh, stop };
}

/** Returns the time until the next multiple of the interval, so that all caches of a process ask the store in the same turn. */
const untilNext = (intervalMs: number) => intervalMs - (performance.now() % intervalMs);
