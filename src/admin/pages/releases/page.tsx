/**
 * The page that lists the releases, and creates them.
 */
import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { admin, answer, type Release } from '../../api.ts';
import { Confirm } from '../../parts/confirm/confirm.tsx';
import { toSlug } from '../../parts/data/slug.ts';
import { Page } from '../../parts/layout/page.tsx';
import { ShowMore } from '../../parts/layout/paging.tsx';
import { type ListColumn, ResourceList } from '../../parts/list/resource-list.tsx';
import { Loading } from '../../parts/loading/loading.tsx';
import { HistoryProblem } from '../../parts/problems/problem-alert.tsx';
import { nameOfRelease, pathOfRelease, releasePages } from '../../parts/releases/release-data.ts';
import { useMay } from '../../roles.ts';
import { Scheduled, ScheduleState } from './scheduled.tsx';

export default function Releases() {
  const query = useInfiniteQuery(releasePages);
  const releases = query.data?.pages.flatMap(({ items }) => items) ?? [];
  const mayCreate = useMay('editor') && query.data !== undefined;
  return (
    <Page title="Releases" actions={mayCreate && <NewRelease />}>
      <Text size="sm">
        A release is a set of drafts that go live together. Choose one in the header to work in it.
      </Text>
      <div>
        <HistoryProblem
          error={query.error}
          title="The releases could not be loaded"
          onRetry={query.refetch}
        />
        {query.isPending && <Loading />}
        {releases.length > 0 && (
          <ResourceList
            label="Releases"
            columns={columns}
            rows={releases}
            isWhole={!query.hasNextPage}
            idOf={({ name }) => name}
            nameOf={nameOfRelease}
            hrefOf={({ name }) => pathOfRelease(name)}
          />
        )}
        <ShowMore query={query}>Show more releases</ShowMore>
      </div>
      {query.data && <Scheduled />}
    </Page>
  );
}

const columns: readonly ListColumn<Release>[] = [
  { id: 'title', head: 'Title', value: nameOfRelease },
  { id: 'name', head: 'Name', value: ({ name }) => name },
  {
    id: 'drafts',
    head: 'Drafts',
    value: ({ drafts }) => drafts,
    isFigure: true,
  },
  { id: 'live', head: 'Goes live', cell: (release) => <ScheduleState release={release} /> },
  { id: 'by', head: 'Created by', value: ({ createdBy }) => createdBy },
  {
    id: 'created',
    head: 'Created',
    isTime: true,
    value: ({ createdAt }) => createdAt,
  },
];

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
