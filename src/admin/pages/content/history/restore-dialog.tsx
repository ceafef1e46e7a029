/**
 * Asks which fields of a past state to restore, and restores them.
 */
import { Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import type { Asset, ContentChange, ContentType } from '../../../api.ts';
import { Confirm } from '../../../parts/confirm/confirm.tsx';
import { labelOfPath } from '../../../parts/data/field-label.ts';
import { AssetDifference } from '../../../parts/difference/asset-difference.tsx';
import { compareAssets, labelOfDifference } from '../../../parts/difference/compare-values.ts';
import { type Action, useAction } from '../../../parts/forms/busy-button.tsx';
import { describeTime } from '../../../parts/time/local-time.ts';
import type { StoredAsset } from '../draft/use-asset-draft.ts';
import { useRestore } from './history-data.ts';

/** A past state, and the time of the change whose state it is. */
export interface PastAsset {
  readonly id: string;
  readonly version: string;
  readonly at: number;
  readonly state: Asset;
}

/** The dialog. All differing fields are chosen at first; `current` is undefined when the asset is deleted. */
export function RestoreDialog({
  type,
  current,
  past,
  isOpen,
  onClose,
  onRestored,
}: {
  type: ContentType;
  current: StoredAsset | undefined;
  past: PastAsset;
  isOpen: boolean;
  onClose: () => void;
  onRestored: (stored: StoredAsset) => void;
}) {
  const restore = useRestore();
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const { id, version, at, state } = past;
  const differing = compareAssets(type, current?.data, state).map(({ name }) => name);
  const chosen = differing.filter((name) => !left.has(name));
  const choose = (name: string, isChosen: boolean) =>
    setLeft(
      (before) => new Set(isChosen ? [...before].filter((other) => other !== name) : [...before, name]),
    );
  // All of them, so that what was added since is cleared as well. Nothing can be left out of an asset that does not exist.
  const isWhole = current === undefined || chosen.length === differing.length;
  return (
    <Confirm
      title={`Restore the state of ${describeTime(at, { withSeconds: true })}?`}
      size="xl"
      consequence={
        current
          ? 'The chosen fields get the values that they had. The current state stays in the history.'
          : 'The asset is created again, with its ID and all its fields.'
      }
      action={isWhole ? 'Restore' : `Restore ${chosen.length} of ${differing.length} fields`}
      color="indigo"
      isReady={current === undefined || chosen.length > 0}
      isOpen={isOpen}
      onClose={onClose}
      nameOf={(path) => labelOfPath(type, path)}
      onConfirm={async () => {
        const fields = isWhole ? undefined : chosen;
        const stored = await restore({ id, version, fields, tag: current?.tag });
        notifications.show({ message: 'Restored', color: 'green' });
        onClose();
        onRestored(stored);
      }}
    >
      {current && (
        <Stack
          gap="xs"
          mah="50vh"
          style={{ overflowY: 'auto' }}
          tabIndex={0}
          role="group"
          aria-label="Fields"
        >
          {differing.length === 0 && <Text size="sm">The asset has this state already.</Text>}
          {differing.length > 0 && (
            <AssetDifference
              type={type}
              states={{ before: current.data, after: state }}
              controlOf={({ name, field }) => (
                <Checkbox
                  aria-label={`Restore ${labelOfDifference({ name, field })}`}
                  checked={!left.has(name)}
                  onChange={(event) => choose(name, event.currentTarget.checked)}
                />
              )}
            />
          )}
        </Stack>
      )}
    </Confirm>
  );
}

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
