/**
 * Cursors of the audit and of the activity: where a page ends, bound to the filter it was read with and to the store's line of history.
 */
import { hash } from 'node:crypto';
import { invalidParameter } from '../../base/errors.ts';

/** What a cursor belongs to. */
export interface CursorScope {
  readonly filter: object;
  /** The name of the store's line of history. */
  readonly epoch: string;
}

/** Makes the cursor of the entries before `seq`. */
export function toCursor(seq: number, scope: CursorScope): string {
  return `${seq.toString(36)}.${toMark(scope)}`;
}

/** Reads a cursor: the `seq` to continue from. Errors: invalid_parameter when it belongs to something else. */
export function readCursor(cursor: string, scope: CursorScope): number {
  const [, seq = '', mark] = /^([0-9a-z]{1,11})\.([\w-]{8})$/.exec(cursor) ?? [];
  const number = Number.parseInt(seq, 36);
  if (mark !== toMark(scope) || !Number.isSafeInteger(number)) {
    throw invalidParameter('cursor', 'does not belong to these filters and this store; begin without it');
  }
  return number;
}

function toMark({ filter, epoch }: CursorScope): string {
  const sorted = Object.entries(filter).sort(([one], [other]) => (one < other ? -1 : 1));
  return hash('sha256', JSON.stringify([epoch, sorted]), 'base64url').slice(0, 8);
}
