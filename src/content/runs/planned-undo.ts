/**
 * What the revert of a run does to one asset, or why it does nothing.
 */

import { isDeepStrictEqual } from 'node:util';
import { memberOf } from '../../base/own-members.ts';
import type { EditConflict, Problem } from '../../base/problems.ts';
import { titleOf } from '../../model/asset-title.ts';
import type { Asset, ContentType, Json } from '../../model/content-type.ts';
import type { ChangeEntry } from '../../store/changes.ts';
import type { AssetWrite } from '../../store/port.ts';

/** A field that a revert changes; a value is absent when the field has none. */
export interface FieldChange {
  readonly path: string;
  readonly from?: Json;
  readonly to?: Json;
}

/** An asset that refers to another. */
export interface Referrer {
  readonly _id: string;
  readonly _type: string;
  readonly title: string;
}

/**
 * Why writes of a run are not undone.
 *
 * - `changed`: another write came after them: `change`. `values` are the fields concerned: what the run wrote (`base`), what they
 *   are now (`theirs`), and what the revert would have made them (`yours`).
 * - `referenced`: the run created the asset, and others refer to it by now.
 * - `refused`: the former state breaks a rule of today.
 * - `erased`: its former states are gone.
 * - `unsupported`: it is no content of today's types, such as an API client.
 */
export type UndoConflict =
  | { readonly reason: 'changed'; readonly change: ChangeEntry; readonly values: readonly EditConflict[] }
  | { readonly reason: 'referenced'; readonly referrers: readonly Referrer[] }
  | { readonly reason: 'refused'; readonly problems: readonly Problem[] }
  | { readonly reason: 'erased' | 'unsupported' };

/** What a revert does to one asset. With a `conflict` it does nothing, and `action` and `changes` say what it would do. */
export interface PlannedUndo {
  readonly asset: string;
  readonly type: string;
  readonly title: string;
  readonly action: 'create' | 'update' | 'delete';
  /** Empty unless the asset is updated. */
  readonly changes: readonly FieldChange[];
  readonly writes: readonly AssetWrite[];
  readonly conflict?: UndoConflict;
}

/** A change of an asset as a whole. `undefined` means that it does not exist. */
export interface Transition {
  readonly now: Asset | undefined;
  readonly past: Asset | undefined;
}

/** The field that says when an asset was written, which a revert sets to the present time as every write does. */
export const updateDateField = 'cms.content.updateDate';

/** Lists the fields that differ, without the date of the last write. */
export function findChanges({ now, past }: Transition): FieldChange[] {
  const names = new Set([...Object.keys(now ?? {}), ...Object.keys(past ?? {})]);
  names.delete(updateDateField);
  return [...names].flatMap((path) => {
    const [one, other] = [now, past].map((state) => state && memberOf(state, path));
    if (isDeepStrictEqual(one, other)) return [];
    return [{ path, ...(one !== undefined && { from: one }), ...(other !== undefined && { to: other }) }];
  });
}

/** Describes what changing an asset does, without the writes. */
export function describeUndo(
  { now, past }: Transition,
  { entry, type }: { entry: ChangeEntry; type: ContentType | undefined },
): Omit<PlannedUndo, 'writes'> {
  const titled = now ?? past;
  const exists = now !== undefined;
  return {
    asset: entry.asset,
    type: titled?._type ?? entry.type,
    title: titled ? titleOf(titled, type) : entry.asset,
    action: now || past ? (past === undefined ? 'delete' : exists ? 'update' : 'create') : inverseOf(entry),
    changes: exists && past !== undefined ? findChanges({ now, past }) : [],
  };
}

/** What undoes an entry, for assets whose states are unknown. */
function inverseOf({ action }: ChangeEntry): PlannedUndo['action'] {
  switch (action) {
    case 'create':
      return 'delete';
    case 'delete':
    case 'erase':
      return 'create';
    case 'update':
    case 'signIn':
      return 'update';
  }
}
