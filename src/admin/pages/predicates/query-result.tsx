/**
 * The result of a query.
 */
import { Code, Stack, Text } from '@mantine/core';
import type { Asset, QueryResult as Result } from '../../api.ts';
import { TypeName } from '../../parts/assets/type-name.tsx';
import type { AssetQuery } from '../../parts/data/asset-query.ts';
import { pathOfAsset, titleOf } from '../../parts/data/asset-titles.ts';
import { useContentTypes } from '../../parts/data/content-types.ts';
import { countOf, formatDuration } from '../../parts/data/number-words.ts';
import { CopyField } from '../../parts/layout/copy-field.tsx';
import { EmptyState } from '../../parts/layout/page.tsx';
import { Paging } from '../../parts/layout/paging.tsx';
import { type ListColumn, ResourceList } from '../../parts/list/resource-list.tsx';
import { Ago } from '../../parts/time/ago.tsx';

/** Shows the number of assets, the duration and one page of assets, each with its JSON. */
export function QueryResult({
  result: { count, items, ms },
  query: { offset, limit },
  onMove,
}: {
  result: Result;
  query: AssetQuery;
  onMove: (offset: number) => void;
}) {
  const types = useContentTypes(items.map(({ _type }) => _type));
  const nameOf = (asset: Asset) => titleOf(asset, types.get(asset._type));
  const columns: readonly ListColumn<Asset>[] = [
    {
      id: 'name',
      head: 'Name',
      cell: (asset) => (
        <Text span inherit display="block" maw={320} truncate title={nameOf(asset)}>
          {nameOf(asset)}
        </Text>
      ),
    },
    { id: 'type', head: 'Type', cell: ({ _type }) => <TypeName className={_type} /> },
    { id: 'published', head: 'Published', cell: (asset) => toAgo(asset['cms.content.publishDate']) },
    { id: 'updated', head: 'Updated', cell: (asset) => toAgo(asset['cms.content.updateDate']) },
    { id: 'id', head: 'ID', cell: ({ _id }) => <Code>{_id}</Code> },
  ];
  return (
    <Stack component="section" aria-label="Result" gap="xs">
      <Text size="sm" role="status">
        {countOf(count, 'asset')} in {formatDuration(ms)}
      </Text>
      {count === 0 && <EmptyState title="Nothing matches">Change the predicate, or clear it.</EmptyState>}
      {items.length > 0 && (
        <ResourceList
          label="Assets found"
          columns={columns}
          rows={items}
          isWhole={false}
          idOf={({ _id }) => _id}
          nameOf={nameOf}
          hrefOf={pathOfAsset}
          detail={{
            label: (asset) => `JSON of ${nameOf(asset)}`,
            content: (asset) => (
              <CopyField label="JSON" text={JSON.stringify(asset, null, 2)} maxHeight={480} />
            ),
          }}
        />
      )}
      {count > 0 && <Paging offset={offset} limit={limit} count={count} onMove={onMove} />}
    </Stack>
  );
}

const toAgo = (ms: unknown) => typeof ms === 'number' && <Ago ms={ms} />;
