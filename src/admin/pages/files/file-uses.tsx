/**
 * The assets that use a file, in a dialog.
 */
import { Anchor, Code, List, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { admin, answer, type FileUse, type ListedFile } from '../../api.ts';
import { TypeName } from '../../parts/assets/type-name.tsx';
import { Dialog } from '../../parts/confirm/dialog.tsx';
import { pathOfAsset } from '../../parts/data/asset-titles.ts';
import { ShowMore } from '../../parts/layout/show-more.tsx';
import { Loading } from '../../parts/loading/loading.tsx';
import { ProblemAlert } from '../../parts/problems/problem-alert.tsx';

/** Lists the assets. */
export function FileUses({ file, onClose }: { file: ListedFile; onClose: () => void }) {
  const query = useInfiniteQuery({
    queryKey: ['files', 'uses', file.hash],
    queryFn: ({ pageParam: after, signal }) =>
      answer(
        admin.listFileUses({
          path: { hash: file.hash },
          query: after === undefined ? {} : { after },
          signal,
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
  });
  const uses = query.data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <Dialog opened onClose={onClose} title={`What uses ${file.name}`}>
      <Text size="sm" mb="sm">
        These assets have the file in their values or in their history.
      </Text>
      <ProblemAlert error={query.error} title="The uses could not be loaded" onRetry={query.refetch} />
      {query.isPending && <Loading />}
      <List size="sm" aria-label="Assets that use the file">
        {uses.map((use) => (
          <List.Item key={use._id}>
            <Use use={use} />
          </List.Item>
        ))}
      </List>
      <ShowMore query={query}>Show more assets</ShowMore>
    </Dialog>
  );
}

function Use({ use: { _id, _type, title } }: { use: FileUse }) {
  if (_type === undefined) {
    return (
      <>
        <Code>{_id}</Code>, which was deleted
      </>
    );
  }
  return (
    <>
      <Anchor component={Link} to={pathOfAsset({ _id, _type })} size="sm" underline="always">
        {title}
      </Anchor>{' '}
      (<TypeName className={_type} />)
    </>
  );
}
