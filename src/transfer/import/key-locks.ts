/**
 * Keeps lines about the same asset in their order: a segment waits while another one that is under way names the same asset.
 */
import type { Json } from '../../model/content-type.ts';
import type { Segment } from './segments.ts';

/** Which assets the segments under way are about. */
export interface KeyLocks {
  /** What a segment's assets are known by: `_id`, and the field `by`. */
  keysOf(segment: Segment): readonly string[];
  isTaken(keys: readonly string[]): boolean;
  take(keys: readonly string[]): void;
  release(keys: readonly string[]): void;
}

/** Makes locks, of which none is taken. */
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
