/**
 * Changes the list of keys in an API client's record, so that changes made at the same time do not lose one another.
 */
import { isDomainError, storeBusy } from '../../base/errors.ts';
import type { ContentService } from '../../content/content-service.ts';
import { type ApiKey, toApiClient, toKeyRecord } from './api-client.ts';

/** More than a client has keys: of changes that meet, one at least succeeds each time. */
const maxAttempts = 30;

/** Writes what `change` makes of the present keys; it is called anew when another write came between. Errors: invalid_body, store_busy. */
export async function changeKeys({
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
