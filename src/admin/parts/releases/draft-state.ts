/**
 * The state of an asset in a release, compared with the live content.
 */
import type { Asset, DraftAction, PublishedDraft } from '../../api.ts';
import { isSameValue } from '../difference/same-value.ts';

/** How the asset of a release differs from the live one. */
export type DraftState = 'live' | 'changed' | 'new' | 'withdrawn' | 'deleted';

/** The words and the colour of each state. */
export const stateWords: Readonly<Record<DraftState, { readonly label: string; readonly color: string }>> = {
  live: { label: 'Live', color: 'green' },
  changed: { label: 'Changed', color: 'orange' },
  new: { label: 'New', color: 'blue' },
  withdrawn: { label: 'Withdrawn', color: 'grape' },
  deleted: { label: 'To be deleted', color: 'red' },
};

/** The state that a draft gives an asset. */
export const stateOfDraft = ({
  action,
  withdrawn,
}: Pick<PublishedDraft, 'action' | 'withdrawn'>): DraftState =>
  withdrawn ? 'withdrawn' : stateOfAction[action];

const stateOfAction: Readonly<Record<DraftAction, DraftState>> = {
  create: 'new',
  change: 'changed',
  delete: 'deleted',
};

/** The names of the fields that differ; the date of the last change does not count. */
export function changedFields(live: Asset, drafted: Asset): string[] {
  const names = new Set([...Object.keys(live), ...Object.keys(drafted)]);
  names.delete('cms.content.updateDate');
  return [...names].filter((name) => !isSameValue(live[name], drafted[name]));
}

/** Compares both states of an asset, of which at least one exists. `isWithdrawn` says what only its draft knows. */
export function stateOf(
  live: Asset | undefined,
  drafted: Asset | undefined,
  isWithdrawn = false,
): DraftState {
  if (!live) return isWithdrawn ? 'withdrawn' : 'new';
  if (!drafted) return 'deleted';
  return changedFields(live, drafted).length > 0 ? 'changed' : 'live';
}
