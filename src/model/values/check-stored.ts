/**
 * Judges whether a stored asset fits its type: for unfit content, `types check` and `verify` alike.
 *
 * What the type says about assets of former types counts as fitting: former names, defaults of required fields, and dropped fields.
 */
import type { Asset, Catalog } from '../content-type.ts';
import { toNewShape } from '../types/to-new-shape.ts';
import { type AssetValidators, type CheckedFields, createAssetValidators } from './validate-asset.ts';

/** Checks a stored asset; returns `undefined` when the catalog lacks its type. */
export type StoredCheck = (asset: Asset) => CheckedFields | undefined;

/** Creates the check for a catalog, whose validators may be given. */
export function createStoredCheck(
  catalog: Catalog,
  validators: AssetValidators = createAssetValidators(catalog),
): StoredCheck {
  return (asset) => {
    const type = catalog.find(asset._type);
    const validator = type && validators.get(type.class);
    if (!type || !validator) return undefined;
    const checked = validator.checkStored(asset);
    return checked.problems.length === 0 ? checked : validator.checkStored(toNewShape(asset, type, catalog));
  };
}
