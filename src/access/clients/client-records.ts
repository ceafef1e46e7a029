/**
 * Records of API clients: how they are found, and how errors about them read to those who manage API clients.
 */
import { invalidBody, isDomainError, notFound, preconditionFailed } from '../../base/errors.ts';
import type { ContentService, StoredAsset } from '../../content/content-service.ts';
import { findTextFlaw } from '../../model/values/scalars.ts';
import { toPublicProblem } from './api-client.ts';

/** The content type of the records. */
export const clientType = 'com.colophon.system.ApiClient';

/** Returns the record of a client, revoked or not. Errors: not_found. */
export async function getRecord(system: ContentService, clientId: string): Promise<StoredAsset> {
  // A text that no record can hold is no valid value of a predicate either.
  if (findTextFlaw(clientId) !== undefined) throw notFound(clientId, 'API client');
  const query = { from: clientType, where: 'clientId = ?', values: [clientId] };
  const { items } = await system.find({ ...query, offset: 0, limit: 1, withCount: false }, {});
  const [record] = items;
  if (!record) throw notFound(clientId, 'API client');
  return record;
}

/** Returns the record of a client that is not revoked. Errors: not_found. */
export async function getActiveRecord(system: ContentService, clientId: string): Promise<StoredAsset> {
  const record = await getRecord(system, clientId);
  if (record.asset.revokedAt !== undefined) throw notFound(clientId, 'API client');
  return record;
}

/** Waits for a write of a record; its errors name the client by its ID, and the fields as the admin API does. */
export async function withPublicErrors<Outcome>(clientId: string, write: Promise<Outcome>): Promise<Outcome> {
  try {
    return await write;
  } catch (error) {
    if (isDomainError(error, 'invalid_body')) throw invalidBody(error.details.problems.map(toPublicProblem));
    if (isDomainError(error, 'precondition_failed')) throw preconditionFailed(clientId);
    throw error;
  }
}
