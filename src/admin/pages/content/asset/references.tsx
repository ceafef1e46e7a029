/**
 * The assets that reference an asset, shown before it is deleted.
 */
import { Alert, Anchor, List, Text } from '@mantine/core';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { admin, answer, type ContentReferences } from '../../../api.ts';
import { toHref } from '../../../base-path.ts';
import { pathOfAsset } from '../../../parts/data/asset-titles.ts';
import { toShortName } from '../../../parts/data/content-types.ts';
import { Loading } from '../../../parts/loading/loading.tsx';
import { ProblemAlert } from '../../../parts/problems/problem-alert.tsx';
import { inRelease } from '../../../parts/releases/work-release.ts';

/** Finds the assets that reference an asset, while `isWanted`. */
export function useReferences(id: string, isWanted: boolean): UseQueryResult<ContentReferences> {
  return useQuery({
    queryKey: ['contents', 'references', id],
    queryFn: () => answer(admin.listContentReferences({ path: { id }, query: inRelease() })),
    enabled: isWanted,
    gcTime: 0,
  });
}

/** Shows their number and types, and the names of the first ones. */
export function References({ query }: { query: UseQueryResult<ContentReferences> }) {
  const { data, error, isFetching, refetch } = query;
  if (isFetching) return <Loading />;
  if (!data) {
    return (
      <ProblemAlert
        error={error}
        title="The references to this asset could not be loaded"
        onRetry={refetch}
      />
    );
  }
  const { count, types, items, unsearched } = data;
  if (count === 0 && unsearched.length === 0) return <Text size="sm">No other asset refers to it.</Text>;
  return (
    <Alert color="red" variant="light" title={titleOf(data)}>
      {types.length > 0 && (
        <Text size="sm">{types.map(({ name, count }) => `${name}: ${count}`).join(', ')}</Text>
      )}
      <List size="sm" my="xs">
        {items.map((asset) => (
          <List.Item key={asset._id}>
            {/* In another tab, so that the question stays. */}
            <Anchor href={toHref(pathOfAsset(asset))} target="_blank" c="inherit" inherit underline="always">
              {asset.title}
            </Anchor>{' '}
            ({toShortName(asset._type)})
          </List.Item>
        ))}
        {count > items.length && <List.Item>and {count - items.length} more</List.Item>}
      </List>
      {unsearched.length > 0 && (
        <Text size="sm">There was not enough time to search {unsearched.map(toShortName).join(', ')}.</Text>
      )}
    </Alert>
  );
}

function titleOf({ count, unsearched }: ContentReferences): string {
  const number = unsearched.length > 0 ? `At least ${count}` : String(count);
  return count === 1 ? `${number} asset refers to it` : `${number} assets refer to it`;
}
