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
  type WebhookCreate,
  type WebhookUpdate,
} from '../../api.ts';
import { actionWords } from '../../parts/changes/actor-name.tsx';
import { countOf } from '../../parts/data/number-words.ts';

/** The fields of the form. `types` is `['*']` for all content; an empty `where` means all changes. */
export interface WebhookFields {
  readonly name: string;
  readonly url: string;
  readonly types: readonly string[];
  readonly actions: Webhook['actions'];
  readonly where: string;
  readonly payload: Webhook['payload'];
}

/** The fields of a new webhook. */
export const blankWebhook: WebhookFields = {
  name: '',
  url: '',
  types: ['*'],
  actions: ['create', 'update', 'delete', 'erase'],
  where: '',
  payload: 'thin',
};

/** The fields of a stored webhook. */
export function toFields({ name, url, types, actions, where = '', payload }: Webhook): WebhookFields {
  return { name, url, types, actions, where, payload };
}

/** The definition of a new webhook. */
function toDefinition({ where, types, ...fields }: WebhookFields): WebhookCreate {
  return { ...fields, types: [...types], ...(hasPredicate(where) && { where }) };
}

/** The change of a stored webhook. */
export function toChanges({ where, types, ...fields }: WebhookFields): WebhookUpdate {
  return { ...fields, types: [...types], where: hasPredicate(where) ? where : null };
}

/** Whether a text is more than spaces. */
export const hasPredicate = (where: string) => where.trim() !== '';

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

/** What a webhook sends, such as `Article, Section: created, changed`; `nameOf` names types. */
export function describeSelection(
  { types, actions }: Pick<Webhook, 'types' | 'actions'>,
  nameOf: (className: string) => string,
): string {
  const content = types.includes('*') ? 'All content' : types.map(nameOf).join(', ');
  if (actions.length === Object.keys(sentActions).length) return `${content}: all actions`;
  return `${content}: ${actions.map((action) => sentActions[action]).join(', ')}`;
}

const sentActions: Readonly<Record<Webhook['actions'][number], string>> = {
  create: actionWords.create.toLowerCase(),
  update: actionWords.update.toLowerCase(),
  delete: actionWords.delete.toLowerCase(),
  erase: actionWords.erase.toLowerCase(),
};

/** What a webhook has not sent yet, such as `12 changes not checked yet, 3 assets waiting`. */
export function describeBacklog({ behind, heldAssets }: Pick<Webhook, 'behind' | 'heldAssets'>): string {
  const parts = [
    ...(behind > 0 ? [`${countOf(behind, 'change')} not checked yet`] : []),
    ...(heldAssets > 0 ? [`${countOf(heldAssets, 'asset')} waiting`] : []),
  ];
  return parts.length > 0 ? parts.join(', ') : 'None';
}
