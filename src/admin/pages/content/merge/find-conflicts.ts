/**
 * Compares the changes that two people made to the same state of an asset.
 */
import type { Asset } from 'colophon-client/admin';
import { isSameValue } from '../../../parts/difference/same-value.ts';

/** A field that both have changed, to different values. Undefined means that it has no value. */
export interface MergeConflict {
  readonly name: string;
  readonly base: unknown;
  readonly theirs: unknown;
  readonly mine: unknown;
}

/** What the other person has changed. */
export interface TheirChanges {
  readonly conflicts: readonly MergeConflict[];
  /** The names of the other fields that they have changed. */
  readonly others: readonly string[];
}

/** Finds what differs between `base` and `theirs`, and where that conflicts with `body`, the changes to save (null clears). */
export function findConflicts({
  base,
  theirs,
  body,
}: {
  base: Asset;
  theirs: Asset;
  body: Readonly<Record<string, unknown>>;
}): TheirChanges {
  const names = new Set([...Object.keys(base), ...Object.keys(theirs)]);
  names.delete('cms.content.updateDate');
  const changed = [...names].filter((name) => !isSameValue(base[name], theirs[name]));
  const conflicts = changed
    .filter((name) => name in body && !isSameValue(theirs[name], body[name] ?? undefined))
    .map((name) => ({ name, base: base[name], theirs: theirs[name], mine: body[name] ?? undefined }));
  const inConflict = new Set(conflicts.map(({ name }) => name));
  return { conflicts, others: changed.filter((name) => !inConflict.has(name) && !(name in body)) };
}
