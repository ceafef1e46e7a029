/**
 * The words for webhooks and their states.
 */
import type { Webhook } from '../../api.ts';
import { actionWords } from '../../parts/changes/action-words.ts';
import { toShortName } from '../../parts/data/content-types.ts';

/** A state in a word or two, with a colour and what it means. */
interface DescribedState {
  readonly label: string;
  readonly color: string;
  readonly meaning: string;
}

/** Describes the state of a webhook. */
export function describeState({ state, disabledReason }: Webhook): DescribedState {
  switch (state) {
    case 'active':
      return { label: 'Active', color: 'green', meaning: 'Changes are sent as they happen.' };
    case 'failing':
      return {
        label: 'Failing',
        color: 'orange',
        meaning:
          'The receiver fails. One delivery at a time tries it; when one succeeds, everything that waits is sent.',
      };
    case 'broken':
      return {
        label: 'Broken',
        color: 'red',
        meaning: 'The types or the predicate do not fit the content types. Nothing is sent until they do.',
      };
    case 'disabled':
      return disabledStates[disabledReason ?? 'user'];
  }
}

const disabledStates: Readonly<Record<NonNullable<Webhook['disabledReason']>, DescribedState>> = {
  user: { label: 'Paused', color: 'gray', meaning: 'Nothing is sent until someone enables the webhook.' },
  gone: {
    label: 'Disabled: gone (410)',
    color: 'red',
    meaning: 'The receiver answered 410. Nothing is sent until someone enables the webhook.',
  },
  failing: {
    label: 'Disabled: kept failing',
    color: 'red',
    meaning: 'No delivery succeeded for three days. Nothing is sent until someone enables the webhook.',
  },
};

/** What a webhook sends, such as `Article, Section: created, changed`. */
export function describeSelection({ types, actions }: Pick<Webhook, 'types' | 'actions'>): string {
  const content = types.includes('*') ? 'All content' : types.map(toShortName).join(', ');
  if (actions.length === Object.keys(sentActions).length) return `${content}: all actions`;
  return `${content}: ${actions.map((action) => sentActions[action]).join(', ')}`;
}

const sentActions: Readonly<Record<Webhook['actions'][number], string>> = {
  create: actionWords.create.toLowerCase(),
  update: actionWords.update.toLowerCase(),
  delete: actionWords.delete.toLowerCase(),
  erase: actionWords.erase.toLowerCase(),
};

/** What a webhook has not sent yet, such as `12 changes to examine, 3 assets held up`. */
export function describeBacklog({ behind, heldAssets }: Pick<Webhook, 'behind' | 'heldAssets'>): string {
  const parts = [
    ...(behind > 0 ? [`${countOf(behind, 'change')} to examine`] : []),
    ...(heldAssets > 0 ? [`${countOf(heldAssets, 'asset')} held up`] : []),
  ];
  return parts.length > 0 ? parts.join(', ') : 'None';
}

/** A number with its noun, such as `1,200 changes`. */
export function countOf(count: number, noun: string): string {
  return `${new Intl.NumberFormat().format(count)} ${count === 1 ? noun : `${noun}s`}`;
}
