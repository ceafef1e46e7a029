/**
 * Merges an update that is based on an earlier version of its asset with the changes that others made since.
 *
 * A merge compares top-level fields. An update writes only the fields it contains, so other fields keep the values that others
 * have set. This file finds the conflicts: fields that both have changed, to different values.
 */

import { isDeepStrictEqual } from 'node:util';
import { type EditConflict, editConflict, notSupported, preconditionFailed } from '../base/errors.ts';
import { memberOf } from '../base/own-members.ts';
import type { Asset, Json } from '../model/content-type.ts';
import type { AssetPatch, ContentStore, StoredAsset } from '../store/port.ts';
import { updateDateField } from './prepare-write.ts';
import type { Caller } from './reading/find-assets.ts';
import { isVisible } from './reading/site-visibility.ts';

/** An update to merge. */
export interface Merge {
  /** The asset at the version that the update is based on; `undefined` when that is not known. */
  readonly base: Asset | undefined;
  readonly present: StoredAsset;
  readonly write: Pick<AssetPatch, 'set' | 'unset'>;
}

/** Checks that the store can merge. Errors: not_supported. */
export function assertMergesSupported({ capabilities }: Pick<ContentStore, 'capabilities'>): void {
  if (!capabilities.changes)
    throw notSupported('This store keeps no change log, so it knows no earlier versions');
}

/** Reads an asset at an earlier version; `undefined` when the log does not have it, any more or at all. */
export async function readBase(
  store: Pick<ContentStore, 'changes'>,
  { id, version }: { id: string; version: string },
): Promise<Asset | undefined> {
  const past = await store.changes.stateOf(id, { version });
  return past.kind === 'exists' ? past.asset : undefined;
}

/**
 * Checks that an update does not undo what others have changed since its base. Errors: precondition_failed when the base is not
 * known or the caller may not see it; edit_conflict.
 */
export function assertMergeable({ base, present: { asset }, write }: Merge, caller: Caller): void {
  if (base?._type !== asset._type || !isVisible(base, caller)) throw preconditionFailed(asset._id);
  const conflicts = findConflicts(base, asset, write);
  if (conflicts.length > 0) throw editConflict(asset._id, conflicts);
}

function findConflicts(base: Asset, theirs: Asset, { set, unset }: Merge['write']): EditConflict[] {
  const paths = [...Object.keys(set), ...unset].filter((path) => path !== updateDateField);
  return paths.flatMap((path) => {
    const [before, now, yours] = [memberOf(base, path), memberOf(theirs, path), memberOf(set, path)];
    if (isDeepStrictEqual(before, now) || isDeepStrictEqual(now, yours)) return [];
    return [{ path, ...named('base', before), ...named('theirs', now), ...named('yours', yours) }];
  });
}

/** Returns an object with this member, or without it if the value is undefined. */
const named = (name: string, value: Json | undefined) => (value === undefined ? {} : { [name]: value });
