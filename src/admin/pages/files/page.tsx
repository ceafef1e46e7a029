/**
 * The page that lists the files: searches them, shows which assets use them, uploads and deletes. The URL holds the search.
 */
import { Checkbox, Group, Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { admin, answer, type ListedFile } from '../../api.ts';
import { Confirm } from '../../parts/confirm/confirm.tsx';
import { useParameters } from '../../parts/data/use-parameters.ts';
import { DropZone } from '../../parts/files/drop-zone.tsx';
import { useUpload } from '../../parts/files/use-upload.ts';
import { EmptyState, Page } from '../../parts/layout/page.tsx';
import { ShowMore } from '../../parts/layout/show-more.tsx';
import { ListSearch } from '../../parts/list/list-search.tsx';
import { Loading } from '../../parts/loading/loading.tsx';
import { ProblemAlert } from '../../parts/problems/problem-alert.tsx';
import { FileTable } from './file-table.tsx';
import { FileUses } from './file-uses.tsx';

export default function Files() {
  const [parameters, change] = useParameters();
  const search = parameters.get('search') ?? '';
  // A check box must show its change at once, which the address may show later.
  const [isUnused, setUnused] = useState(parameters.has('unused'));
  const set = (name: string, isSet: boolean, value = '') =>
    change(
      (before) => {
        if (isSet) before.set(name, value);
        else before.delete(name);
        return before;
      },
      { replace: true },
    );
  return (
    <Page title="Files">
      <Stack gap="sm" align="stretch">
        <Group gap="md">
          <ListSearch
            label="Search files"
            placeholder="Words of the name, or a hash"
            search={search}
            onSearch={(text) => set('search', text !== '', text)}
          />
          <Checkbox
            label="Only files that no asset uses"
            checked={isUnused}
            onChange={({ currentTarget: { checked } }) => {
              setUnused(checked);
              set('unused', checked);
            }}
          />
          <Upload />
        </Group>
        <FileList search={search} isUnused={isUnused} />
      </Stack>
    </Page>
  );
}

/** Uploads files that assets use later. */
function Upload() {
  const client = useQueryClient();
  const { state, start, cancel } = useUpload({
    onUploaded: ({ name }) => {
      notifications.show({ message: `${name} is uploaded`, color: 'green' });
      void client.invalidateQueries({ queryKey: ['files'] });
    },
  });
  return <DropZone isMultiple state={state} onFiles={start} onCancel={cancel} />;
}

function FileList({ search, isUnused }: { search: string; isUnused: boolean }) {
  const client = useQueryClient();
  const query = useInfiniteQuery({
    queryKey: ['files', search, isUnused],
    queryFn: ({ pageParam: after, signal }) =>
      answer(
        admin.listFiles({
          query: {
            ...(search && { search }),
            ...(isUnused && { unused: true }),
            ...(after !== undefined && { after }),
          },
          signal,
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  });
  const [shown, setShown] = useState<ListedFile>();
  const [removed, setRemoved] = useState<ListedFile>();
  const files = query.data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <div>
      <ProblemAlert error={query.error} title="The files could not be loaded" onRetry={query.refetch} />
      {query.isPending && <Loading />}
      {query.data && files.length === 0 && !query.hasNextPage && (
        <EmptyState title="No files">
          {search || isUnused
            ? 'No file matches.'
            : 'Files appear here once they are uploaded, by a form of an asset or by a program.'}
        </EmptyState>
      )}
      {files.length > 0 && <FileTable files={files} onShowUses={setShown} onDelete={setRemoved} />}
      <ShowMore query={query}>Show more files</ShowMore>
      {shown && <FileUses file={shown} onClose={() => setShown(undefined)} />}
      {removed && (
        <Confirm
          title={`Delete ${removed.name}?`}
          consequence="Its address stops working. Caches may keep the file until they are purged."
          action="Delete"
          isOpen
          onClose={() => setRemoved(undefined)}
          onConfirm={async () => {
            await answer(admin.deleteFile({ path: { hash: removed.hash } }));
            setRemoved(undefined);
            notifications.show({ message: `${removed.name} is deleted`, color: 'green' });
            await client.invalidateQueries({ queryKey: ['files'] });
          }}
        />
      )}
    </div>
  );
}
