/**
 * The handlers of webhooks. A secret is returned only once, when it is created.
 */
import type * as api from '../../../../../generated/server/admin.ts';
import { invalidBody, invalidParameter } from '../../../../base/errors.ts';
import { isUuid } from '../../../../base/uuid.ts';
import { adminPath } from '../../../../documents/openapi-document.ts';
import type { DeliveryState } from '../../../../webhooks/records/delivery-records.ts';
import { webhookActions } from '../../../../webhooks/records/webhook.ts';
import type { ReplayFrom } from '../../../../webhooks/replay-start.ts';
import type { IssuedWebhook, Webhooks } from '../../../../webhooks/webhooks.ts';
import { type AdminHandlers, conditionOf, noContent, ok, okVersion } from '../responses.ts';
import {
  readPurge,
  toDeliveryResource,
  toShown,
  toTestResource,
  toWebhookResource,
} from './webhook-resource.ts';

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

/** Creates the handlers. */
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
