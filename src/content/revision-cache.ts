/**
 * A value worked out from records and held in memory, so that a request costs no reading.
 *
 * The store's revision is asked twice a second: what any process writes is in force here within a second. While the store
 * fails, the value stays as it was.
 */
import type { Logger } from '../base/runtime.ts';

/** A value that follows its records until it is stopped. */
export interface RevisionCache<Value> {
  current(): Value;
  /** Reads the records anew if they have changed; sees every write that ended before the call. Errors: those of the reading. */
  refresh(): Promise<void>;
  /** Stops asking the store. */
  stop(): Promise<void>;
}

/** What a live value is made of. */
export interface RevisionCacheSource<Value> {
  /** A text that differs once a record was written since. */
  revision(): Promise<string>;
  /** Works the value out from the records as they are now. */
  read(): Promise<Value>;
  readonly logger: Logger;
  /** The records in a log line, such as `API clients`. */
  readonly subject: string;
  readonly pollIntervalMs?: number;
}

/** Reads the value for the first time, and keeps it fresh from then on. Errors: those of the reading. */
export async function createRevisionCache<Value>({
  revision,
  read,
  logger,
  subject,
  pollIntervalMs = 500,
}: RevisionCacheSource<Value>): Promise<RevisionCache<Value>> {
  // The revision is read first: a write between the two reads costs another reading, and is never missed.
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

  /** A reading under way may have begun before the write that the caller knows of; the next one has not. */
  async function refresh(): Promise<void> {
    await reading?.catch(() => undefined);
    await (reading ?? startReading());
  }

  const timer = setInterval(() => {
    if (reading) return;
    startReading().catch((error: unknown) => logger.error({ err: error }, `${subject} could not be read`));
  }, pollIntervalMs);
  timer.unref();

  async function stop(): Promise<void> {
    clearInterval(timer);
    await reading?.catch(() => undefined);
  }

  return { current: () => value, refresh, stop };
}
