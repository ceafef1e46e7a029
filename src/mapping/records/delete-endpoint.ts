/**
 * Deletes REST endpoints with their past states and their claims on routes.
 */
import { isDomainError } from '../../base/errors.ts';
import { isUuid } from '../../base/uuid.ts';
import type { EndpointChange } from './endpoint-changes.ts';
import type { RestEndpointContext } from './rest-endpoint-context.ts';

/** Deletes one endpoint. Errors: not_found, precondition_failed. */
export async function deleteEndpoint(
  context: RestEndpointContext,
  deletion: Omit<EndpointChange, 'by'>,
): Promise<void> {
  try {
    await context.changes.get(deletion.id);
    await context.system.delete(deletion, {});
  } catch (error) {
    // A deletion that was interrupted is completed when it is requested again.
    if (isDomainError(error, 'not_found') && isUuid(deletion.id)) await deleteRest(context, deletion.id);
    throw error;
  }
  await deleteRest(context, deletion.id);
}

/** Deletes the past states and the claims of an endpoint. */
async function deleteRest({ history, claims }: RestEndpointContext, id: string): Promise<void> {
  await history.deleteAll(id.toLowerCase());
  await claims.release(id.toLowerCase());
}
