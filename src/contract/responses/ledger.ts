/**
 * Gives the reasons why some documented responses cannot be provoked by a client.
 */
import type { ApiUnderTest } from '../apis/api-under-test.ts';
import { takesClients } from '../cases/requests/credentials.ts';
import type { DocumentedAnswer } from './response-validator.ts';

/** Gives the reason why a response was never received, or `undefined` when it should have been. */
export async function unseenReason(
  { operation, status }: DocumentedAnswer,
  api: ApiUnderTest,
): Promise<string | undefined> {
  if (status === '500') return 'the instance would have to fail';
  if (status === '503') return 'the store would have to be busy';
  if (status === '408') return 'a body would have to be held back for ten seconds';
  if (status === '429') return 'others would be kept from signing in for a while';
  if (!api.hasUser && !takesClients(api, operation)) return 'needs a user who signs in';
  if (status === '403' && typeof (await api.limited()) === 'string')
    return 'needs a client without the right';
  if (status === '404' && switchedOff.includes(operation.id)) return 'the API would have to be switched off';
  const isOfAtomic = operation.id === 'batchAssets' && ['404', '409', '412'].includes(status);
  if (isOfAtomic && api.codes.has('atomic_unsupported')) return 'the store has no transactions';
  if (status === '409' && ofUniqueFields.includes(operation.id) && !api.hasUnique)
    return 'no content type has a unique field';
  return undefined;
}

/** Operations without an ID in their path: only the whole API can be missing. */
const switchedOff = ['queryAssets', 'createAsset'];

/** Operations that answer 409 only because of a unique field. */
const ofUniqueFields = ['updateAsset', 'updateContent'];
