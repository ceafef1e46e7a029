/**
 * Which documented answers cannot be had from outside, and why.
 */
import type { ApiUnderTest } from '../apis/api-under-test.ts';
import { takesClients } from '../cases/credentials.ts';
import type { DocumentedAnswer } from './response-validator.ts';

/** The reason why an answer was never seen, or `undefined` when it should have been. */
export async function whyUnseen(
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

/** Paths without a parameter, where nothing can be missing but all of it. */
const switchedOff = ['queryAssets', 'createAsset'];

/** What answers 409 for a unique field alone. */
const ofUniqueFields = ['updateAsset', 'updateContent'];
