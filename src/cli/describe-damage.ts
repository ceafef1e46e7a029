/**
 * Says what of a store is damaged: each record that is known, and how many there are.
 */
import { checkFailed } from '../base/errors.ts';
import { type Damage, isSound } from '../transfer/backup/damage.ts';
import { grouped } from '../transfer/progress.ts';

/** Throws check_failed for what a copy lacks, in sentences. */
export function assertComplete(reasons: readonly (string | undefined)[]): void {
  const given = reasons.filter((reason) => reason !== undefined);
  if (given.length > 0) throw checkFailed(given.join('; '));
}

/** Lists the damage on standard error. Returns what `copy` lacks in a sentence; `undefined` when nothing is damaged. */
export function describeDamage(damage: Damage, copy: string): string | undefined {
  const { altered, assets, otherAssets, entries, entryCount, parts } = damage;
  if (isSound(damage)) return undefined;
  for (const id of altered) console.error(`colophon: the asset ${id} is damaged, and copied as it is`);
  for (const id of assets) console.error(`colophon: the asset ${id} is damaged and cannot be read`);
  for (const id of entries) console.error(`colophon: a change of the asset ${id} is damaged`);
  for (const part of parts) console.error(`colophon: ${part} cannot be read`);
  const lost = [
    ...(assets.length + otherAssets > 0 ? [`${grouped(assets.length + otherAssets)} assets`] : []),
    ...(entryCount > 0 ? [`${grouped(entryCount)} changes`] : []),
    ...parts,
  ];
  const unnamed = otherAssets > 0 ? ` (the IDs of ${grouped(otherAssets)} assets are unknown)` : '';
  const kept =
    altered.length > 0 ? [`${grouped(altered.length)} assets are damaged and copied as they are`] : [];
  const missing =
    lost.length > 0 ? [`${copy} has everything except ${lost.join(', ')}, which are damaged${unnamed}`] : [];
  return [...missing, ...kept].join('; ');
}
