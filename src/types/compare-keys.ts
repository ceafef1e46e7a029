/**
 * Compares the keys of two versions of a content type: those of several fields, and those that hold among some assets.
 */
import type { ConditionalKey, ContentType } from '../model/content-type.ts';
import { isSameKey } from './read-type-directives.ts';
import { attention, breaking, type FieldFinding } from './type-change.ts';

/** Compares the keys; `toNow` tells the name of a field that was renamed, which is the same. */
export function compareKeys(
  old: ContentType,
  now: ContentType,
  toNow: (name: string) => string,
): FieldFinding[] {
  const before = old.keys.map((names) => names.map(toNow));
  const added = now.keys.filter((names) => !before.some((other) => isSameKey(other, names)));
  const removed = before.filter((names) => !now.keys.some((other) => isSameKey(other, names)));
  const isUnique = 'are unique together: stored assets and clients must not repeat their values';
  return [
    ...added.map((names) => ({ path: names.join(','), ...attention(isUnique) })),
    ...removed.map((names) => ({
      path: names.join(','),
      ...breaking('are no longer unique together: clients cannot find assets by them'),
    })),
    ...compareConditionalKeys(old, now, toNow),
  ];
}

function compareConditionalKeys(
  old: ContentType,
  now: ContentType,
  toNow: (name: string) => string,
): FieldFinding[] {
  const before = old.conditionalKeys.map((key) => ({ ...key, fields: key.fields.map(toNow) }));
  const after = now.conditionalKeys;
  return [
    ...without(after, before).map((key) => {
      const message = `must be ${describe(key)}: stored assets and clients must not repeat their values`;
      return { path: key.fields.join(','), ...attention(message) };
    }),
    ...without(before, after).map((key) => ({
      path: key.fields.join(','),
      ...attention(`need not be ${describe(key)} any more`),
    })),
  ];
}

const without = (keys: readonly ConditionalKey[], others: readonly ConditionalKey[]) =>
  keys.filter(
    (one) => !others.some((other) => other.where === one.where && isSameKey(other.fields, one.fields)),
  );

const describe = ({ fields, where }: ConditionalKey) =>
  `unique${fields.length > 1 ? ' together' : ''} where ${where}`;
