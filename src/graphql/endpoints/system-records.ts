/**
 * Finds system records by ID, and returns the validators of new ones.
 */
import { isDomainError, unlessError } from '../../base/errors.ts';
import type { ContentService, StoredAsset } from '../../content/content-service.ts';
import type { JsonObject } from '../../model/content-type.ts';
import { type AssetValidator, createAssetValidators } from '../../model/values/validate-asset.ts';

/** Finds the record with an ID, unless it is of another class. */
export async function findRecord(
  system: ContentService,
  className: string,
  id: string,
): Promise<StoredAsset | undefined> {
  const record = await unlessError(system.get(id, {}), 'not_found');
  return record?.asset._type === className ? record : undefined;
}

export function recordValidator(system: ContentService, className: string): AssetValidator {
  const validator = createAssetValidators(system.catalog).get(className);
  if (!validator) throw new Error(`no content type ${className}`);
  return validator;
}

/** An update of fields of a record. `ifVersions` are the versions that the record may have; absent means any. */
export interface RecordUpdate {
  readonly id: string;
  readonly ifVersions?: readonly string[];
  readonly fields: Readonly<Record<string, unknown>>;
}

/**
 * Updates records in one transaction, in which they can take over unique values of each other; one after the other where the store has
 * no transactions.
 *
 * Errors: those of the first update that is refused.
 */
export async function updateTogether(
  system: ContentService,
  updates: readonly RecordUpdate[],
): Promise<void> {
  const operations = updates.map(({ id, fields, ...condition }) => {
    // Records are stored as JSON.
    const asset = { ...fields, _id: id } as unknown as JsonObject;
    return { action: 'update', by: '_id', asset, ...condition } as const;
  });
  const request = { operations, references: 'checked' } as const;
  try {
    await system.batch({ ...request, atomic: true }, {});
  } catch (error) {
    if (!isDomainError(error, 'atomic_unsupported')) throw error;
    for (const outcome of await system.batch({ ...request, atomic: false }, {}))
      if (outcome.kind === 'refused') throw outcome.error;
  }
}
