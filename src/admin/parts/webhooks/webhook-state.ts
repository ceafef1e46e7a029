/**
 * The words for the states of webhooks.
 */
import type { Webhook } from '../../api.ts';
import { countOf } from '../data/number-words.ts';

/** A state in a word or two, with a colour and what it means. */
interface DescribedState {
  readonly label: string;
  readonly color: string;
  readonly meaning: string;
}

/** Describes the state of a webhook. */
export function describeState({
  state,
  disabledReason,
  heldAssets,
}: Pick<Webhook, 'state' | 'disabledReason'> & { heldAssets?: number }): DescribedState {
  switch (state) {
    case 'active':
      if (heldAssets) return failingFor(heldAssets);
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

/** Of a webhook that sends, though not what it could not deliver. */
const failingFor = (assets: number): DescribedState => ({
  label: `Active, ${countOf(assets, 'asset')} failed`,
  color: 'orange',
  meaning: 'Changes are sent as they happen. What could not be delivered is tried again.',
});

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
