/**
 * The entries of the change log that a transaction erases: their types, and their removal.
 */
import type { ClientSession } from 'mongodb';
import type { Database } from '../database.ts';
import { limited, withinLimit } from '../writes/time-limits.ts';
import { entriesOf, entryDigits } from './change-document.ts';

/** Assets, and the transaction that erases their entries. */
interface ErasedAssets {
  readonly assets: readonly string[];
  readonly session: ClientSession;
}

const ofAssets = (assets: readonly string[]) => ({ $or: assets.map((asset) => ({ _id: entriesOf(asset) })) });

/** Finds the types of the entries of assets, by asset, in the order of their names. */
export async function findFormerTypes(
  { changes }: Database,
  { assets, session }: ErasedAssets,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const asset = { $substrBytes: ['$_id', 0, { $subtract: [{ $strLenBytes: '$_id' }, entryDigits + 1] }] };
  const stages = [{ $match: ofAssets(assets) }, { $group: { _id: { asset, type: '$type' } } }];
  const found = await withinLimit(() =>
    changes.aggregate<{ _id: { asset: string; type: string } }>(stages, { session, ...limited }).toArray(),
  );
  const types = new Map<string, string[]>(assets.map((id) => [id, []]));
  for (const { _id } of found) types.get(_id.asset)?.push(_id.type);
  for (const names of types.values()) names.sort();
  return types;
}

/**
 * Removes the entries of assets. Counts those that have no number yet: `revision` counts numbered and pending ones.
 */
export async function removeEntries(
  { changes, types }: Database,
  { assets, session }: ErasedAssets,
): Promise<void> {
  const pending = { ...ofAssets(assets), pending: { $gt: 0 } };
  const found = await changes.find(pending, { projection: { type: 1 }, session, ...limited }).toArray();
  const counts = new Map<string, number>();
  for (const { type } of found) counts.set(type, (counts.get(type) ?? 0) + 1);
  const options = { session, upsert: true, ...limited };
  for (const [type, count] of counts)
    await types.updateOne({ _id: type }, { $inc: { changes: count } }, options);
  await withinLimit(() => changes.deleteMany(ofAssets(assets), { session, ...limited }));
}
