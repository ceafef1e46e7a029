/**
 * Chooses a file from those of the platform, in a dialog.
 */
import { Box, Stack, Text, TextInput, UnstyledButton } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { admin, answer, type ListedFile } from '../../api.ts';
import { Dialog } from '../confirm/dialog.tsx';
import { ShowMore } from '../layout/paging.tsx';
import { Loading } from '../loading/loading.tsx';
import { ProblemAlert } from '../problems/problem-alert.tsx';
import { describeFile } from './file-address.ts';
import { Thumbnail } from './thumbnail.tsx';
import { type FileLimits, findRefusal } from './use-upload.ts';

/** How many files a request reads. Those beyond the limits of the field are not shown. */
const pageSize = 60;

/** The dialog. It lists the files within `limits`, the newest first. */
export function ChooseFile({
  title,
  limits,
  onChoose,
  onClose,
}: {
  title: string;
  limits: FileLimits;
  onChoose: (file: ListedFile) => void;
  onClose: () => void;
}) {
  const [search, setSearch] = useState('');
  const [settled] = useDebouncedValue(search.trim(), 300);
  const query = useInfiniteQuery({
    queryKey: ['files', 'choice', settled],
    queryFn: ({ pageParam: after, signal }) =>
      answer(
        admin.listFiles({
          query: {
            limit: pageSize,
            ...(settled && { search: settled }),
            ...(after !== undefined && { after }),
          },
          signal,
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  });
  const read = query.data?.pages.flatMap(({ items }) => items) ?? [];
  const files = read.filter(
    ({ mediaType, bytes }) => findRefusal({ type: mediaType, size: bytes }, limits) === undefined,
  );
  return (
    <Dialog opened onClose={onClose} title={title} size="lg">
      <Stack gap="sm" align="stretch">
        <TextInput
          type="search"
          label="Search files"
          description="Words of the name, or a hash"
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          maxLength={200}
          autoComplete="off"
          data-autofocus
        />
        <ProblemAlert error={query.error} title="The files could not be loaded" onRetry={query.refetch} />
        {query.isPending && <Loading />}
        <Text size="sm" role="status">
          {query.data && files.length === 0 && describeNone(read.length, query.hasNextPage)}
        </Text>
        {files.length > 0 && (
          <Box component="ul" m={0} p={0} aria-label="Files" style={listStyle}>
            {files.map((file) => (
              <li key={file.hash}>
                <UnstyledButton onClick={() => onChoose(file)} w="100%" style={fileStyle}>
                  <Thumbnail file={file} size={56} />
                  <span style={{ minWidth: 0 }}>
                    <Text component="span" display="block" size="sm" style={{ overflowWrap: 'anywhere' }}>
                      {file.name}
                    </Text>
                    <Text component="span" display="block" size="xs">
                      {describeFile(file)}
                    </Text>
                  </span>
                </UnstyledButton>
              </li>
            ))}
          </Box>
        )}
        <ShowMore query={query}>Show more files</ShowMore>
      </Stack>
    </Dialog>
  );
}

function describeNone(read: number, hasMore: boolean): string {
  if (read === 0) return 'No file matches.';
  const which = hasMore ? `the ${read} newest files` : read === 1 ? 'this file' : `these ${read} files`;
  return `The field takes none of ${which}, because of their type or size.`;
}

const listStyle = {
  listStyle: 'none',
  display: 'grid',
  gridTemplateColumns: 'repeat(auto-fill, minmax(240px, 1fr))',
  gap: 'var(--mantine-spacing-xs)',
};

const fileStyle = { display: 'flex', gap: 'var(--mantine-spacing-xs)', alignItems: 'center' };
