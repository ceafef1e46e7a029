/**
 * What editors see first: what they have edited, what others have changed, their drafts, and the scheduled
 * releases.
 */
import { Anchor, Group, List, SimpleGrid, Text, Title } from '@mantine/core';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Activity, ActivityList } from '../../api.ts';
import { toHref } from '../../base-path.ts';
import { nameOfActor } from '../../parts/changes/actor-name.tsx';
import { useTypeNames } from '../../parts/data/lists.ts';
import { pathOfAsset } from '../../parts/data/load-titles.ts';
import { countOf } from '../../parts/data/number-words.ts';
import { Mark } from '../../parts/layout/mark.tsx';
import { Section } from '../../parts/layout/page.tsx';
import { Loading } from '../../parts/loading/loading.tsx';
import { HistoryProblem } from '../../parts/problems/problem-alert.tsx';
import {
  nameOfRelease,
  pathOfRelease,
  type ScheduledRelease,
  scheduledReleases,
} from '../../parts/releases/release-data.ts';
import { draftsRelease, stateOfRelease } from '../../parts/releases/work-release.ts';
import { Ago, Moment } from '../../parts/time/ago.tsx';
import { activity, draftsIn, latestOfEach } from './home-data.ts';

/** How many scheduled releases are listed. */
const maxScheduled = 4;

/** Lists side by side where there is room; an empty one is a line below them. */
export function Home() {
  const mine = useQuery(activity('me'));
  const others = useQuery(activity('others'));
  // A store without a change log has no releases, which the other lists say.
  const scheduled = useQuery(scheduledReleases).data?.items ?? [];
  const isNew = [mine, others].every(({ data }) => data?.items.length === 0);
  const lists: readonly HomeList[] = [
    {
      title: 'Last edited',
      query: mine,
      choose: latestOfEach,
      empty: isNew ? <FirstSteps /> : 'You have not changed any content lately.',
    },
    {
      title: 'What others changed',
      query: others,
      choose: latestOfEach,
      empty: 'Nobody else has changed content lately.',
      withActor: true,
    },
    {
      title: 'Drafts and scheduled',
      query: mine,
      choose: draftsIn,
      empty: 'You have written no drafts lately.',
      more: scheduled.length > 0 && <Scheduled items={scheduled} />,
    },
  ];
  const isEmpty = ({ query, choose, more }: HomeList) =>
    !more && query.data !== undefined && choose(query.data.items).length === 0;
  const filled = lists.filter((list) => !isEmpty(list));
  return (
    <>
      {filled.length > 0 && (
        <SimpleGrid cols={{ base: 1, md: filled.length }} spacing="xl" verticalSpacing="md">
          {filled.map((list) => (
            <Section key={list.title} title={list.title}>
              <Changes list={list} />
              {list.more}
            </Section>
          ))}
        </SimpleGrid>
      )}
      {lists.filter(isEmpty).map(({ title, empty }) => (
        <Group key={title} component="section" aria-label={title} gap="xs" align="baseline">
          <Title order={2} size="h4">
            {title}
          </Title>
          <Text size="sm">{empty}</Text>
        </Group>
      ))}
    </>
  );
}

/** A list of the page: the changes that `choose` takes from those that were read, and `more` below them. */
interface HomeList {
  readonly title: string;
  readonly query: UseQueryResult<ActivityList>;
  readonly choose: (items: ActivityList['items']) => readonly Activity[];
  /** What is said in place of an empty list. */
  readonly empty: ReactNode;
  readonly withActor?: boolean;
  readonly more?: ReactNode;
}

/** What to do in an installation that nobody has changed yet. */
function FirstSteps() {
  return (
    <>
      Nobody has changed any content yet. Create the first asset in{' '}
      <Anchor component={Link} to="/admin/content" inherit underline="always">
        All content
      </Anchor>
      , or{' '}
      <Anchor href={toHref('/docs/guide/admin-ui')} inherit underline="always">
        read the guide
      </Anchor>
      .
    </>
  );
}

function Changes({ list: { query, choose, withActor } }: { list: HomeList }) {
  const nameOf = useTypeNames();
  if (query.isPending) return <Loading />;
  if (!query.data)
    return <HistoryProblem error={query.error} title="Could not load the changes" onRetry={query.refetch} />;
  return (
    <Rows>
      {choose(query.data.items).map((item) => (
        <Row key={item.id} {...linkOf(item)} mark={marks[item.action]}>
          {nameOf(item._type)}, <Ago ms={item.at} />
          {withActor && ` by ${nameOfActor(item.by)}`}
        </Row>
      ))}
    </Rows>
  );
}

function Scheduled({ items }: { items: readonly ScheduledRelease[] }) {
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
      <Group gap="xs" wrap="nowrap">
        <Anchor
          component={Link}
          to={to}
          state={state}
          c="inherit"
          size="sm"
          fw={500}
          dir="auto"
          truncate
          title={title}
        >
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
