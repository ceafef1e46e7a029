/**
 * The handlers of webhooks. A secret is returned only once, when it is created.
 */

import type * as api from '../../../../generated/server/admin.ts';
import { invalidBody, invalidParameter } from '../../../base/errors.ts';
import { isUuid } from '../../../base/uuid.ts';
import { adminPath } from '../../../documents/openapi-document.ts';
import type { Attempt, ShownRequest } from '../../../webhooks/delivery/attempt.ts';
import type { ReplayFrom, ShownDelivery } from '../../../webhooks/delivery/repeats.ts';
import type { PurgeInput, PurgeTemplate } from '../../../webhooks/purge/purge-template.ts';
import type { Delivery, DeliveryState } from '../../../webhooks/records/delivery-records.ts';
import { webhookActions } from '../../../webhooks/records/webhook.ts';
import type { WebhookStatus } from '../../../webhooks/webhook-status.ts';
import type { IssuedWebhook, Webhooks } from '../../../webhooks/webhooks.ts';
import { type AdminHandlers, conditionOf, noContent, ok, okVersion } from './responses.ts';

/** The operations of webhooks. */
type Handled =
  | 'listWebhooks'
  | 'createWebhook'
  | 'getWebhook'
  | 'updateWebhook'
  | 'replaceWebhook'
  | 'deleteWebhook'
  | 'rotateWebhookSecret'
  | 'testWebhook'
  | 'listWebhookDeliveries'
  | 'getWebhookDelivery'
  | 'resendWebhookDelivery'
  | 'replayWebhook'
  | 'dryRunWebhookReplay'
  | 'checkWebhook';

const defaultLimit = 20;

export function createWebhookHandlers(webhooks: Webhooks): Pick<AdminHandlers, Handled> {
  return {
    async listWebhooks() {
      return ok({ items: (await webhooks.list()).map(toWebhookResource) });
    },

    async createWebhook({ body: { kind = 'changes', purge, ...others } }) {
      const { where, actions = [...webhookActions], payload = 'thin', ...receiver } = others;
      if (kind === 'purge' && !purge)
        throw invalidBody([{ path: 'purge', message: 'is required for a webhook of the kind purge' }]);
      if (kind === 'changes' && purge)
        throw invalidBody([
          { path: 'purge', message: 'must not be given for a webhook of the kind changes' },
        ]);
      const selection = { ...(where !== undefined && { where }), actions, payload };
      const template = purge && { purge: readPurge(purge) };
      const issued = toIssued(await webhooks.create({ ...receiver, ...selection, ...template }));
      const headers = { Location: `${adminPath}/webhooks/${issued.webhook.id}` };
      return { status: 201, body: issued, headers };
    },

    async getWebhook({ path: { id } }) {
      const status = await webhooks.get(id);
      return okVersion(toWebhookResource(status), status.webhook.version);
    },

    async updateWebhook({ path: { id }, headers, body: { purge, ...others } }) {
      const changes = { ...others, ...(purge && { purge: readPurge(purge) }) };
      const status = await webhooks.update({ id, changes, ...conditionOf(headers) });
      return okVersion(toWebhookResource(status), status.webhook.version);
    },

    async replaceWebhook({ path: { id }, headers, body: { purge, ...others } }) {
      const defaults = { actions: [...webhookActions], payload: 'thin' as const, where: null };
      const changes = { ...defaults, ...others, ...(purge && { purge: readPurge(purge) }) };
      const status = await webhooks.update({ id, changes, ...conditionOf(headers) });
      return okVersion(toWebhookResource(status), status.webhook.version);
    },

    async deleteWebhook({ path: { id }, headers }) {
      await webhooks.delete({ id, ...conditionOf(headers) });
      return noContent;
    },

    async rotateWebhookSecret({ path: { id } }) {
      return ok(toIssued(await webhooks.rotate(id)));
    },

    async testWebhook({ path: { id } }) {
      return ok(toTestResource(await webhooks.test(id)));
    },

    async listWebhookDeliveries({ path: { id }, query: { state, asset, cursor, limit } }) {
      if (asset !== undefined && !isUuid(asset)) throw invalidParameter('asset', 'must be a UUID');
      const wanted = limit === undefined ? defaultLimit : Number(limit);
      const items = await webhooks.deliveries({
        webhookId: id,
        // Safe: the document lists the states.
        state: state as DeliveryState | undefined,
        assetId: asset?.toLowerCase(),
        before: cursor === undefined ? undefined : Number(cursor),
        limit: wanted,
      });
      const last = items.length < wanted ? undefined : items.at(-1);
      return ok({ items: items.map(toDeliveryResource), ...(last && { next: String(last.seq) }) });
    },

    async getWebhookDelivery({ path: { id, seq } }) {
      return ok(toShown(await webhooks.delivery(id, Number(seq))));
    },

    async resendWebhookDelivery({ path: { id, seq } }) {
      return ok(toShown(await webhooks.resend(id, Number(seq))));
    },

    async replayWebhook({ path: { id }, body }) {
      const status = await webhooks.replay(id, toReplayFrom(body));
      return { status: 202, body: toWebhookResource(status) };
    },

    async dryRunWebhookReplay({ path: { id }, body }) {
      const { fromSeq, atMs, changes, skipped } = await webhooks.planReplay(id, toReplayFrom(body));
      return ok({ fromSeq, ...(atMs !== undefined && { at: atMs }), changes, skipped });
    },

    async checkWebhook({ body: { types, where } }) {
      return ok({ problems: [...webhooks.check({ types, ...(where !== undefined && { where }) })] });
    },
  };
}

/** The document requires exactly one of the members. */
const toReplayFrom = ({ fromSeq, from = 0 }: api.WebhookReplay): ReplayFrom =>
  fromSeq === undefined ? { fromMs: from } : { fromSeq };

const toIssued = ({ status, secret }: IssuedWebhook): api.IssuedWebhook => ({
  webhook: toWebhookResource(status),
  secret,
});

/** Shows a webhook without its secrets. */
function toWebhookResource(status: WebhookStatus): api.Webhook {
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
function readPurge({
  method = 'POST',
  headers = {},
  secretHeaders,
  body,
  maxTags = 30,
}: api.PurgeRequestInput): PurgeInput {
  return { method, headers, secretHeaders, maxTags, ...(body !== undefined && { body }) };
}

/** Shows a delivery. */
function toDeliveryResource(delivery: Delivery): api.WebhookDelivery {
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
function toShown({ delivery, request }: ShownDelivery): api.ShownWebhookDelivery {
  return { delivery: toDeliveryResource(delivery), ...(request && { request: toRequest(request) }) };
}

/** Shows the outcome of a test message. */
function toTestResource(test: Attempt & { readonly request: ShownRequest }): api.WebhookTest {
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
