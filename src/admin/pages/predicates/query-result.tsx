/**
 * The result of a query.
 */
import { ActionIcon, Anchor, Code, Stack, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import type { Asset, ContentType, QueryResult as Result } from '../../api.ts';
import { TypeName } from '../../parts/assets/type-name.tsx';
import type { AssetQuery } from '../../parts/data/asset-query.ts';
import { pathOfAsset, titleOf } from '../../parts/data/asset-titles.ts';
import { useContentTypes } from '../../parts/data/content-types.ts';
import { countOf, formatDuration } from '../../parts/data/number-words.ts';
import { CopyField } from '../../parts/layout/copy-field.tsx';
import { DataTable } from '../../parts/layout/data-table.tsx';
import { EmptyState } from '../../parts/layout/page.tsx';
import { Paging } from '../../parts/layout/paging.tsx';
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
  return (
    <Stack component="section" aria-label="Result" gap="xs">
      <Text size="sm" role="status">
        {countOf(count, 'asset')} in {formatDuration(ms)}
      </Text>
      {count === 0 && <EmptyState title="Nothing matches">Change the predicate, or clear it.</EmptyState>}
      {items.length > 0 && (
        <DataTable label="Assets found" columns={columns} minWidth={860}>
          {items.map((asset) => (
            <AssetRows key={asset._id} asset={asset} type={types.get(asset._type)} />
          ))}
        </DataTable>
      )}
      {count > 0 && <Paging offset={offset} limit={limit} count={count} onMove={onMove} />}
    </Stack>
  );
}

const columns = ['JSON', 'Name', 'Type', 'Published', 'Updated', 'ID'];

function AssetRows({ asset, type }: { asset: Asset; type: ContentType | undefined }) {
  const [isOpen, setIsOpen] = useState(false);
  const title = titleOf(asset, type);
  return (
    <>
      <Table.Tr>
        <Table.Td>
          <ActionIcon
            variant="default"
            size="sm"
            aria-expanded={isOpen}
            aria-label={`JSON of ${title}`}
            onClick={() => setIsOpen(!isOpen)}
          >
            <span aria-hidden>{isOpen ? '−' : '+'}</span>
          </ActionIcon>
        </Table.Td>
        <Table.Td miw={200} maw={320}>
          <Anchor component={Link} dir="auto" to={pathOfAsset(asset)} size="sm" lineClamp={2}>
            {title}
          </Anchor>
        </Table.Td>
        <Table.Td>
          <TypeName className={asset._type} />
        </Table.Td>
        <DateCell ms={asset['cms.content.publishDate']} />
        <DateCell ms={asset['cms.content.updateDate']} />
        <Table.Td>
          <Code style={{ whiteSpace: 'nowrap' }}>{asset._id}</Code>
        </Table.Td>
      </Table.Tr>
      {isOpen && (
        <Table.Tr>
          <Table.Td colSpan={columns.length} maw={0}>
            <CopyField label="JSON" text={JSON.stringify(asset, null, 2)} maxHeight={480} />
          </Table.Td>
        </Table.Tr>
      )}
    </>
  );
}

function DateCell({ ms }: { ms: unknown }) {
  return <Table.Td>{typeof ms === 'number' && <Ago ms={ms} />}</Table.Td>;
}
