/**
 * Converts entries of the change log to documents of the collection `changes` and back.
 *
 * The `_id` is the asset's `_id`, a blank, and the entry's number with leading zeros, so the index of `_id` is that of the
 * histories. Asset ids contain no blank. Former values and whole states are JSON texts: MongoDB need not look into them.
 */
import type { Actor } from '../../../base/request-origin.ts';
import type { Asset, JsonObject } from '../../../model/content-type.ts';
import type { ChangeAction, ChangeEntry } from '../../changes.ts';

/** A document of the collection `changes`. */
export interface ChangeDocument {
  readonly _id: string;
  readonly id: string;
  /** Absent until the entry is numbered. */
  readonly seq?: number;
  /** Until the entry is numbered: when it was written, in the form of `createStamps`. */
  readonly pending?: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly type: string;
  readonly action: ChangeAction;
  readonly version?: string;
  readonly previous?: string;
  readonly changed?: readonly string[];
  /** JSON text of the former values. */
  readonly before?: string;
  /** JSON text of the whole asset after the change, in every 64th entry of an asset. */
  readonly state?: string;
  /** The `_id` of the asset, if it does not exist after the change. */
  readonly gone?: string;
  readonly by: Actor;
  readonly run?: string;
  readonly requestId?: string;
}

/** How many digits the number of an entry has in its `_id`. */
export const entryDigits = 12;

/** Returns the `_id` of an entry. */
export const toChangeId = (asset: string, number: number) =>
  `${asset} ${String(number).padStart(entryDigits, '0')}`;

/** Reads the asset's `_id` and the entry's number from the `_id` of an entry. */
export function parseChangeId(id: string): { readonly asset: string; readonly number: number } {
  return { asset: id.slice(0, -entryDigits - 1), number: Number(id.slice(-entryDigits)) };
}

/** Returns a condition on `_id`: the entries of an asset with numbers from `from` on, and below `below`. */
export function entriesOf(asset: string, { from = 0, below }: { from?: number; below?: number } = {}) {
  // A colon comes after all digits.
  return {
    $gte: toChangeId(asset, from),
    $lt: below === undefined ? `${asset} :` : toChangeId(asset, below),
  };
}

/** Converts a document to its entry. */
export function toEntry(document: ChangeDocument): ChangeEntry {
  const { _id, id, seq, at, type, action, version, previous, changed = [], before } = document;
  const { by, run, requestId } = document;
  return {
    id,
    ...(seq !== undefined && { seq }),
    atMs: at,
    ...parseChangeId(_id),
    type,
    action,
    ...(version !== undefined && { version }),
    ...(previous !== undefined && { previousVersion: previous }),
    changed,
    ...(before !== undefined && { before: parseObject(before) }),
    by,
    ...(run !== undefined && { run }),
    ...(requestId !== undefined && { requestId }),
  };
}

/** Reads the whole asset that an entry keeps. */
export const parseState = (state: string): Asset =>
  // Safe: the text was made from an asset.
  JSON.parse(state) as Asset;

// Safe: the text was made from an object.
const parseObject = (text: string) => JSON.parse(text) as JsonObject;

/** The bytes of an entry's texts, which may be large. */
export const bytesOf = ({ before = '', state = '' }: ChangeDocument) => before.length + state.length;

/** Creates a clock for `pending`: microseconds since 1970, greater at each call, so that a process's writes keep their order. */
export function createStamps(nowMs: () => number): () => number {
  let last = 0;
  return () => {
    last = Math.max(last + 1, nowMs() * 1_000);
    return last;
  };
}
