/**
 * What the bar of a form says of its asset: whether it is live, when it was last changed and who else has it open.
 */
import { Text } from '@mantine/core';
import type { Asset } from '../../../api.ts';
import { Mark } from '../../../parts/layout/mark.tsx';
import { type DraftState, stateWords } from '../../../parts/releases/release-data.ts';
import { Ago } from '../../../parts/time/ago.tsx';
import type { StoredAsset } from '../draft/use-asset-draft.ts';
import { OthersPresent } from './presence.tsx';

/** The state; a new asset has none. */
export function AssetState({
  stored,
  state,
  release,
  isEditing,
}: {
  stored: StoredAsset | undefined;
  /** Unknown while it is being read, and where the store has no drafts. */
  state: DraftState | undefined;
  release: string | null;
  isEditing: boolean;
}) {
  return (
    <>
      {state && <Mark color={stateWords[state].color}>{stateWords[state].label}</Mark>}
      {stored && <OthersPresent id={stored.data._id} release={release} isEditing={isEditing} />}
    </>
  );
}

/** When the asset was last changed. */
export function LastChange({ asset }: { asset: Asset }) {
  const ms = asset['cms.content.updateDate'];
  if (typeof ms !== 'number') return null;
  return (
    <Text size="xs" c="dimmed" visibleFrom="xs">
      Changed <Ago ms={ms} />
    </Text>
  );
}
