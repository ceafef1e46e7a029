/**
 * The page that lists the releases, and creates them.
 */
import { Anchor, Button, Group, List, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { admin, answer, type Release } from '../../api.ts';
import { Confirm } from '../../parts/confirm/confirm.tsx';
import { countOf } from '../../parts/data/number-words.ts';
import { toSlug } from '../../parts/data/slug.ts';
import { Mark } from '../../parts/layout/mark.tsx';
import { Page, Section } from '../../parts/layout/page.tsx';
import { LoadedPages } from '../../parts/layout/paging.tsx';
import { type ListColumn, ResourceList } from '../../parts/list/resource-list.tsx';
import { Loaded } from '../../parts/loading/loading.tsx';
import { HistoryProblem } from '../../parts/problems/problem-alert.tsx';
import {
  nameOfRelease,
  pathOfRelease,
  releasePages,
  scheduledReleases,
} from '../../parts/releases/release-data.ts';
import { Moment } from '../../parts/time/ago.tsx';
import { describeDay, describeMoment } from '../../parts/time/local-time.ts';
import { useMay } from '../../roles.ts';

export default function Releases() {
  const query = useInfiniteQuery(releasePages);
  const mayCreate = useMay('editor') && query.data !== undefined;
  return (
    <Page title="Releases" actions={mayCreate && <NewRelease />}>
      <Text size="sm">
        A release is a set of drafts that go live together. Choose one in the header to work in it.
      </Text>
      <LoadedPages query={query} what="releases" more="Show more releases" Problem={HistoryProblem}>
        {(releases) => (
          <ResourceList
            label="Releases"
            columns={columnsOf(releases)}
            rows={releases}
            isWhole={!query.hasNextPage}
            idOf={({ name }) => name}
            nameOf={nameOfRelease}
            hrefOf={({ name }) => pathOfRelease(name)}
          />
        )}
      </LoadedPages>
      {query.data && <Scheduled />}
    </Page>
  );
}

/** The columns that have something to say of some of the releases. */
function columnsOf(releases: readonly Release[]): readonly ListColumn<Release>[] {
  const has = (column: ListColumn<Release>, isThere: (release: Release) => boolean) =>
    releases.some(isThere) ? [column] : [];
  return [
    {
      id: 'title',
      head: 'Title',
      value: (release) => `${nameOfRelease(release)} ${release.name}`,
      cell: Name,
    },
    { id: 'drafts', head: 'Drafts', value: ({ drafts }) => drafts, isFigure: true },
    ...has(
      { id: 'live', head: 'Goes live', cell: (release) => <ScheduleState release={release} /> },
      ({ publishAt, published }) => publishAt !== undefined || published !== undefined,
    ),
    ...has(
      { id: 'by', head: 'Created by', value: ({ createdBy }) => createdBy },
      ({ createdBy }) => createdBy !== undefined,
    ),
    ...has(
      { id: 'created', head: 'Created', isTime: true, value: ({ createdAt }) => createdAt },
      ({ createdAt }) => createdAt !== undefined,
    ),
  ];
}

/** The title, and the name where it is another one. */
function Name(release: Release) {
  const title = nameOfRelease(release);
  return (
    <>
      {title}
      {title.toLowerCase() !== release.name && (
        <Text span display="block" size="xs" c="dimmed">
          {release.name}
        </Text>
      )}
    </>
  );
}

/** A button with its dialog. */
function NewRelease() {
  const [isOpen, { open, close }] = useDisclosure(false);
  const [title, setTitle] = useState('');
  const [typedName, setTypedName] = useState<string>();
  const navigate = useNavigate();
  const client = useQueryClient();
  const name = typedName ?? toSlug(title, { maxLength: 64 });
  return (
    <>
      <Button onClick={open}>New release</Button>
      <Confirm
        title="New release"
        consequence="The name stands in addresses and cannot be changed later."
        action="Create"
        color="indigo"
        isReady={name !== ''}
        isOpen={isOpen}
        onClose={close}
        onConfirm={async () => {
          const body = { name, ...(title.trim() !== '' && { title: title.trim() }) };
          await answer(admin.createRelease({ body }));
          await client.invalidateQueries({ queryKey: ['releases'] });
          close();
          void navigate(pathOfRelease(name));
        }}
      >
        <Stack gap="sm">
          <TextInput
            label="Title"
            value={title}
            onChange={(event) => setTitle(event.currentTarget.value)}
            maxLength={200}
            data-autofocus
          />
          <TextInput
            label="Name"
            description="Letters, digits, dots, hyphens and underscores"
            value={name}
            onChange={(event) => setTypedName(event.currentTarget.value)}
            maxLength={64}
            required
          />
        </Stack>
      </Confirm>
    </>
  );
}

/** The list; the earliest day first. */
function Scheduled() {
  const query = useQuery(scheduledReleases);
  if (!query.error && !query.data?.items.length) return null;
  return (
    <Section title="Scheduled">
      <Loaded query={query} what="the scheduled releases">
        {({ items, isWhole }) => (
          <>
            {[...Map.groupBy(items, ({ publishAt }) => describeDay(publishAt))].map(
              ([day = '', releases]) => (
                <div key={day}>
                  <Text size="sm" fw={600} mt="xs">
                    {day}
                  </Text>
                  <List size="sm" listStyleType="none" aria-label={day}>
                    {releases.map((release) => (
                      <List.Item key={release.name} style={{ overflowWrap: 'anywhere' }}>
                        <Anchor
                          component={Link}
                          to={pathOfRelease(release.name)}
                          size="sm"
                          underline="always"
                        >
                          {nameOfRelease(release)}
                        </Anchor>{' '}
                        {countOf(release.drafts, 'draft')},{' '}
                        {release.stopped ? (
                          <ScheduleState release={release} />
                        ) : (
                          // Without the day, under which it stands.
                          describeMoment(release.publishAt, release.publishAt)
                        )}
                      </List.Item>
                    ))}
                  </List>
                </div>
              ),
            )}
            {!isWhole && <Text size="sm">There are more than are shown.</Text>}
          </>
        )}
      </Loaded>
    </Section>
  );
}

/** The time, or the reason as a link to the page of the release; without a schedule that of the last publication, if any. */
function ScheduleState({ release: { name, publishAt, published, stopped } }: { release: Release }) {
  if (publishAt === undefined)
    return (
      published && (
        <>
          Published <Moment ms={published.at} />
        </>
      )
    );
  if (!stopped) return <Moment ms={publishAt} />;
  return (
    <Group gap="xs">
      <Mark color="red">Stopped</Mark>
      <Anchor
        component={Link}
        to={pathOfRelease(name)}
        size="sm"
        underline="always"
        style={{ overflowWrap: 'anywhere' }}
      >
        {stopped.message}
      </Anchor>
    </Group>
  );
}
