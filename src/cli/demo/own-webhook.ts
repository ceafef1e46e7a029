/**
 * The webhook of the demo, whose receiver is the demo itself.
 */
import type { Webhooks } from '../../webhooks/webhooks.ts';
import { receiverPath } from './news-endpoint.ts';

/** Creates the webhook. Errors: not_supported; value_in_use when there is one. */
export async function createOwnWebhook(webhooks: Webhooks, baseUrl: string): Promise<void> {
  await webhooks.create({
    name: 'Search index',
    url: baseUrl + receiverPath,
    types: ['com.example.news.Article'],
    actions: ['create', 'update', 'delete'],
    payload: 'asset',
  });
}

/** Points the webhook to the address of this start, if it is there and still has that of another start. Errors: not_supported. */
export async function moveOwnWebhook(webhooks: Webhooks, baseUrl: string): Promise<void> {
  const url = baseUrl + receiverPath;
  for (const { webhook } of await webhooks.list()) {
    const { hostname, pathname } = new URL(webhook.url);
    const isOwn = hostname === new URL(url).hostname && pathname === new URL(url).pathname;
    if (isOwn && webhook.url !== url) await webhooks.update({ id: webhook.id, changes: { url } });
  }
}
