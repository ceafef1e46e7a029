/**
 * What the outside world lends to a part: a log, the time, and new identifiers.
 *
 * Parts take these as arguments and never read a clock or randomness themselves, so that tests can hold both still.
 */
import { randomBytes } from 'node:crypto';
import { v7 } from 'uuid';

/** A structured log. `facts` are fields of the line; secrets never belong in them. */
export interface Logger {
  debug(facts: object, message: string): void;
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

/** Tells the time, in milliseconds since 1970-01-01T00:00Z. */
export interface Clock {
  nowMs(): number;
}

/** Makes identifiers that nobody made before. */
export interface IdSource {
  /** A UUID version 7: later ones sort after earlier ones. */
  assetId(): string;
  /** An opaque name for one state of one asset, the substance of its ETag. */
  version(): string;
  /** 256 random bits as 43 characters that fit a header. */
  secret(): string;
}

export const systemClock: Clock = { nowMs: () => Date.now() };

export const randomIds: IdSource = {
  assetId: () => v7(),
  version: () => randomBytes(9).toString('base64url'),
  secret: () => randomBytes(32).toString('base64url'),
};

/** Whether something was ended because nobody waits for it any more. */
export const isAbort = (error: unknown) => error instanceof DOMException && error.name === 'AbortError';

/** A number from 0 up to 1, another each time; for waits of different lengths, not for secrets. */
export const randomFraction = () => Math.random();

/** A UUID version 7 that the same facts make again: `random` are 16 bytes, and later ones of one time have a higher `seq`. */
export const toUuid7 = (facts: { msecs: number; seq: number; random: Uint8Array }) => v7(facts);

/** Gives others their turn on the event loop. */
const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Gives others their turn after every 32 steps of long work, which are numbered from 0. */
export async function afterStep(step: number): Promise<void> {
  if (step % 32 === 31) await nextTurn();
}

/** A log that nobody reads. */
export const silentLogger: Logger = { debug() {}, info() {}, warn() {}, error() {} };
