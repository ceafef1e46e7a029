/**
 * The fields of a webhook's form, and their conversion from and to the API's record.
 */
import type { Webhook, WebhookCreate, WebhookUpdate } from '../../../api.ts';

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
export function toDefinition({ where, types, ...fields }: WebhookFields): WebhookCreate {
  return { ...fields, types: [...types], ...(hasPredicate(where) && { where }) };
}

/** The change of a stored webhook. */
export function toChanges({ where, types, ...fields }: WebhookFields): WebhookUpdate {
  return { ...fields, types: [...types], where: hasPredicate(where) ? where : null };
}

/** Whether a text is more than spaces. */
export const hasPredicate = (where: string) => where.trim() !== '';
