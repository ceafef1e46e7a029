/**
 * Asks before a version of a REST endpoint becomes the draft again, and the published version if the user wants that.
 */
import { Checkbox } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { admin, answer, isConflict } from '../../../api.ts';
import { Confirm } from '../../../parts/confirm/confirm.tsx';
import { DryRunReport } from '../../../parts/confirm/consequences.tsx';
import { type StoredEndpoint, useEndpointChanges } from '../rest-endpoint-data.ts';

/** The dialog; open while there is a number. */
export function RestoreDialog({
  stored,
  number,
  onClose,
  onRestored,
}: {
  stored: StoredEndpoint;
  number: number | undefined;
  onClose: () => void;
  onRestored: () => void;
}) {
  const { restore, publish, tryOut } = useEndpointChanges();
  const client = useQueryClient();
  const [isPublishing, setIsPublishing] = useState(false);
  const { id } = stored.data;
  const report = useQuery({
    queryKey: ['rest-endpoints', id, 'versions', number, 'publication'],
    queryFn: async () => {
      const { definition } = await answer(admin.getVersion({ path: { id, number: number ?? 0 } }));
      return tryOut({ change: 'PUBLISH', id, definition }, stored);
    },
    enabled: isPublishing && number !== undefined,
    gcTime: 0,
  });
  const close = () => {
    setIsPublishing(false);
    onClose();
  };
  /** Another user has changed the endpoint: shows the new state, so that the user can try again. */
  async function showTheirs(error: unknown): Promise<never> {
    if (isConflict(error)) await client.invalidateQueries({ queryKey: ['rest-endpoints', id] });
    throw error;
  }
  return (
    <Confirm
      title={`Restore version ${number}?`}
      consequence="It becomes the draft, as a new version. No version is lost."
      action={isPublishing ? 'Restore and publish' : 'Restore'}
      isOpen={number !== undefined}
      isReady={!isPublishing || (report.isSuccess && !report.isFetching)}
      onClose={close}
      onConfirm={async () => {
        if (number === undefined) return;
        const restored = await restore(stored, number).catch(showTheirs);
        const state = isPublishing ? 'published' : 'the draft';
        if (isPublishing) await publish(restored);
        notifications.show({
          message: `Version ${number} is ${state} again, as version ${restored.data.number}`,
          color: 'green',
        });
        onRestored();
        close();
      }}
    >
      <Checkbox
        label="Publish it at once"
        description="Without it, the published version does not change."
        checked={isPublishing}
        onChange={(event) => setIsPublishing(event.currentTarget.checked)}
      />
      {isPublishing && <DryRunReport query={report} nothing="No published route would change." />}
    </Confirm>
  );
}
