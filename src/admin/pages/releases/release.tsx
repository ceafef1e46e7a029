/**
 * The page of a release: its drafts, what keeps them from being published, and what can be done with all of them.
 */
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useDidUpdate } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import {
  admin,
  answer,
  type Release,
  type ReleaseDraft,
  type Release as ReleaseResource,
} from '../../api.ts';
import { TypeName } from '../../parts/assets/asset-name.tsx';
import { ActorName } from '../../parts/changes/actor-name.tsx';
import { Confirm, ConfirmByName } from '../../parts/confirm/confirm.tsx';
import { labelOfPath } from '../../parts/data/field-label.ts';
import { contentType } from '../../parts/data/lists.ts';
import { pathOfAsset } from '../../parts/data/load-titles.ts';
import { countOf } from '../../parts/data/number-words.ts';
import { AssetDifference } from '../../parts/difference/asset-difference.tsx';
import { Mark } from '../../parts/layout/mark.tsx';
import { EmptyState, Page } from '../../parts/layout/page.tsx';
import { ShowMore } from '../../parts/layout/paging.tsx';
import { ActionMenu, type RowAction } from '../../parts/list/action-menu.tsx';
import { type ListColumn, ResourceList } from '../../parts/list/resource-list.tsx';
import { selectRows } from '../../parts/list/selected-rows.ts';
import { Loaded, Loading, Together } from '../../parts/loading/loading.tsx';
import { ProblemAlert } from '../../parts/problems/problem-alert.tsx';
import { PreviewLinks } from '../../parts/releases/preview-links.tsx';
import {
  assetStates,
  draftPages,
  nameOfRelease,
  publicationPlan,
  refreshDrafts,
  releaseByName,
  stateOfDraft,
  stateWords,
} from '../../parts/releases/release-data.ts';
import {
  draftsRelease,
  stateOfRelease,
  useChooseRelease,
  useWorkRelease,
} from '../../parts/releases/work-release.ts';
import { Ago } from '../../parts/time/ago.tsx';
import { useMay } from '../../roles.ts';
import { useDiscardDraft } from '../content/asset/save-asset.ts';
import { FindingCount, Findings, PublishDialog } from './publish-dialog.tsx';
import { Schedule } from './schedule.tsx';

const back = { to: '/admin/releases', label: 'Releases' };

export default function ReleasePage() {
  const { release = '' } = useParams();
  const query = useQuery(releaseByName(release));
  if (query.data) return <Content key={release} release={query.data} />;
  return (
    <Page title={release} back={back}>
      <Loaded query={query} what="the release">
        {() => <Loading />}
      </Loaded>
    </Page>
  );
}

function Content({ release }: { release: ReleaseResource }) {
  const { name, drafts: count } = release;
  const query = useInfiniteQuery(draftPages(name));
  const drafts = query.data?.pages.flatMap(({ items }) => items) ?? [];
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [publishing, setPublishing] = useState<'all' | 'chosen'>();
  const [asking, setAsking] = useState<'title' | 'delete'>();
  const mayPublish = useMay('editor');
  const client = useQueryClient();
  // Its schedule may have run.
  useDidUpdate(() => void refreshDrafts(client), [release.publishAt]);
  const work = useWorkRelease();
  const choose = useChooseRelease();
  const plan = useQuery({ ...publicationPlan(name), enabled: mayPublish && count > 0 });
  // Authors may not check a publication, and see what is wrong with each draft by itself.
  const findings = plan.data?.findings ?? drafts.flatMap((draft) => draft.findings);
  const isLoading = query.isPending || plan.isLoading;
  const chosen = drafts.filter(({ asset }) => selected.has(asset)).map(({ asset }) => asset);
  const isKept = name === draftsRelease;
  const actions: RowAction[] = [
    ...(isKept ? [] : [{ label: 'Change the title…', run: () => setAsking('title') }]),
    ...(isKept && count === 0
      ? []
      : [{ label: isKept ? 'Discard all…' : 'Delete…', isDanger: true, run: () => setAsking('delete') }]),
  ];
  return (
    <Page
      title={nameOfRelease(release)}
      back={back}
      actions={
        <>
          {work !== name && (
            <Button variant="default" px="sm" onClick={() => choose(name)}>
              Work in this release
            </Button>
          )}
          {mayPublish && <ActionMenu name={nameOfRelease(release)} actions={actions} />}
          {mayPublish && count > 0 && <Button onClick={() => setPublishing('all')}>Publish all…</Button>}
        </>
      }
    >
      <Together>
        <Schedule
          release={release}
          summary={
            <Group gap="xs" mih={28}>
              <Text size="sm" role="status">
                {chosen.length > 0
                  ? `${countOf(chosen.length, 'draft')} selected`
                  : count > 0 && countOf(count, 'draft')}
              </Text>
              {mayPublish && chosen.length > 0 && (
                <Button size="compact-sm" variant="default" onClick={() => setPublishing('chosen')}>
                  Publish the selected…
                </Button>
              )}
            </Group>
          }
        >
          <ProblemAlert error={plan.error} title="The drafts could not be checked" onRetry={plan.refetch} />
          {!isLoading && findings.length > 0 && (
            <Stack component="section" aria-label="What keeps it from being published" gap="xs">
              <FindingCount findings={findings} />
              <Findings release={name} findings={findings} />
            </Stack>
          )}
        </Schedule>
        <div>
          <ProblemAlert error={query.error} title="The drafts could not be loaded" onRetry={query.refetch} />
          {isLoading && <Loading />}
          {query.data && drafts.length === 0 && (
            <EmptyState title="No drafts">Work in this release, and save drafts of assets.</EmptyState>
          )}
          {drafts.length > 0 && !isLoading && (
            <DraftTable
              release={name}
              drafts={drafts}
              refused={new Set(findings.map(({ asset }) => asset))}
              selected={selected}
              onSelect={setSelected}
            />
          )}
          <ShowMore query={query}>Show more drafts</ShowMore>
        </div>
        <PreviewLinks release={name} />
      </Together>
      {publishing && (
        <PublishDialog
          release={release}
          only={publishing === 'chosen' ? chosen : undefined}
          onClose={() => setPublishing(undefined)}
          onPublished={() => setSelected(new Set())}
        />
      )}
      {asking === 'title' && <ChangeTitle release={release} isOpen onClose={() => setAsking(undefined)} />}
      <DeleteRelease release={release} isOpen={asking === 'delete'} onClose={() => setAsking(undefined)} />
    </Page>
  );
}

function DeleteRelease({
  release,
  isOpen,
  onClose,
}: {
  release: ReleaseResource;
  isOpen: boolean;
  onClose: () => void;
}) {
  const { name, drafts } = release;
  const client = useQueryClient();
  const navigate = useNavigate();
  const isKept = name === draftsRelease;
  return (
    <ConfirmByName
      name={name}
      title={isKept ? 'Discard all drafts?' : 'Delete this release?'}
      consequence={`${countOf(drafts, 'draft')} of it will be lost. What is live stays.`}
      action={isKept ? 'Discard all' : 'Delete'}
      isOpen={isOpen}
      onClose={onClose}
      onConfirm={async () => {
        try {
          await answer(admin.deleteRelease({ path: { release: name }, query: { drafts } }));
        } catch (error) {
          // Shows how many drafts there are now.
          void client.invalidateQueries({ queryKey: ['releases'] });
          throw error;
        }
        onClose();
        notifications.show({ message: isKept ? 'Drafts discarded' : 'Release deleted' });
        if (!isKept) void navigate(back.to);
        await refreshDrafts(client);
      }}
    />
  );
}

/** The dialog. */
function ChangeTitle({
  release: { name, title = '' },
  isOpen,
  onClose,
}: {
  release: Release;
  isOpen: boolean;
  onClose: () => void;
}) {
  const [typed, setTyped] = useState(title);
  const client = useQueryClient();
  return (
    <Confirm
      title="Change the title"
      consequence={`The name "${name}", which stands in addresses, stays. Without a title, the release is shown by it.`}
      action="Change"
      color="indigo"
      isReady={typed.trim() !== title}
      isOpen={isOpen}
      onClose={onClose}
      onConfirm={async () => {
        const next = typed.trim();
        await answer(
          admin.updateRelease({ path: { release: name }, body: { title: next === '' ? null : next } }),
        );
        await client.invalidateQueries({ queryKey: ['releases'] });
        onClose();
      }}
    >
      <TextInput
        label="Title"
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        maxLength={200}
        data-autofocus
      />
    </Confirm>
  );
}

const idOf = ({ asset }: ReleaseDraft) => asset;

/** The list. `selected` has the IDs of assets, `refused` those of assets whose drafts cannot be published. */
function DraftTable({
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
