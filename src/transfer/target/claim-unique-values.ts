/**
 * Claims unique values for the assets of a dry run, so that a later line cannot use one again.
 */
import { valueInUse } from '../../base/errors.ts';
import type { Asset, Catalog, JsonObject } from '../../model/content-type.ts';
import { uniqueKeysAt, uniquePaths } from '../../query/unique-values.ts';
import type { PlannedContent, UniqueValue } from './planned-content.ts';
import { type TargetView, toUniqueValue } from './target-state.ts';

/** The content planned so far and the assets of the target, in which owners of unique values are looked up. */
interface Known {
  readonly planned: PlannedContent;
  readonly view: TargetView;
}

/** The fields that a write sets and removes. */
interface Change {
  readonly asset: Asset;
  readonly set: JsonObject;
  readonly unset: readonly string[];
}

/** Claims the values of a write and releases those it removes. Errors: value_in_use. */
export function claimUniqueValues(
  { asset: { _id, _type }, set, unset }: Change,
  { catalog, ...known }: Known & { readonly catalog: Catalog },
): void {
  const type = catalog.types.get(_type);
  if (!type) throw new Error(`No content type has the class name ${_type}`);
  const { planned } = known;
  const paths = uniquePaths(type);
  const claimed = uniqueKeysAt(paths, _type, set).map(toUniqueValue);
  for (const value of claimed) {
    const user = planned.findByValue(value) ?? findInTarget(value, known);
    if (user && user._id !== _id) throw valueInUse(value.path, value.value);
  }
  for (const value of claimed) planned.setValue(_id, value);
  const released = paths.filter(({ steps }) => unset.includes(steps[0]?.name ?? ''));
  for (const { text: path } of released) planned.setValue(_id, { type: _type, path });
}

/** Finds the target's asset with a value, unless an earlier line would have changed that value. */
export function findInTarget(value: UniqueValue, { planned, view }: Known): Asset | undefined {
  const user = view.findByValue(value);
  return user && !planned.hasOwnValue(user._id, value) ? user : undefined;
}
