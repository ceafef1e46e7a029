/**
 * Reads system records with their versions, and returns the validators of new ones.
 *
 * Pages of records have no versions, so each record is read again by its ID; there are only dozens of them.
 */
import { findAll } from '../../access/find-all-records.ts';
import { isDomainError } from '../../base/errors.ts';
import type { ContentService } from '../../content/content-service.ts';
import type { Asset } from '../../model/content-type.ts';
import { type AssetValidator, createAssetValidators } from '../../model/validate-asset.ts';

/** A record with its version. */
export interface SystemRecord {
  readonly asset: Asset;
  readonly version: string;
}

/** Lists all records of a class by `_id`. */
export async function listRecords(
  system: ContentService,
  className: string,
): Promise<readonly SystemRecord[]> {
  const assets = await findAll(system, className);
  const records = await Promise.all(assets.map(({ _id }) => findRecord(system, className, _id)));
  return records.filter((record) => record !== undefined);
}

/** Finds the record with an ID, unless it is of another class. */
export async function findRecord(
  system: ContentService,
  className: string,
  id: string,
): Promise<SystemRecord | undefined> {
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
