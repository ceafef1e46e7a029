/**
 * Adds and removes keys in an API client's record, so that changes made at the same time do not lose one another.
 */
import { invalidBody, isDomainError, notFound, storeBusy } from '../../base/errors.ts';
import type { Clock, IdSource } from '../../base/runtime.ts';
import type { ContentService } from '../../content/content-service.ts';
import { type ApiKey, isExpired, type NewApiKey, toApiClient, toKeyRecord } from './api-client.ts';
import { getActiveRecord, withPublicErrors } from './client-records.ts';
import { hashSecret } from './secret.ts';

/** More than a client has keys: of simultaneous changes, at least one succeeds in each round. */
const maxAttempts = 30;

/** Adds a key, and returns it with its secret. Errors: not_found, invalid_body, store_busy. */
export async function addKey(
  { system, clock, ids }: { system: ContentService; clock: Clock; ids: IdSource },
  { clientId, name, expiresAtMs }: NewApiKey,
): Promise<{ key: ApiKey; secret: string }> {
  const createdAtMs = clock.nowMs();
  const expiry = expiresAtMs === undefined ? {} : { expiresAtMs };
  if (isExpired(expiry, createdAtMs))
    throw invalidBody([{ path: 'expiresAt', message: 'must be in the future' }]);
  const { asset } = await getActiveRecord(system, clientId);
  const secret = ids.secret();
  const key = { id: ids.assetId(), name, keyHash: hashSecret(secret), createdAtMs, ...expiry };
  const change = (keys: readonly ApiKey[]) => [...keys, key];
  await withPublicErrors(clientId, changeKeys({ system, recordId: asset._id, change }));
  return { key, secret };
}

/** Removes a key. Errors: not_found for the client or the key, store_busy. */
export async function removeKey(
  system: ContentService,
  { clientId, keyId }: { clientId: string; keyId: string },
): Promise<void> {
  const { asset } = await getActiveRecord(system, clientId);
  const change = (keys: readonly ApiKey[]) => {
    const others = keys.filter(({ id }) => id !== keyId);
    if (others.length === keys.length) throw notFound(keyId, 'API key');
    return others;
  };
  await changeKeys({ system, recordId: asset._id, change });
}

/**
 * Writes what `change` makes of the present keys; calls it again when another write came first. Errors: invalid_body, store_busy.
 */
async function changeKeys({
  system,
  recordId,
  change,
}: {
  system: ContentService;
  recordId: string;
  change: (keys: readonly ApiKey[]) => readonly ApiKey[];
}): Promise<void> {
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const { asset, version } = await system.get(recordId, {});
    const keys = change(toApiClient(asset).keys).map(toKeyRecord);
    try {
      await system.update({ id: recordId, body: { keys }, ifVersions: [version] }, {});
      return;
    } catch (error) {
      if (!isDomainError(error, 'precondition_failed')) throw error;
    }
  }
  throw storeBusy('others keep changing this API client');
}
