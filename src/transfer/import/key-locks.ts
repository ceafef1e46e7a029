/**
 * Keeps lines about the same asset in order: a segment waits while a segment under way names one of its assets.
 */
import type { JsonObject } from '../../model/content-type.ts';
import { valueAt } from './reference-keys.ts';
import type { Segment } from './segments.ts';
import type { UpdateKeys } from './update-keys.ts';

/** The assets of the segments under way. */
export interface KeyLocks {
  /** Lists the keys of a segment's assets: their `_id`, and their values of the fields of all keys. */
  keysOf(segment: Segment): readonly string[];
  isTaken(keys: readonly string[]): boolean;
  take(keys: readonly string[]): void;
  release(keys: readonly string[]): void;
}

/** Creates the locks; none is taken. */
export function createKeyLocks(by: UpdateKeys): KeyLocks {
  const taken = new Set<string>();
  const keys = [...new Set(['_id', ...by.all.map(([, fields]) => fields)])].map((key) => key.split(','));
  return {
    keysOf: ({ lines }) =>
      lines.flatMap(({ content }) => {
        if (content.kind !== 'asset') return [];
        const { asset } = content;
        return keys.map((fields) => toKey(fields, asset));
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

/** Lines without a value have the same key, so they stay in order, too. */
const toKey = (fields: readonly string[], asset: JsonObject) =>
  JSON.stringify(fields.map((field) => [field, valueAt(asset, field)])).toLowerCase();
