/**
 * The drafts of a release, each with what it changes, what keeps it from being published, and what can be done with it.
 */
import { Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReleaseDraft } from '../../api.ts';
import { TypeName } from '../../parts/assets/asset-name.tsx';
import { ActorName } from '../../parts/changes/actor-name.tsx';
import { Confirm } from '../../parts/confirm/confirm.tsx';
import { labelOfPath } from '../../parts/data/field-label.ts';
import { contentType } from '../../parts/data/lists.ts';
import { pathOfAsset } from '../../parts/data/load-titles.ts';
import { AssetDifference } from '../../parts/difference/asset-difference.tsx';
import { Mark } from '../../parts/layout/mark.tsx';
import { type ListColumn, ResourceList } from '../../parts/list/resource-list.tsx';
import { selectRows } from '../../parts/list/selected-rows.ts';
import { Loaded } from '../../parts/loading/loading.tsx';
import { assetStates, stateOfDraft, stateWords } from '../../parts/releases/release-data.ts';
import { stateOfRelease } from '../../parts/releases/work-release.ts';
import { Ago } from '../../parts/time/ago.tsx';
import { useDiscardDraft } from '../content/asset/save-asset.ts';

const idOf = ({ asset }: ReleaseDraft) => asset;

/** The list. `selected` has the IDs of assets, `refused` those of assets whose drafts cannot be published. */
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
  const columns: readonly ListColumn<ReleaseDraft>[] = [
    {
      id: 'draft',
      head: 'Draft',
      cell: ({ title }) => (
        <Text span inherit display="block" maw={420} truncate title={title}>
          {title}
        </Text>
      ),
    },
    {
      id: 'state',
      head: 'State',
      cell: (draft) => (
        <Group gap="xs">
          <Mark color={stateWords[stateOfDraft(draft)].color}>{stateWords[stateOfDraft(draft)].label}</Mark>
          {refused.has(draft.asset) && <Mark color="red">Has problems</Mark>}
        </Group>
      ),
    },
    { id: 'type', head: 'Type', cell: ({ type }) => <TypeName className={type} /> },
    { id: 'change', head: 'Last change', cell: ({ at }) => at !== undefined && <Ago ms={at} /> },
    { id: 'who', head: 'Who', cell: ({ by }) => by && <ActorName actor={by} /> },
  ];
  return (
    <>
      <ResourceList
        label="Drafts"
        columns={columns}
        rows={drafts}
        isWhole={false}
        idOf={idOf}
        nameOf={({ title }) => title}
        hrefOf={({ asset, type }) => pathOfAsset({ _id: asset, _type: type })}
        linkState={stateOfRelease(release)}
        menuOf={(draft) => [{ label: 'Discard…', isDanger: true, run: () => setDiscarded(draft) }]}
        detail={{
          label: ({ title }) => `Compare with live: ${title}`,
          content: (draft) => <Difference release={release} draft={draft} />,
        }}
        selection={selectRows({ chosen: selected, onChange: onSelect, idOf })}
      />
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
