/**
 * Finds the webhooks that a change of content types breaks: those whose types or predicate fit before it, and do not fit after it.
 *
 * They are checked as when they are saved. Nothing else of a webhook depends on content types.
 */
import type { Catalog } from '../../model/content-type.ts';
import { checkSelection, type Selection } from '../../webhooks/compiled-webhook.ts';
import type { WebhookBreaks } from './types-report.ts';

/** What is checked of a stored webhook. */
export interface CheckedWebhook extends Selection {
  readonly id: string;
  readonly name: string;
}

/** Finds them, in the order given. */
export function findWebhookBreaks(
  webhooks: readonly CheckedWebhook[],
  { before, after }: { before: Catalog; after: Catalog },
): WebhookBreaks {
  const fitting = webhooks.filter((webhook) => checkSelection(before, webhook).length === 0);
  return {
    checked: webhooks.length,
    brokenBefore: webhooks.length - fitting.length,
    broken: fitting.flatMap((webhook) => {
      const problems = checkSelection(after, webhook);
      return problems.length > 0 ? [{ id: webhook.id, webhook: webhook.name, problems }] : [];
    }),
  };
}
