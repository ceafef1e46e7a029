/**
 * Says what of an asset is live and what is not, shows the difference, and discards the draft.
 */
import { Alert, Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import type { ContentType } from '../../../api.ts';
import { Confirm } from '../../../parts/confirm/confirm.tsx';
import { Dialog } from '../../../parts/confirm/dialog.tsx';
import { labelOfPath } from '../../../parts/data/field-label.ts';
import { AssetDifference } from '../../../parts/difference/asset-difference.tsx';
import {
  type AssetStates,
  changedFields,
  type DraftState,
  stateOf,
  stateWords,
} from '../../../parts/releases/release-data.ts';
import { useDiscardDraft } from './save-asset.ts';

/** The notice; `onDiscarded` is called when the release has the asset as it is live. */
export function DraftNotice({
  id,
  type,
  release,
  states: { live, drafted, isWithdrawn },
  onDiscarded,
}: {
  id: string;
  type: ContentType;
  release: string;
  states: AssetStates;
  onDiscarded: (live: AssetStates['live']) => void;
}) {
  const [isShown, shown] = useDisclosure(false);
  const [isAsking, asking] = useDisclosure(false);
  const discard = useDiscardDraft(release);
  const state = stateOf(live?.data, drafted?.data, isWithdrawn);
  const { label, color } = stateWords[state];
  if (state === 'live') return null;
  const names = live && drafted ? changedFields(live.data, drafted.data) : [];
  return (
    <Alert color={color} variant="light" title={label}>
      <Text size="sm">
        {describe(
          state,
          names.map((name) => labelOfPath(type, name)),
        )}
      </Text>
      <Group gap="xs" mt="xs">
        {state === 'changed' && (
          <Button variant="default" size="xs" onClick={shown.open}>
            Compare with live
          </Button>
        )}
        <Button variant="default" size="xs" onClick={asking.open}>
          Discard draft…
        </Button>
      </Group>
      <Dialog opened={isShown} onClose={shown.close} title="What is not live yet" size="xl">
        <AssetDifference type={type} states={{ before: live?.data, after: drafted?.data }} />
      </Dialog>
      <Confirm
        title="Discard the draft?"
        consequence={losses[state]}
        action="Discard draft"
        isOpen={isAsking}
        onClose={asking.close}
        onConfirm={async () => {
          await discard(id);
          asking.close();
          notifications.show({ message: 'Draft discarded' });
          onDiscarded(live);
        }}
      />
    </Alert>
  );
}

const losses: Readonly<Record<DraftState, string>> = {
  live: '',
  changed: 'The asset stays as it is live. What the draft has changed is gone.',
  new: 'The asset was never live, so it is gone with its draft.',
  withdrawn: 'The asset is gone with its draft. Its history can bring it back.',
  deleted: 'The asset stays live.',
};

function describe(state: DraftState, fields: readonly string[]): string {
  if (state === 'new') return 'This asset is not live yet. Readers do not see it until it is published.';
  if (state === 'withdrawn')
    return 'This asset was withdrawn. Readers do not see it until it is published here; schedules pass over it.';
  if (state === 'deleted') return 'This asset is live, and is deleted when its draft is published.';
  return `The asset is live. Not live yet: ${fields.join(', ')}.`;
}
