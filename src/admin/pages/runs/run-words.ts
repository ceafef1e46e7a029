/**
 * The words for runs and their reverts.
 */

import type { PlannedRevert, Run } from '../../api.ts';
import { formatNumber } from '../../parts/data/number-words.ts';

/** The state of a run in a word or two, with a colour. */
export function describeState({ state, revert, isIrreversible }: Run): { label: string; color: string } {
  const lasting = isIrreversible ? ', irreversible' : '';
  if (state === 'open') return { label: `Open${lasting}`, color: 'blue' };
  if (state === 'closed') return { label: `Closed${lasting}`, color: 'gray' };
  if (revert?.state === 'running') return { label: 'Reverting', color: 'blue' };
  if (revert?.state === 'interrupted') return { label: 'Revert interrupted', color: 'red' };
  return { label: 'Reverted', color: 'orange' };
}

/** The names that Colophon gives to runs begin with what they are. */
const kinds = [
  [/^import-/, 'Import'],
  [/^edit-[\da-f]{12}$/, 'Change of many assets'],
  [/^revert-/, 'Revert'],
] as const;

/** What kind of run has this name; undefined if a program has chosen it. */
export const kindOfRun = (name: string): string | undefined =>
  kinds.find(([pattern]) => pattern.test(name))?.[1];

/** How many writes a run has made, such as `1,200 created, 14 changed`. */
export function describeWrites({ writes, isCounted }: Run): string {
  const parts = [
    [writes.create, 'created'],
    [writes.update, 'changed'],
    [writes.delete, 'deleted'],
  ] as const;
  const counted = parts
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${formatNumber(count)} ${word}`);
  if (counted.length === 0) return isCounted ? 'None' : 'Counting…';
  return isCounted ? counted.join(', ') : `${counted.join(', ')} so far`;
}

/** The number of all writes of a run, as far as they are counted. */
export const countWrites = ({ writes }: Run) => writes.create + writes.update + writes.delete;

/** What a revert does to an asset. */
export const revertWords: Readonly<Record<PlannedRevert['action'], string>> = {
  create: 'Create again',
  update: 'Change back',
  delete: 'Delete',
};
