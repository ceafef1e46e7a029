/**
 * Finds out whether the instance gives its history to the run: its store may keep none, and the client may lack the scope.
 */

import type { ContractRequest, Sender } from '../responses/send-request.ts';
import { memberOf } from './api-under-test.ts';

/** The operations that need a history. */
const operations = [
  'listAssetHistory',
  'restoreAsset',
  'withdrawAsset',
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

/** Creates the function that says why an operation is not available, if it is not. `probe` is a request for the history. */
export function createHistoryGap(
  send: Sender,
  probe: () => ContractRequest | undefined,
): (operation: string) => Promise<string | undefined> {
  let gap: Promise<string | undefined> | undefined;

  async function find(): Promise<string | undefined> {
    const request = probe();
    if (!request) return 'the run has no resource for this request';
    const { status, body } = await send(request);
    if (status === 403) return 'needs a client with the scope history';
    return memberOf(body, 'error', 'code') === 'not_supported' || memberOf(body, 'code') === 'not_supported'
      ? 'the instance keeps no change log'
      : undefined;
  }

  return async (operation) => {
    if (!operations.includes(operation)) return undefined;
    gap ??= find();
    return gap;
  };
}
