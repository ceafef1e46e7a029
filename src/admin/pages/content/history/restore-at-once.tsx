/**
 * Restores a whole state of an asset by one click. It asks no question, since the message that follows can undo it, and the history
 * keeps both states. If someone has changed the asset meanwhile, nothing is restored.
 */
import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { ContentChange } from '../../../api.ts';
import { type Action, useAction } from '../../../parts/forms/use-action.ts';
import { describeTime } from '../../../parts/time/local-time.ts';
import type { StoredAsset } from '../draft/use-asset-draft.ts';
import { useRestore } from './history-data.ts';

/** How long the message with the button stays, in milliseconds. */
const shownMs = 20_000;

/** The action on a change of the asset `current`, whose version is `present`. */
export function useRestoreAtOnce({
  id,
  current,
  present,
  onRestored,
}: {
  id: string;
  current: StoredAsset | undefined;
  present: string | undefined;
  onRestored: (stored: StoredAsset) => void;
}): Action<StoredAsset, ContentChange> {
  const restore = useRestore();
  return useAction(({ version = '' }) => restore({ id, version, tag: current?.tag }), {
    onSuccess: (stored, change) => {
      onRestored(stored);
      // The list of changes may be older than the asset.
      const before = present !== undefined && current?.tag?.includes(present) ? present : undefined;
      const message = notifications.show({
        color: 'green',
        autoClose: shownMs,
        message: (
          <Group gap="xs" justify="space-between">
            The state of {describeTime(change.at, { withSeconds: true })} is restored.
            {before !== undefined && (
              <Button variant="default" size="compact-sm" onClick={() => undo(before, stored)}>
                Undo
              </Button>
            )}
          </Group>
        ),
      });
      const undo = async (version: string, { tag }: StoredAsset) => {
        notifications.hide(message);
        try {
          onRestored(await restore({ id, version, tag }));
          notifications.show({
            color: 'green',
            message: 'The asset has the state again that it had before.',
          });
        } catch (error) {
          notifications.show({
            color: 'red',
            title: 'Not undone',
            message: error instanceof Error ? error.message : String(error),
          });
        }
      };
    },
  });
}
