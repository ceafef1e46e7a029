/** A clock that stands still, identifiers that count, and a log that can be read. */
import type { Clock, IdSource, Logger } from '../../src/base/runtime.ts';

/** A clock that tests move. */
export interface FakeClock extends Clock {
  advance(ms: number): void;
}

/** A clock that shows `startMs` until it is moved. */
export function createFakeClock(startMs: number): FakeClock {
  let ms = startMs;
  return {
    nowMs: () => ms,
    advance(byMs) {
      ms += byMs;
    },
  };
}

/** Identifiers `…0001`, `…0002`, and so on; versions and secrets are `version-1`, `secret-1`. */
export function createCountingIds(): IdSource {
  let [assets, versions, secrets] = [0, 0, 0];
  return {
    assetId: () => `0191f3a0-5b7e-7c11-9d2e-${String(++assets).padStart(12, '0')}`,
    version: () => `version-${++versions}`,
    secret: () => `secret-${++secrets}`,
  };
}

/** A line of a log that was kept. */
export interface KeptLine {
  readonly level: keyof Logger;
  readonly message: string;
  readonly [fact: string]: unknown;
}

/** A log whose lines are kept. */
export function createKeptLog(): { readonly logger: Logger; readonly lines: readonly KeptLine[] } {
  const lines: KeptLine[] = [];
  const keep = (level: keyof Logger) => (facts: object, message: string) =>
    void lines.push({ ...facts, level, message });
  return {
    lines,
    logger: { debug: keep('debug'), info: keep('info'), warn: keep('warn'), error: keep('error') },
  };
}
