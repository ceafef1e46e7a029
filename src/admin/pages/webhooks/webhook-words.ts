/**
 * The words for what webhooks send.
 */
import type { Webhook } from '../../api.ts';
import { actionWords } from '../../parts/changes/actor-name.tsx';
import { countOf } from '../../parts/data/number-words.ts';

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
