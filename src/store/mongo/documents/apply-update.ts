/**
 * Applies an update to a document in memory, as MongoDB would.
 */
import type { AssetDocument, AssetUpdate } from './document.ts';
import { getNested, isNestedObject, setNested } from './nested-names.ts';

/** Returns the document after an update that `toUpdate` has made, and of which the number of the last entry is increased. */
export function applyUpdate(document: AssetDocument, update: AssetUpdate): AssetDocument {
  const { $set = {}, $unset = {}, $addToSet = {}, $inc = {}, ...others } = update;
  const [unknown] = Object.keys(others);
  if (unknown) throw new Error(`No update of an asset has ${unknown}`);
  const updated = structuredClone(document);
  for (const [path, value] of Object.entries($set)) setNested(updated, path, value);
  for (const path of Object.keys($unset)) {
    const [name = '', ...holders] = path.split('.').reverse();
    const holder = holders.length > 0 ? getNested(updated, holders.reverse().join('.')) : updated;
    if (isNestedObject(holder)) delete holder[name];
  }
  for (const [path, added] of Object.entries($addToSet)) {
    // `toUpdate` adds names to a list of names.
    const { $each } = added as { readonly $each: readonly string[] };
    setNested(updated, path, [...new Set([...((getNested(updated, path) ?? []) as string[]), ...$each])]);
  }
  for (const [path, by] of Object.entries($inc))
    setNested(updated, path, Number(getNested(updated, path) ?? 0) + Number(by));
  return updated;
}
