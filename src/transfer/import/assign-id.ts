/**
 * Assigns an `_id` to an asset without one. The same line of the same import always gets the same `_id`, so that a line can be sent
 * again.
 */
import { createHash } from 'node:crypto';
import { toUuid7 } from '../../base/runtime.ts';
import type { JsonObject } from '../../model/content-type.ts';

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

/** Adds the member `_id` to the JSON text of an object. */
export function withId(asset: JsonObject, text: string, id: string): string {
  const brace = text.indexOf('{') + 1;
  const comma = Object.keys(asset).length > 0 ? ',' : '';
  return `${text.slice(0, brace)}"_id":"${id}"${comma}${text.slice(brace)}`;
}
