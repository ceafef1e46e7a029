/**
 * Lists the stored webhooks, ordered by ID.
 */
import { findAll } from '../../access/find-all-records.ts';
import type { ContentService } from '../../content/content-service.ts';
import { toWebhook, type Webhook, webhookClass } from './webhook.ts';

/** Lists them. Errors: the store's. */
export async function listStoredWebhooks(system: ContentService): Promise<readonly Webhook[]> {
  return (await findAll(system, webhookClass)).map(toWebhook);
}
