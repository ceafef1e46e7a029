/**
 * The words for deliveries.
 */
import type { WebhookDelivery } from '../../../api.ts';

/** A state in a word, with a colour. */
export const stateWords: Readonly<Record<WebhookDelivery['state'], { label: string; color: string }>> = {
  delivered: { label: 'Delivered', color: 'green' },
  waiting: { label: 'Waiting', color: 'orange' },
  failed: { label: 'Given up', color: 'red' },
};

/** What came of the last attempt, such as `200` or `The connection was refused`. */
export function describeOutcome({ error, response }: WebhookDelivery): string {
  return error ?? String(response?.status ?? '');
}
