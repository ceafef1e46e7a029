/**
 * Asks before drafts are published: what goes live, or all that keeps them from it.
 */
import { List, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { admin, answer, type Publication, type PublishedDraft, type Release } from '../../api.ts';
import { Confirm } from '../../parts/confirm/confirm.tsx';
import { countOf } from '../../parts/data/number-words.ts';
import { Loading } from '../../parts/loading/loading.tsx';
import { ProblemAlert } from '../../parts/problems/problem-alert.tsx';
import { stateOfDraft, stateWords } from '../../parts/releases/draft-state.ts';
import { nameOfRelease, publicationPlan, refreshDrafts } from '../../parts/releases/release-data.ts';
import { FindingCount, Findings } from './findings.tsx';

/** How many drafts are named. */
const maxNamed = 20;

/** The dialog; `only` has the IDs of the chosen assets, absent for all drafts. */
export function PublishDialog({
  release,
  only,
  onClose,
  onPublished,
}: {
  release: Release;
  only: readonly string[] | undefined;
  onClose: () => void;
  onPublished: (publication: Publication) => void;
}) {
  const { name } = release;
  const client = useQueryClient();
  const path = { release: name };
  const chosen = only ? { only: [...only] } : {};
  const plan = useQuery(publicationPlan(name, only));
  const { items = [], skipped = [], findings = [] } = plan.data ?? {};
  return (
    <Confirm
      title={only ? 'Publish the selected drafts?' : `Publish ${nameOfRelease(release)}?`}
      consequence="All of them go live in one step, or none. The publication can be reverted as a run."
      action="Publish"
      color="indigo"
      size="lg"
      isReady={plan.data !== undefined && !plan.isFetching && items.length > 0 && findings.length === 0}
      isOpen
      onClose={onClose}
      onConfirm={async () => {
        try {
          const published = await answer(admin.publishRelease({ path, body: chosen }));
          notifications.show({ message: `Published ${countOf(published.items.length, 'draft')}` });
          onPublished(published);
          onClose();
        } finally {
          // Also shows what has come between.
          await refreshDrafts(client);
        }
      }}
    >
      {plan.isPending && <Loading />}
      <ProblemAlert error={plan.error} title="The drafts could not be checked" onRetry={plan.refetch} />
      <FindingCount findings={findings} />
      {/* Scrolls, so it must be reachable by keyboard. */}
      <Stack
        gap="xs"
        mah="45vh"
        style={{ overflowY: 'auto' }}
        tabIndex={0}
        role="group"
        aria-label="What will be published"
      >
        <Findings release={name} findings={findings} />
        {plan.data && findings.length === 0 && <Items items={items} />}
        {skipped.length > 0 && <Skipped items={skipped} />}
      </Stack>
    </Confirm>
  );
}

function Items({ items }: { items: readonly PublishedDraft[] }) {
  if (items.length === 0) return <Text size="sm">There are no drafts to publish.</Text>;
  return (
    <>
      <Text size="sm" role="status">
        {items.length === 1 ? '1 draft goes live.' : `${countOf(items.length, 'draft')} go live.`}
      </Text>
      <Names label="Drafts to publish" items={items} />
    </>
  );
}

/** Names what stays as it is: only those who select a withdrawn asset make it live again. */
function Skipped({ items }: { items: readonly PublishedDraft[] }) {
  return (
    <>
      <Text size="sm">
        Not published: {countOf(items.length, 'withdrawn asset')}. Select a withdrawn asset to publish it.
      </Text>
      <Names label="Withdrawn assets" items={items} />
    </>
  );
}

function Names({ label, items }: { label: string; items: readonly PublishedDraft[] }) {
  return (
    <List size="sm" aria-label={label}>
      {items.slice(0, maxNamed).map((item) => (
        <List.Item key={item.asset}>
          <span dir="auto">{item.title}</span> ({stateWords[stateOfDraft(item)].label})
        </List.Item>
      ))}
      {items.length > maxNamed && <List.Item>and {countOf(items.length - maxNamed, 'more draft')}</List.Item>}
    </List>
  );
}
