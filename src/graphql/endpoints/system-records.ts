/**
 * Finds system records by ID, and returns the validators of new ones.
 */
import { isDomainError } from '../../base/errors.ts';
import type { ContentService, StoredAsset } from '../../content/content-service.ts';
import { type AssetValidator, createAssetValidators } from '../../model/values/validate-asset.ts';

/** Finds the record with an ID, unless it is of another class. */
export async function findRecord(
  system: ContentService,
  className: string,
  id: string,
): Promise<StoredAsset | undefined> {
  try {
    const record = await system.get(id, {});
    return record.asset._type === className ? record : undefined;
  } catch (error) {
    if (isDomainError(error, 'not_found')) return undefined;
    throw error;
  }
}

/** Returns the validator of the records of a class. */
export function recordValidator(system: ContentService, className: string): AssetValidator {
  const validator = createAssetValidators(system.catalog).get(className);
  if (!validator) throw new Error(`no content type ${className}`);
  return validator;
}
