/**
 * Assigns an `_id` to an asset without one. The same line of the same import always gets the same `_id`, so that a line can be sent
 * again.
 */
import { createHash } from 'node:crypto';
import { toUuid7 } from '../../base/runtime.ts';

/** The identity of an import: its random ID and its start. */
export interface ImportIdentity {
  readonly id: string;
  readonly startedMs: number;
}

/** Derives a UUID version 7; later lines get greater ones. */
export function idOfLine({ id, startedMs }: ImportIdentity, line: number): string {
  const random = createHash('sha256').update(`${id} ${line}`).digest().subarray(0, 16);
  return toUuid7({ msecs: startedMs, seq: line, random });
}
