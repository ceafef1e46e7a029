/**
 * Reads webhooks and changes them.
 *
 * The form of a webhook and its state are read apart: the state again and again, the form only when it opens, so that a save is
 * refused when someone else has changed the definition since.
 */
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import {
  admin,
  adminFor,
  answer,
  answerWithTag,
  type IssuedWebhook,
  ifMatch,
  type Tagged,
  type Webhook,
} from '../../api.ts';
import { toChanges, toDefinition, toFields, type WebhookFields } from './form/draft.ts';

/** How often the state of webhooks is read. */
const pollMs = 5000;

/** After a failure the user decides when to read again. */
const refetchInterval = ({ state }: { state: { error: unknown } }) => (state.error === null ? pollMs : false);

/** All webhooks, as `{ items }`. */
export const webhookList = queryOptions({
  queryKey: ['webhooks'],
  queryFn: ({ meta }) => answer(adminFor(meta).listWebhooks()),
  refetchInterval,
});

const read = (id: string): Promise<Tagged<Webhook>> => answerWithTag(admin.getWebhook({ path: { id } }));

/** The state of a webhook. */
export const webhookStatus = (id: string) =>
  queryOptions({ queryKey: ['webhooks', id, 'status'], queryFn: () => read(id), refetchInterval });

/** A webhook for its form. */
export const webhookForm = (id: string) =>
  queryOptions({
    queryKey: ['webhooks', id, 'form'],
    queryFn: () => read(id),
    // A form begins with the present state, not with one remembered.
    gcTime: 0,
  });

/** Returns `latest` if it has the fields that the form has `seen`, and so only its state has changed; else `seen`. */
export function withLatestTag(seen: Tagged<Webhook>, latest: Tagged<Webhook> | undefined): Tagged<Webhook> {
  const textOf = ({ data }: Tagged<Webhook>) => JSON.stringify(toFields(data));
  return latest && textOf(latest) === textOf(seen) ? latest : seen;
}

/** What a replay from a time, in milliseconds since 1970, or from a change would do. */
export const replayPlan = (id: string, from: ReplayFrom) =>
  queryOptions({
    queryKey: ['webhooks', id, 'replay', from],
    queryFn: () => answer(admin.dryRunWebhookReplay({ path: { id }, body: from })),
    gcTime: 0,
  });

/** From where to replay. */
export type ReplayFrom = { readonly fromSeq: number } | { readonly from: number };

/** The actions on webhooks. Errors: ApiProblem; 412 from `save` and `remove` when the webhook has changed since it was read. */
export function useWebhookChanges() {
  const client = useQueryClient();

  /** Reads the states again, and waits for that of one webhook, whose entity tag has changed. */
  async function refresh(id: string): Promise<void> {
    void client.invalidateQueries({ queryKey: webhookList.queryKey, exact: true });
    void client.invalidateQueries({ queryKey: ['webhooks', id, 'deliveries'] });
    await client.invalidateQueries({ queryKey: webhookStatus(id).queryKey });
  }

  return {
    create: async (fields: WebhookFields): Promise<IssuedWebhook> => {
      const issued = await answer(admin.createWebhook({ body: toDefinition(fields) }));
      await refresh(issued.webhook.id);
      return issued;
    },
    save: async (fields: WebhookFields, seen: Tagged<Webhook>): Promise<void> => {
      const { id } = seen.data;
      const saved = await answerWithTag(
        admin.updateWebhook({ path: { id }, headers: ifMatch(seen), body: toChanges(fields) }),
      );
      client.setQueryData(webhookForm(id).queryKey, saved);
      client.setQueryData(webhookStatus(id).queryKey, saved);
      await refresh(id);
    },
    setEnabled: async (id: string, enabled: boolean): Promise<void> => {
      await answer(admin.updateWebhook({ path: { id }, body: { enabled } }));
      await refresh(id);
    },
    rotate: async (id: string): Promise<IssuedWebhook> => {
      const issued = await answer(admin.rotateWebhookSecret({ path: { id } }));
      await refresh(id);
      return issued;
    },
    test: (id: string) => answer(admin.testWebhook({ path: { id } })),
    replay: async (id: string, from: ReplayFrom): Promise<void> => {
      await answer(admin.replayWebhook({ path: { id }, body: from }));
      await refresh(id);
    },
    remove: async (seen: Tagged<Webhook>): Promise<void> => {
      await answer(admin.deleteWebhook({ path: { id: seen.data.id }, headers: ifMatch(seen) }));
      await client.invalidateQueries({ queryKey: webhookList.queryKey, exact: true });
    },
  };
}
