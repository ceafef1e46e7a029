/**
 * The drafts of a release, each with what it changes, what keeps it from being published, and what can be done with it.
 */
import { Anchor, Button, Checkbox, Group, Table, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import type { ReleaseDraft } from '../../api.ts';
import { TypeName } from '../../parts/assets/type-name.tsx';
import { ActorName } from '../../parts/changes/actor-name.tsx';
import { Confirm } from '../../parts/confirm/confirm.tsx';
import { pathOfAsset } from '../../parts/data/asset-titles.ts';
import { contentType } from '../../parts/data/content-types.ts';
import { labelOfPath } from '../../parts/data/field-label.ts';
import { AssetDifference } from '../../parts/difference/asset-difference.tsx';
import { DataTable } from '../../parts/layout/data-table.tsx';
import { Mark } from '../../parts/layout/mark.tsx';
import { Loaded } from '../../parts/loading/loaded.tsx';
import { stateOfDraft, stateWords } from '../../parts/releases/draft-state.ts';
import { assetStates } from '../../parts/releases/release-data.ts';
import { stateOfRelease } from '../../parts/releases/work-release.ts';
import { Ago } from '../../parts/time/ago.tsx';
import { useDiscardDraft } from '../content/asset/save-asset.ts';

/** The table. `selected` has the IDs of assets, `refused` those of assets whose drafts cannot be published. */
export function DraftTable({
  release,
  drafts,
  refused,
  selected,
  onSelect,
}: {
  release: string;
  drafts: readonly ReleaseDraft[];
  refused: ReadonlySet<string>;
  selected: ReadonlySet<string>;
  onSelect: (selected: ReadonlySet<string>) => void;
}) {
  const [discarded, setDiscarded] = useState<ReleaseDraft>();
  const discard = useDiscardDraft(release);
  const select = (id: string, isWanted: boolean) =>
    onSelect(new Set(isWanted ? [...selected, id] : [...selected].filter((each) => each !== id)));
  return (
    <>
      <DataTable label="Drafts" columns={['Draft', 'State', 'Type', 'Last change', 'Actions']}>
        {drafts.map((draft) => (
          <DraftRow
            key={draft.asset}
            release={release}
            draft={draft}
            isRefused={refused.has(draft.asset)}
            isSelected={selected.has(draft.asset)}
            onSelect={(isWanted) => select(draft.asset, isWanted)}
            onDiscard={() => setDiscarded(draft)}
          />
        ))}
      </DataTable>
      <Confirm
        title="Discard the draft?"
        consequence={`What the draft "${discarded?.title}" would do is not done. What is live stays.`}
        action="Discard draft"
        isOpen={discarded !== undefined}
        onClose={() => setDiscarded(undefined)}
        onConfirm={async () => {
          if (discarded) await discard(discarded.asset);
          setDiscarded(undefined);
          notifications.show({ message: 'Draft discarded' });
        }}
      />
    </>
  );
}

function DraftRow({
  release,
  draft,
  isRefused,
  isSelected,
  onSelect,
  onDiscard,
}: {
  release: string;
  draft: ReleaseDraft;
  isRefused: boolean;
  isSelected: boolean;
  onSelect: (isWanted: boolean) => void;
  onDiscard: () => void;
}) {
  const [isOpen, { toggle }] = useDisclosure(false);
  const { asset, type, title, at, by } = draft;
  const { label, color } = stateWords[stateOfDraft(draft)];
  return (
    <>
      <Table.Tr>
        <Table.Td miw={200}>
          <Group gap="xs" wrap="nowrap">
            <Checkbox
              size="xs"
              aria-label={`Select ${title}`}
              checked={isSelected}
              onChange={(event) => onSelect(event.currentTarget.checked)}
            />
            <Anchor
              component={Link}
              to={pathOfAsset({ _id: asset, _type: type })}
              state={stateOfRelease(release)}
              size="sm"
              style={{ overflowWrap: 'anywhere' }}
              dir="auto"
            >
              {title}
            </Anchor>
          </Group>
        </Table.Td>
        <Table.Td>
          <Group gap={4}>
            <Mark color={color}>{label}</Mark>
            {isRefused && <Mark color="red">Has problems</Mark>}
          </Group>
        </Table.Td>
        <Table.Td>
          <TypeName className={type} />
        </Table.Td>
        <Table.Td>
          {at !== undefined && <Ago ms={at} />} {by && <ActorName actor={by} />}
        </Table.Td>
        <Table.Td>
          <Group gap="xs" wrap="nowrap">
            <Button
              size="compact-xs"
              variant="default"
              aria-expanded={isOpen}
              aria-label={`Compare with live: ${title}`}
              onClick={toggle}
            >
              Compare with live
            </Button>
            <Button size="compact-xs" variant="default" aria-label={`Discard… ${title}`} onClick={onDiscard}>
              Discard…
            </Button>
          </Group>
        </Table.Td>
      </Table.Tr>
      {isOpen && (
        <Table.Tr>
          <Table.Td colSpan={5}>
            <Difference release={release} draft={draft} />
          </Table.Td>
        </Table.Tr>
      )}
    </>
  );
}

function Difference({ release, draft: { asset, type, changed } }: { release: string; draft: ReleaseDraft }) {
  const states = useQuery(assetStates(asset, release));
  const shape = useQuery(contentType(type));
  return (
    <Loaded query={shape} what="the type">
      {(data) => (
        <Loaded query={states} what="the draft">
          {({ live, drafted }) => (
            <>
              {live && drafted && changed.length > 0 && (
                <Text size="sm">
                  Changed fields: {changed.map((name) => labelOfPath(data, name)).join(', ')}
                </Text>
              )}
              <AssetDifference type={data} states={{ before: live?.data, after: drafted?.data }} />
            </>
          )}
        </Loaded>
      )}
    </Loaded>
  );
}
