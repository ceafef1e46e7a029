/**
 * Asks which fields of a past state to restore, and restores them.
 */
import { Checkbox, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import type { Asset, ContentType } from '../../../api.ts';
import { Confirm } from '../../../parts/confirm/confirm.tsx';
import { labelOfPath } from '../../../parts/data/field-label.ts';
import { AssetDifference } from '../../../parts/difference/asset-difference.tsx';
import { compareAssets, labelOfDifference } from '../../../parts/difference/compare-values.ts';
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
