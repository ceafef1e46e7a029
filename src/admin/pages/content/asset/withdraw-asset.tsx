/**
 * Takes an asset off the live content by a plain question, and keeps it as a draft.
 */
import { Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { ContentSchedule, ContentType } from '../../../api.ts';
import { Confirm } from '../../../parts/confirm/confirm.tsx';
import { describeTime } from '../../../parts/time/local-time.ts';
import type { StoredAsset } from '../draft/use-asset-draft.ts';
import { References, useReferences } from './references.tsx';
import { useWithdrawAsset } from './save-asset.ts';

/** The dialog, which says what refers to the asset. `onWithdrawn` receives the draft. */
export function WithdrawAsset({
  live,
  type,
  isChanged,
  isOpen,
  onClose,
  onWithdrawn,
}: {
  live: StoredAsset;
  type: ContentType;
  /** Whether the form has unsaved changes. */
  isChanged: boolean;
  isOpen: boolean;
  onClose: () => void;
  onWithdrawn: (draft: StoredAsset) => void;
}) {
  const withdraw = useWithdrawAsset();
  const references = useReferences(live.data._id, isOpen, {});
  return (
    <Confirm
      title={`Withdraw this ${type.name}?`}
      consequence="Readers do not see it any more. It stays in the release Drafts with its ID, its values and its history, and is live again when you publish it. References to it stay, but lead nowhere until then."
      action="Withdraw"
      isReady={!references.isFetching && !isChanged}
      isOpen={isOpen}
      onClose={onClose}
      onConfirm={async () => {
        const { draft, schedules } = await withdraw(live);
        onClose();
        notifications.show({ message: describe(schedules), autoClose: schedules.length === 0 });
        onWithdrawn(draft);
      }}
    >
      {isChanged && (
        <Text size="sm" role="alert">
          Save or discard the changes in the form first.
        </Text>
      )}
      <References query={references} />
    </Confirm>
  );
}

/** Says which schedules concern the asset. */
function describe(schedules: readonly ContentSchedule[]): string {
  const named = schedules.map(({ release, publishAt, action }) => {
    const effect = action === 'create' ? 'makes it live again' : 'cannot go live while it is withdrawn';
    return `the release "${release}", scheduled for ${describeTime(publishAt)}, ${effect}`;
  });
  return named.length === 0 ? 'Withdrawn' : `Withdrawn. But ${named.join('; ')}.`;
}
