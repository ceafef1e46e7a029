/**
 * Explains why a run did not receive a documented response that no request can provoke, such as 500.
 */
import type { ApiUnderTest } from '../apis/api-under-test.ts';
import { acceptsClients } from '../cases/requests/credentials.ts';
import { isUpload } from '../samples/uploaded-file.ts';
import type { DocumentedResponse } from './response-validator.ts';

/** Gives the reason why a response was never received, or `undefined` when it should have been. */
export async function unseenReason(
  { operation, status }: DocumentedResponse,
  api: ApiUnderTest,
): Promise<string | undefined> {
  if (!api.knows(operation)) return 'the document does not say what causes it';
  if (status === '500') return 'only a failure of the instance causes it';
  if (status === '503') return 'only a busy store causes it';
  if (status === '507') return 'only a full disk causes it';
  if (ofProvider.includes(operation.id) && !['400', '413', '415'].includes(status))
    return 'depends on an OpenID Connect provider';
  if (status === '502') return 'only a failure of the OpenID Connect provider causes it';
  if (status === '501') return 'only a store without a change log causes it';
  if (status === '410') return 'needs a history of which a part was removed';
  if (status === '408') return 'needs a body that is delayed for ten seconds';
  if (status === '429') return 'would use up what this client or this address may do';
  if (status === '413' && isUpload(operation)) return 'needs a file beyond the limit of the instance';
  if (status === '409' && operation.id === 'rebaseDraft') return 'needs a live asset of another type';
  if (status === '409' && operation.id === 'deleteFile') return 'needs an asset that uses a file';
  if (operation.responses.has('501') && api.codes.has('not_supported'))
    return 'the instance keeps no change log';
  const gap = await api.unavailable(operation.id);
  if (gap !== undefined) return gap;
  if (!api.hasUser && !acceptsClients(api, operation)) return 'needs a user who signs in';
  if (status === '403' && typeof (await api.limited()) === 'string')
    return 'needs a client without the right';
  if (status === '404' && withoutId.includes(operation.id))
    return 'only an instance whose API is switched off answers this';
  const isAtomicBatch = operation.id === 'batchAssets' && ['404', '409', '412'].includes(status);
  if (isAtomicBatch && api.codes.has('atomic_unsupported')) return 'the store has no transactions';
  if (status === '409' && operation.id === 'changeOwnPassword') return 'needs a user of OpenID Connect';
  if (status === '409' && ofLastAdmin.includes(operation.id)) return 'needs the last administrator';
  if (status === '409' && ofRuns.includes(operation.id)) return 'needs a run of another API client';
  if (status === '409' && ofRestores.includes(operation.id) && api.codes.has('history_removed'))
    return 'the instance erases what it deletes';
  if (status === '409' && ofUniqueFields.includes(operation.id) && !api.hasUnique)
    return 'no content type has a unique field';
  return undefined;
}

/** Operations whose other responses depend on a provider. */
const ofProvider = ['beginOpenidSignIn', 'finishOpenidSignIn'];

/** Operations without an ID in their path: only the whole API can be missing. */
const withoutId = ['queryAssets', 'postAssetQuery', 'createAsset', 'listChanges'];

/** Operations that answer 409 only because of the last administrator. */
const ofLastAdmin = ['updateUser', 'replaceUser', 'deleteUser'];

/** Operations that answer 409 only because of a run or of an idempotency key. */
const ofRuns = ['deleteAsset', 'deleteContent'];

/** Operations that answer 409 only for assets that were deleted. */
const ofRestores = ['restoreAsset', 'restoreContent'];

/** Operations that answer 409 only because of a unique field, a run or an idempotency key. */
const ofUniqueFields = ['updateAsset', 'patchAsset', 'updateContent', 'restoreAsset', 'restoreContent'];
