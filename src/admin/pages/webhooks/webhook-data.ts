/**
 * Reads webhooks and changes them.
 *
 * The form of a webhook and its status are read apart: the status again and again, the form only when it opens, so that a save is
 * refused when someone else has changed the webhook since.
 */
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { admin, answer, answerWithTag, type IssuedWebhook, type Webhook } from '../../api.ts';
import { toChanges, toDefinition, toFields, type WebhookFields } from './form/draft.ts';

/** How often the state of webhooks is read. */
const pollMs = 5000;

/** After a failure the user decides when to read again. */
const refetchInterval = ({ state }: { state: { error: unknown } }) => (state.error === null ? pollMs : false);

/** All webhooks, as `{ items }`. */
export const webhookList = queryOptions({
  queryKey: ['webhooks'],
  queryFn: () => answer(admin.listWebhooks()),
  refetchInterval,
});

/** The state of a webhook. */
export const webhookStatus = (id: string) =>
  queryOptions({
    queryKey: ['webhooks', id, 'status'],
    queryFn: () => answer(admin.getWebhook({ path: { id } })),
    refetchInterval,
  });

/** A webhook as its form shows it, with the entity tag it was read with. */
export interface TaggedWebhook {
  readonly data: Webhook;
  readonly tag: string | undefined;
}

const read = (id: string): Promise<TaggedWebhook> => answerWithTag(admin.getWebhook({ path: { id } }));

/** A webhook for its form. */
export const webhookForm = (id: string) =>
  queryOptions({
    queryKey: ['webhooks', id, 'form'],
    queryFn: () => read(id),
    // A form begins with the present state, not with one remembered.
    gcTime: 0,
  });

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

  /** Reads the states again; nobody waits for that. */
  function refresh(id: string): void {
    void client.invalidateQueries({ queryKey: webhookList.queryKey, exact: true });
    void client.invalidateQueries({ queryKey: webhookStatus(id).queryKey });
    void client.invalidateQueries({ queryKey: ['webhooks', id, 'deliveries'] });
  }

  /** Lets the form go on with the entity tag of now, unless someone else has changed the definition. */
  async function renewTag(id: string): Promise<void> {
    const now = await read(id).catch(() => undefined);
    client.setQueryData(webhookForm(id).queryKey, (seen) =>
      now && seen && hasSameFields(seen.data, now.data) ? now : seen,
    );
    refresh(id);
  }

  return {
    create: async (fields: WebhookFields): Promise<IssuedWebhook> => {
      const issued = await answer(admin.createWebhook({ body: toDefinition(fields) }));
      refresh(issued.webhook.id);
      return issued;
    },
    save: async ({ data: { id }, tag }: TaggedWebhook, fields: WebhookFields): Promise<void> => {
      const saved = await answerWithTag(
        admin.updateWebhook({ path: { id }, headers: conditionOf(tag), body: toChanges(fields) }),
      );
      client.setQueryData(webhookForm(id).queryKey, saved);
      refresh(id);
    },
    setEnabled: async (id: string, enabled: boolean): Promise<void> => {
      await answer(admin.updateWebhook({ path: { id }, body: { enabled } }));
      await renewTag(id);
    },
    rotate: async (id: string): Promise<IssuedWebhook> => {
      const issued = await answer(admin.rotateWebhookSecret({ path: { id } }));
      await renewTag(id);
      return issued;
    },
    test: (id: string) => answer(admin.testWebhook({ path: { id } })),
    replay: async (id: string, from: ReplayFrom): Promise<void> => {
      await answer(admin.replayWebhook({ path: { id }, body: from }));
      await renewTag(id);
    },
    remove: async ({ data: { id }, tag }: TaggedWebhook): Promise<void> => {
      await answer(admin.deleteWebhook({ path: { id }, headers: conditionOf(tag) }));
      await client.invalidateQueries({ queryKey: webhookList.queryKey, exact: true });
    },
  };
}

const conditionOf = (tag: string | undefined) => (tag === undefined ? {} : { 'If-Match': tag });

const hasSameFields = (one: Webhook, other: Webhook) =>
  JSON.stringify(toFields(one)) === JSON.stringify(toFields(other));
