/**
 * Webhooks and their deliveries as the admin API shows them.
 */
import type * as api from '../../../../../generated/server/admin.ts';
import type { Attempt, ShownRequest } from '../../../../webhooks/delivery/attempt.ts';
import type { ShownDelivery } from '../../../../webhooks/delivery/repeats.ts';
import type { PurgeInput, PurgeTemplate } from '../../../../webhooks/purge/purge-template.ts';
import type { Delivery } from '../../../../webhooks/records/delivery-records.ts';
import type { WebhookStatus } from '../../../../webhooks/webhook-status.ts';

/** Shows a webhook without its secrets. */
export function toWebhookResource(status: WebhookStatus): api.Webhook {
  const { webhook, state, problems, position, behind, heldAssets } = status;
  const {
    id,
    name,
    url,
    types,
    actions,
    where,
    payload,
    purge,
    disabled,
    formerSecret,
    createdAtMs,
    updatedAtMs,
  } = webhook;
  const { missedBefore, failingSinceMs, retryAtMs, lastSuccessAtMs, lastError } = status;
  return {
    id,
    name,
    kind: purge ? 'purge' : 'changes',
    ...(purge && { purge: toPurgeResource(purge) }),
    url,
    types: [...types],
    actions: [...actions],
    ...(where !== undefined && { where }),
    payload,
    state,
    ...(problems.length > 0 && { problems: [...problems] }),
    ...(disabled && { disabledReason: disabled.reason, disabledAt: disabled.atMs }),
    position,
    behind,
    heldAssets,
    ...(missedBefore !== undefined && { missedBefore }),
    ...(failingSinceMs !== undefined && { failingSince: failingSinceMs }),
    ...(retryAtMs !== undefined && { retryAt: retryAtMs }),
    ...(lastError !== undefined && { lastError }),
    ...(lastSuccessAtMs !== undefined && { lastSuccessAt: lastSuccessAtMs }),
    ...(formerSecret && { formerSecretUntil: formerSecret.untilMs }),
    createdAt: createdAtMs,
    updatedAt: updatedAtMs,
  };
}

function toPurgeResource({ method, headers, secretNames, body, maxTags }: PurgeTemplate): api.PurgeRequest {
  const shown = { method, headers: { ...headers }, secretHeaders: [...secretNames], maxTags };
  return { ...shown, ...(body !== undefined && { body }) };
}

/** Reads the form of purges from a body, with its defaults. */
export function readPurge({
  method = 'POST',
  headers = {},
  secretHeaders,
  body,
  maxTags = 30,
}: api.PurgeRequestInput): PurgeInput {
  return { method, headers, secretHeaders, maxTags, ...(body !== undefined && { body }) };
}

/** Shows a delivery. */
export function toDeliveryResource(delivery: Delivery): api.WebhookDelivery {
  const { seq, assetId, assetType, action, messageId, payload, state, attempts } = delivery;
  const { attemptedAtMs, tookMs, url, error, nextAttemptAtMs } = delivery;
  return {
    seq,
    asset: assetId,
    type: assetType,
    action,
    messageId,
    payload,
    state,
    attempts,
    at: attemptedAtMs,
    tookMs,
    url,
    ...(error !== undefined && { error }),
    ...responseOf(delivery),
    ...(nextAttemptAtMs !== undefined && { nextAttemptAt: nextAttemptAtMs }),
  };
}

/** Shows a delivery with its request. */
export function toShown({ delivery, request }: ShownDelivery): api.ShownWebhookDelivery {
  return { delivery: toDeliveryResource(delivery), ...(request && { request: toRequest(request) }) };
}

/** Shows the outcome of a test message. */
export function toTestResource(test: Attempt & { readonly request: ShownRequest }): api.WebhookTest {
  const { isDelivered, atMs, tookMs, error, request } = test;
  return {
    delivered: isDelivered,
    at: atMs,
    tookMs,
    ...(error !== undefined && { error }),
    request: toRequest(request),
    ...responseOf(test),
  };
}

const toRequest = ({ method, url, headers, body }: ShownRequest) => ({
  ...(method !== undefined && { method }),
  ...(url !== undefined && { url }),
  headers: { ...headers },
  body,
});

function responseOf({
  status,
  responseType,
  responseBody,
}: Pick<Attempt, 'status' | 'responseType' | 'responseBody'>): { response?: api.WebhookResponse } {
  if (status === undefined) return {};
  return {
    response: {
      status,
      ...(responseType !== undefined && { contentType: responseType }),
      ...(responseBody !== undefined && { body: responseBody }),
    },
  };
}
