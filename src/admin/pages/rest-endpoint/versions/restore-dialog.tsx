/**
 * Asks for confirmation before a version becomes the draft again.
 */
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { Confirm } from '../../../parts/confirm/confirm.tsx';
import { isConflict, type Kept, useEndpointChanges } from '../rest-endpoint-data.ts';

/** The dialog; open while there is a number. */
export function RestoreDialog({
  kept,
  number,
  onClose,
  onRestored,
}: {
  kept: Kept;
  number: number | undefined;
  onClose: () => void;
  onRestored: () => void;
}) {
  const { restore } = useEndpointChanges();
  const client = useQueryClient();
  /** Another user has changed the endpoint: shows the new state, so that the user can try again. */
  async function showTheirs(error: unknown): Promise<never> {
    if (isConflict(error)) await client.invalidateQueries({ queryKey: ['rest-endpoints', kept.data.id] });
    throw error;
  }
  return (
    <Confirm
      title={`Restore version ${number}?`}
      consequence="It becomes the draft, as a new version. The published version does not change, and no version is lost."
      action="Restore"
      isOpen={number !== undefined}
      onClose={onClose}
      onConfirm={async () => {
        if (number === undefined) return;
        const { data } = await restore(kept, number).catch(showTheirs);
        notifications.show({
          message: `Version ${number} is the draft again, as version ${data.number}`,
          color: 'green',
        });
        onRestored();
        onClose();
      }}
    />
  );
}
