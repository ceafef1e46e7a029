/**
 * Keeps lines about the same asset in order: a segment waits while a segment under way names one of its assets.
 */
import type { Json } from '../../model/content-type.ts';
import type { Segment } from './segments.ts';

/** The assets of the segments under way. */
export interface KeyLocks {
  /** Lists the keys of a segment's assets: their `_id`, and their value of the field `by`. */
  keysOf(segment: Segment): readonly string[];
  isTaken(keys: readonly string[]): boolean;
  take(keys: readonly string[]): void;
  release(keys: readonly string[]): void;
}

/** Creates the locks; none is taken. */
export function createKeyLocks(by: string): KeyLocks {
  const taken = new Set<string>();
  const fields = [...new Set(['_id', by])];
  return {
    keysOf: ({ lines }) =>
      lines.flatMap(({ content }) => {
        if (content.kind !== 'asset') return [];
        const { asset } = content;
        return fields.flatMap((field) => toKey(field, asset[field]));
      }),
    isTaken: (keys) => keys.some((key) => taken.has(key)),
    take(keys) {
      for (const key of keys) taken.add(key);
    },
    release(keys) {
      for (const key of keys) taken.delete(key);
    },
  };
}

function toKey(field: string, value: Json | undefined): string[] {
  if (typeof value !== 'string' && typeof value !== 'number') return [];
  return [`${field} ${String(value).toLowerCase()}`];
}
