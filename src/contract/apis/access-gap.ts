/**
 * Finds out whether the instance gives its history and its drafts to the run: its store may keep none, and the client may lack the scope.
 */

import type { ContractRequest, Sender } from '../responses/send-request.ts';
import { type ApiUnderTest, memberOf } from './api-under-test.ts';

/** The operations that need a client with the scope `cma:draft`, and a store that has drafts. */
const draftOperations = ['withdrawAsset'];

/** The operations that need a history. Webhooks, releases and previews do, because they follow the change log. */
const historyOperations = [
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

/**
 * Creates the functions that say why an operation or a draft is not available, if it is not; each asks the instance once. `history` and
 * `drafts` return requests for these; the first returns `undefined` when the run has nothing whose history it could ask for.
 */
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
      return historyOperations.includes(operation) ? withoutHistory() : undefined;
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
