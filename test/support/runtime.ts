/** A fake clock, counting identifiers, and a logger that records its lines. */
import type { PasswordCost } from '../../src/access/users/password.ts';
import type { Clock, IdSource, Logger } from '../../src/base/runtime.ts';

/** A clock that only tests advance. */
export interface FakeClock extends Clock {
  advance(ms: number): void;
}

/** Creates a clock that shows `startMs` until a test advances it. */
export function createFakeClock(startMs: number): FakeClock {
  let ms = startMs;
  return {
    nowMs: () => ms,
    advance(byMs) {
      ms += byMs;
    },
  };
}

/** Creates identifiers `…0001`, `…0002`, and so on; versions and secrets are `version-1`, `secret-1`. */
export function createCountingIds(): IdSource {
  let [assets, versions, secrets] = [0, 0, 0];
  return {
    assetId: () => `0191f3a0-5b7e-7c11-9d2e-${String(++assets).padStart(12, '0')}`,
    version: () => `version-${++versions}`,
    secret: () => `secret-${++secrets}`,
  };
}

/** A recorded line of the log. */
export interface RecordedLine {
  readonly level: keyof Logger;
  readonly message: string;
  readonly [fact: string]: unknown;
}

/** Creates a logger that records its lines. */
export function createRecordingLogger(): {
  readonly logger: Logger;
  readonly lines: readonly RecordedLine[];
} {
  const lines: RecordedLine[] = [];
  const keep = (level: keyof Logger) => (facts: object, message: string) =>
    void lines.push({ ...facts, level, message });
  return {
    lines,
    logger: { debug: keep('debug'), info: keep('info'), warn: keep('warn'), error: keep('error') },
  };
}

/** What password hashes cost in tests: two milliseconds, because nearly every test of the admin API and of the UI signs in. */
export const passwordCost: PasswordCost = { N: 2 ** 10, r: 8, p: 1 };
