/**
 * Gives an `_id` to an asset that brings none: always the same to the same line of the same import, so that nothing need be
 * remembered of a line that is sent again.
 */
import { createHash } from 'node:crypto';
import type { JsonObject } from '../model/content-type.ts';

/** One import: its ID, which is random, and when it began. */
export interface ImportIdentity {
  readonly id: string;
  readonly startedMs: number;
}

/**
 * A UUID version 7. Its time and its counter follow the lines, so that later lines sort after earlier ones; its random bits are
 * made from the import's.
 */
export function idOfLine({ id, startedMs }: ImportIdentity, line: number): string {
  const time = (startedMs + Math.floor(line / 4096)).toString(16).padStart(12, '0');
  const counter = (line % 4096).toString(16).padStart(3, '0');
  const hash = createHash('sha256').update(`${id} ${line}`).digest();
  const variant = (0x80 | ((hash[0] ?? 0) & 0x3f)).toString(16);
  const rest = hash.toString('hex', 1, 8);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${counter}-${variant}${rest.slice(0, 2)}-${rest.slice(2)}`;
}

/** The JSON text of an object with one more member, `_id`. */
export function withId(asset: JsonObject, text: string, id: string): string {
  const brace = text.indexOf('{') + 1;
  const comma = Object.keys(asset).length > 0 ? ',' : '';
  return `${text.slice(0, brace)}"_id":"${id}"${comma}${text.slice(brace)}`;
}
