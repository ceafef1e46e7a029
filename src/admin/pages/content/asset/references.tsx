/**
 * The assets that reference an asset, shown beside its form and before it is deleted.
 */
import { Alert, Anchor, Button, List, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { admin, answer, type ContentReferences } from '../../../api.ts';
import { toHref } from '../../../base-path.ts';
import { useTypeNames } from '../../../parts/data/lists.ts';
import { pathOfAsset } from '../../../parts/data/load-titles.ts';
import { countOf, formatNumber } from '../../../parts/data/number-words.ts';
import { ClosedIcon, OpenIcon } from '../../../parts/layout/icons.ts';
import { Loading } from '../../../parts/loading/loading.tsx';
import { ProblemAlert } from '../../../parts/problems/problem-alert.tsx';
import { inRelease } from '../../../parts/releases/work-release.ts';

/** Finds the assets that reference an asset, while `isWanted`: in the release that the user works in, or in another `place`. */
export function useReferences(
  id: string,
  isWanted: boolean,
  place: { readonly release?: string } = inRelease(),
): UseQueryResult<ContentReferences> {
  return useQuery({
    queryKey: ['contents', 'references', id, place],
    queryFn: () => answer(admin.listContentReferences({ path: { id }, query: place })),
    enabled: isWanted,
    gcTime: 0,
  });
}

/** Warns of them before the asset goes. */
export function References({ query }: { query: UseQueryResult<ContentReferences> }) {
  return (
    <FoundReferences query={query}>
      {(found) => (
        <Alert color="red" variant="light" title={titleOf(found)}>
          {found.restricting !== undefined && (
            <Text size="sm">
              {countOf(found.restricting, 'asset')} {found.restricting === 1 ? 'keeps' : 'keep'} it from being
              deleted. Remove these references first.
            </Text>
          )}
          <ReferenceList found={found} />
        </Alert>
      )}
    </FoundReferences>
  );
}

/** Lists them on demand, since the search reads every type that may refer to the asset. */
export function UsedBy({ id }: { id: string }) {
  const [isOpen, { toggle }] = useDisclosure(false);
  const query = useReferences(id, isOpen);
  return (
    <Stack component="section" aria-label="Used by" gap="xs" align="flex-start">
      <Button
        variant="default"
        size="xs"
        aria-expanded={isOpen}
        leftSection={isOpen ? <OpenIcon size={16} /> : <ClosedIcon size={16} />}
        onClick={toggle}
      >
        Used by
      </Button>
      {isOpen && (
        <FoundReferences query={query}>
          {(found) => (
            <div>
              <Text size="sm">{titleOf(found)}</Text>
              <ReferenceList found={found} />
            </div>
          )}
        </FoundReferences>
      )}
    </Stack>
  );
}

function FoundReferences({
  query: { data, error, isFetching, refetch },
  children,
}: {
  query: UseQueryResult<ContentReferences>;
  children: (found: ContentReferences) => ReactNode;
}) {
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
  if (data.count === 0 && data.unsearched.length === 0)
    return <Text size="sm">No other asset refers to it.</Text>;
  return children(data);
}

/** Their number by type, and the titles of the first ones. */
function ReferenceList({ found: { count, types, items, unsearched } }: { found: ContentReferences }) {
  const nameOf = useTypeNames();
  return (
    <>
      {types.length > 0 && (
        <Text size="sm">{types.map(({ name, count }) => `${name}: ${formatNumber(count)}`).join(', ')}</Text>
      )}
      <List size="sm" my="xs">
        {items.map((asset) => (
          <List.Item key={asset._id}>
            {/* In another tab, so that a question, or what is typed, stays. */}
            <Anchor
              href={toHref(pathOfAsset(asset))}
              target="_blank"
              c="inherit"
              inherit
              underline="always"
              dir="auto"
            >
              {asset.title}
            </Anchor>{' '}
            ({nameOf(asset._type)}){asset.restricts && ', which keeps it from being deleted'}
          </List.Item>
        ))}
        {count > items.length && <List.Item>and {formatNumber(count - items.length)} more</List.Item>}
      </List>
      {unsearched.length > 0 && (
        <Text size="sm">There was not enough time to search {unsearched.map(nameOf).join(', ')}.</Text>
      )}
    </>
  );
}

function titleOf({ count, unsearched }: ContentReferences): string {
  const number = `${unsearched.length > 0 ? 'At least ' : ''}${countOf(count, 'asset')}`;
  return `${number} ${count === 1 ? 'refers' : 'refer'} to it`;
}
