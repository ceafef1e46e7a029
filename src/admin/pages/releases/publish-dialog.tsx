/**
 * Asks before drafts are published: what goes live, or all that keeps them from it.
 */
import { Alert, Anchor, Box, List, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from 'react-router';
import {
  admin,
  answer,
  type Place,
  type Publication,
  type PublicationFinding,
  type PublishedDraft,
  type Release,
} from '../../api.ts';
import { Confirm } from '../../parts/confirm/confirm.tsx';
import { labelOfPath } from '../../parts/data/field-label.ts';
import { contentType } from '../../parts/data/lists.ts';
import { pathOfAsset } from '../../parts/data/load-titles.ts';
import { countOf } from '../../parts/data/number-words.ts';
import { Loading } from '../../parts/loading/loading.tsx';
import { ProblemAlert } from '../../parts/problems/problem-alert.tsx';
import {
  nameOfRelease,
  publicationPlan,
  refreshDrafts,
  stateOfDraft,
  stateWords,
} from '../../parts/releases/release-data.ts';
import { stateOfRelease } from '../../parts/releases/work-release.ts';
import { toInputPath } from '../content/draft/find-messages.ts';
import { FindingText, ResolveButton } from '../content/merge/resolve-draft.tsx';

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

/** Says how many findings there are; nothing without any. */
export function FindingCount({ findings }: { findings: readonly PublicationFinding[] }) {
  if (findings.length === 0) return null;
  return (
    <Text size="sm" role="status">
      {countOf(findings.length, 'problem')} to fix before these drafts can be published.
    </Text>
  );
}

/** The findings, each under the title of its asset; nothing without any. */
export function Findings({
  release,
  findings,
}: {
  release: string;
  findings: readonly PublicationFinding[];
}) {
  return findings.map((finding) => (
    <Alert
      key={`${finding.asset} ${finding.code} ${finding.message}`}
      color="red"
      variant="light"
      title={`${finding.title} cannot be published`}
    >
      <Finding release={release} finding={finding} />
    </Alert>
  ));
}

function Finding({ release, finding }: { release: string; finding: PublicationFinding }) {
  const { asset: _id, type: _type } = finding;
  const type = useQuery(contentType(_type)).data;
  const linkTo = ({ path }: Place) => (
    <Anchor
      component={Link}
      to={`${pathOfAsset({ _id, _type })}?field=${encodeURIComponent(toInputPath(path))}`}
      state={stateOfRelease(release)}
      size="sm"
      c="inherit"
      underline="always"
    >
      {type ? labelOfPath(type, path) : path}
    </Anchor>
  );
  return (
    <Box>
      <FindingText finding={finding} linkTo={linkTo} />
      <ResolveButton release={release} finding={finding} />
    </Box>
  );
}
