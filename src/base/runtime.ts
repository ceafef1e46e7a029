/**
 * Log, clock, random identifiers and the event loop.
 *
 * Other modules receive the log, the clock and the identifiers as arguments, so that tests can control them.
 */
import { randomBytes } from 'node:crypto';
import { v7 } from 'uuid';

/** A structured log. `facts` are fields of the log line and must not contain secrets. */
export interface Logger {
  debug(facts: object, message: string): void;
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

/** A clock, in milliseconds since 1970-01-01T00:00Z. */
export interface Clock {
  nowMs(): number;
}

/** A source of new, unique identifiers. */
export type IdSource = ReturnType<typeof createRandomIds>;

export const systemClock: Clock = { nowMs: () => Date.now() };

/** Creates a source of random identifiers. */
export function createRandomIds(clock: Clock = systemClock) {
  const random = createRandomBytes();
  const nextTime = createUuidTimes(clock, random);
  return {
    /** A UUID version 7: later ones sort after earlier ones. */
    assetId: () => v7({ ...nextTime(), random: random(16) }),
    /** An opaque version of an asset, which its ETag contains. */
    version: () => random(9).toString('base64url'),
    // Shares no buffer with what anybody may see.
    /** 256 random bits as 43 characters that fit a header. The first is a letter or a digit, so that no command reads it as an option. */
    secret: randomSecret,
  };
}

export const randomIds: IdSource = createRandomIds();

function randomSecret(): string {
  for (;;) {
    const secret = randomBytes(32).toString('base64url');
    if (/^[A-Za-z0-9]/.test(secret)) return secret;
  }
}

const randomBufferBytes = 4_096;

/** Creates a function that returns random bytes from a buffer, because each call to the system's generator costs some 2 µs. */
function createRandomBytes(): (count: number) => Buffer {
  let buffer = Buffer.alloc(0);
  let used = 0;
  return (count) => {
    if (used + count > buffer.length) {
      buffer = randomBytes(randomBufferBytes);
      used = 0;
    }
    used += count;
    return buffer.subarray(used - count, used);
  };
}

/** Creates a function that returns the time and the sequence number of the next UUID: greater each time, also within 1 ms. */
function createUuidTimes(clock: Clock, random: (count: number) => Buffer) {
  let msecs = Number.NEGATIVE_INFINITY;
  let seq = 0;
  return () => {
    const now = clock.nowMs();
    if (now > msecs) {
      msecs = now;
      // Starts in the lower half, so that it rarely overflows.
      seq = random(4).readUInt32BE() >>> 1;
    } else {
      seq = (seq + 1) >>> 0;
      if (seq === 0) msecs++;
    }
    return { msecs, seq };
  };
}

/** Tells whether an error means that the work was cancelled. */
export const isAbort = (error: unknown) => error instanceof DOMException && error.name === 'AbortError';

/** Returns a random number from 0 up to 1, to vary waiting times; not for secrets. */
export const randomFraction = () => Math.random();

/** Makes a UUID version 7 from a time, a sequence number and 16 bytes: the same `facts` always give the same UUID. */
export const toUuid7 = (facts: { msecs: number; seq: number; random: Uint8Array }) => v7(facts);

/** Waits for the next turn of the event loop. */
const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Lets the event loop do other work after every 32nd step of a long loop. The first step has the number 0. */
export async function yieldEvery32Steps(step: number): Promise<void> {
  if (step % 32 === 31) await nextTurn();
}

/** A log that discards everything. */
export const silentLogger: Logger = { debug() {}, info() {}, warn() {}, error() {} };
