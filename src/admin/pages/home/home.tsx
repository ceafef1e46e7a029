/**
 * What editors see first: what they have edited, what others have changed, their drafts, and the scheduled
 * releases.
 */
import { Anchor, Group, List, SimpleGrid, Text } from '@mantine/core';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Activity, ActivityList } from '../../api.ts';
import { nameOfActor } from '../../parts/changes/actor-name.tsx';
import { pathOfAsset } from '../../parts/data/asset-titles.ts';
import { toShortName } from '../../parts/data/content-types.ts';
import { nameOfType } from '../../parts/data/field-label.ts';
import { typeNames } from '../../parts/data/lists.ts';
import { countOf } from '../../parts/data/number-words.ts';
import { Mark } from '../../parts/layout/mark.tsx';
import { Section } from '../../parts/layout/page.tsx';
import { Loading } from '../../parts/loading/loading.tsx';
import { HistoryProblem } from '../../parts/problems/history-problem.tsx';
import { nameOfRelease, pathOfRelease, scheduledReleases } from '../../parts/releases/release-data.ts';
import { draftsRelease, stateOfRelease } from '../../parts/releases/work-release.ts';
import { Ago } from '../../parts/time/ago.tsx';
import { Moment } from '../../parts/time/moment.tsx';
import { activity, draftsIn, latestOfEach } from './home-data.ts';

/** How many scheduled releases are listed. */
const maxScheduled = 4;

/** Three lists side by side where there is room. */
export function Home() {
  const mine = useQuery(activity('me'));
  const others = useQuery(activity('others'));
  return (
    <SimpleGrid cols={{ base: 1, md: 3 }} spacing="xl" verticalSpacing="md">
      <Section title="Last edited">
        <Changes query={mine} empty="You have not changed any content lately.">
          {latestOfEach}
        </Changes>
      </Section>
      <Section title="What others changed">
        <Changes query={others} empty="Nobody else has changed content lately." withActor>
          {latestOfEach}
        </Changes>
      </Section>
      <Section title="Drafts and scheduled">
        <Changes query={mine} empty="You have written no drafts lately.">
          {draftsIn}
        </Changes>
        <Scheduled />
      </Section>
    </SimpleGrid>
  );
}

function Changes({
  query,
  empty,
  withActor = false,
  children,
}: {
  query: UseQueryResult<ActivityList>;
  empty: string;
  withActor?: boolean;
  children: (items: ActivityList['items']) => readonly Activity[];
}) {
  const types = new Map(useQuery(typeNames).data?.items.map((type) => [type.class, nameOfType(type)]));
  if (query.isPending) return <Loading />;
  if (!query.data)
    return <HistoryProblem error={query.error} title="Could not load the changes" onRetry={query.refetch} />;
  const items = children(query.data.items);
  if (items.length === 0)
    return (
      <Text size="sm" mb="xs">
        {empty}
      </Text>
    );
  return (
    <Rows>
      {items.map((item) => (
        <Row key={item.id} {...linkOf(item)} mark={marks[item.action]}>
          {types.get(item._type) ?? toShortName(item._type)}, <Ago ms={item.at} />
          {withActor && ` by ${nameOfActor(item.by)}`}
        </Row>
      ))}
    </Rows>
  );
}

function Scheduled() {
  // A store without a change log has no releases, which the list above says.
  const items = useQuery(scheduledReleases).data?.items ?? [];
  if (items.length === 0) return null;
  return (
    <Rows label="Scheduled releases">
      {items.slice(0, maxScheduled).map((release) => {
        const { name, drafts, publishAt, stopped } = release;
        const mark = stopped ? stoppedMark : scheduledMark;
        return (
          <Row key={name} title={nameOfRelease(release)} to={pathOfRelease(name)} mark={mark}>
            {countOf(drafts, 'draft')}, <Moment ms={publishAt} />
          </Row>
        );
      })}
    </Rows>
  );
}

function Rows({ label, children }: { label?: string; children: ReactNode }) {
  return (
    <List listStyleType="none" spacing="xs" size="sm" mb="xs" {...(label && { 'aria-label': label })}>
      {children}
    </List>
  );
}

function Row({
  title,
  to,
  state,
  mark,
  children,
}: {
  title: string;
  to: string;
  state?: unknown;
  mark: MarkWords;
  children: ReactNode;
}) {
  return (
    <List.Item styles={{ itemWrapper: { display: 'block' }, itemLabel: { display: 'block' } }}>
      <Group gap="xs" wrap="nowrap" justify="space-between">
        <Anchor component={Link} to={to} state={state} size="sm" fw={500} dir="auto" truncate title={title}>
          {title}
        </Anchor>
        <Mark {...(mark.color && { color: mark.color })}>{mark.label}</Mark>
      </Group>
      <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {children}
      </Text>
    </List.Item>
  );
}

/** A draft opens in its release, a live asset in its form, and what does not exist any more with its history. */
function linkOf({ _id, _type, title, action, isLive, release }: Activity) {
  const path = pathOfAsset({ _id, _type });
  const text = title ?? 'An asset that is gone';
  if (action === 'drafted') return { title: text, to: path, state: stateOfRelease(release) };
  if (action === 'withdrawn' && !isLive)
    return { title: text, to: path, state: stateOfRelease(draftsRelease) };
  return { title: text, to: isLive ? path : `${path}?tab=history` };
}

interface MarkWords {
  readonly label: string;
  readonly color?: string;
}

const marks: Readonly<Record<Activity['action'], MarkWords>> = {
  created: { label: 'Created' },
  changed: { label: 'Changed' },
  deleted: { label: 'Deleted', color: 'red' },
  restored: { label: 'Restored', color: 'green' },
  erased: { label: 'Erased', color: 'red' },
  published: { label: 'Published', color: 'green' },
  withdrawn: { label: 'Withdrawn' },
  drafted: { label: 'Draft' },
  discarded: { label: 'Draft discarded' },
};
const scheduledMark: MarkWords = { label: 'Scheduled', color: 'green' };
const stoppedMark: MarkWords = { label: 'Stopped', color: 'red' };
