/**
 * Finds out whether the instance gives its history and its drafts to the run: its store may keep none, and the client may lack the scope.
 */

import type { ContractRequest, Sender } from '../responses/send-request.ts';
import { type ApiUnderTest, memberOf } from './api-under-test.ts';

/** The operations that need the scope of drafts, and a store that has them. */
const draftOperations = ['withdrawAsset'];

/** The operations that need a history. */
const operations = [
  'listAssetHistory',
  'restoreAsset',
  'listContentHistory',
  'getContentVersion',
  'restoreContent',
  'withdrawContent',
  'listDeletedContents',
  'getWebhook',
  'updateWebhook',
  'replaceWebhook',
  'deleteWebhook',
  'rotateWebhookSecret',
  'testWebhook',
  'listWebhookDeliveries',
  'getWebhookDelivery',
  'resendWebhookDelivery',
  'replayWebhook',
  'createRelease',
  'updateRelease',
  'deleteRelease',
  'listReleaseDrafts',
  'discardDraft',
  'rebaseDraft',
  'publishRelease',
  'scheduleRelease',
  'unscheduleRelease',
  'listPreviewLinks',
  'createPreviewLink',
  'revokePreviewLink',
  'dryRunWebhookReplay',
];

/** Creates the functions that say so; each asks the instance once. `history` and `drafts` are requests for them; a run may have no resource for the first. */
export function createAccessGaps(
  send: Sender,
  { history, drafts }: { history: () => ContractRequest | undefined; drafts: () => ContractRequest },
): Pick<ApiUnderTest, 'unavailable' | 'withoutDrafts'> {
  const withoutHistory = createProbe(send, history, 'history');
  const withoutDrafts = createProbe(send, drafts, 'cma:draft');
  return {
    withoutDrafts,
    async unavailable(operation) {
      if (draftOperations.includes(operation)) return withoutDrafts();
      return operations.includes(operation) ? withoutHistory() : undefined;
    },
  };
}

/** Creates a function that sends a request once, and says why it is refused. */
function createProbe(send: Sender, probe: () => ContractRequest | undefined, scope: string) {
  let gap: Promise<string | undefined> | undefined;

  async function find(): Promise<string | undefined> {
    const request = probe();
    if (!request) return 'the run has no resource for this request';
    const { status, body } = await send(request);
    if (status === 403) return `needs a client with the scope ${scope}`;
    return memberOf(body, 'error', 'code') === 'not_supported' || memberOf(body, 'code') === 'not_supported'
      ? 'the instance keeps no change log'
      : undefined;
  }

  return () => {
    gap ??= find();
    return gap;
  };
}
