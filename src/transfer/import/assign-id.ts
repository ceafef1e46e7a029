/**
 * Gives an `_id` to an asset that brings none: always the same to the same line of the same import, so that nothing need be
 * remembered of a line that is sent again.
 */
import { createHash } from 'node:crypto';
import { toUuid7 } from '../../base/runtime.ts';
import type { JsonObject } from '../../model/content-type.ts';

/** One import: its ID, which is random, and when it began. */
export interface ImportIdentity {
  readonly id: string;
  readonly startedMs: number;
}

/** A UUID version 7, of which later lines have later ones. */
export function idOfLine({ id, startedMs }: ImportIdentity, line: number): string {
  const random = createHash('sha256').update(`${id} ${line}`).digest().subarray(0, 16);
  return toUuid7({ msecs: startedMs, seq: line, random });
}

/** The JSON text of an object with one more member, `_id`. */
export function withId(asset: JsonObject, text: string, id: string): string {
  const brace = text.indexOf('{') + 1;
  const comma = Object.keys(asset).length > 0 ? ',' : '';
  return `${text.slice(0, brace)}"_id":"${id}"${comma}${text.slice(brace)}`;
}
