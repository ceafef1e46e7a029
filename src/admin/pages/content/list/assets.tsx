/**
 * The page that lists the assets of one type. The URL holds the filter, the order and the page.
 */
import { Anchor, Code, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Link, useParams, useSearchParams } from 'react-router';
import type { ContentType } from '../../../api.ts';
import { type AssetQuery, fromParameters, toParameters } from '../../../parts/data/asset-query.ts';
import { findTitleField } from '../../../parts/data/asset-titles.ts';
import { contentType } from '../../../parts/data/content-types.ts';
import { useAssets } from '../../../parts/data/use-assets.ts';
import { EmptyState, Page } from '../../../parts/layout/page.tsx';
import { Paging } from '../../../parts/layout/paging.tsx';
import { Loaded } from '../../../parts/loading/loaded.tsx';
import { Loading } from '../../../parts/loading/loading.tsx';
import { findPredicateFlaw } from '../../../parts/problems/predicate-error.tsx';
import { ProblemAlert } from '../../../parts/problems/problem-alert.tsx';
import { useMay } from '../../../roles.ts';
import { FieldTables } from '../types/field-tables.tsx';
import { AssetFilter } from './asset-filter.tsx';
import { AssetTable } from './asset-table.tsx';
import { chooseColumns } from './columns.ts';
import { NewAssetButton } from './new-asset-button.tsx';

const back = { to: '/admin/content', label: 'Content' };

export default function Assets() {
  const { type: name = '' } = useParams();
  const type = useQuery(contentType(name));
  return (
    <Page
      title={type.data?.name ?? name}
      back={back}
      actions={type.data && <NewAssetButton type={type.data} />}
    >
      <Loaded query={type} what={name}>
        {(data) => (
          <Stack gap="lg">
            <div>
              <Code>{data.class}</Code>
              <Text size="sm" mt={4}>
                {data.description}
              </Text>
            </div>
            <FieldTables type={data} />
            <AssetBrowser key={data.class} type={data} />
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

const pageSize = 20;

function AssetBrowser({ type }: { type: ContentType }) {
  const [parameters, setParameters] = useSearchParams();
  const mayOpenQuery = useMay('developer');
  const query = useMemo(
    () => ({ ...fromParameters(parameters), from: type.class, limit: pageSize }),
    [parameters, type.class],
  );
  const result = useAssets(
    query,
    chooseColumns(type).map(({ name }) => name),
  );
  const flaw = findPredicateFlaw(result.error);
  // The address names the type already, and all pages are of one size.
  const show = (next: AssetQuery) => {
    const shown = toParameters(next);
    shown.delete('from');
    shown.delete('limit');
    setParameters(shown);
  };
  return (
    <>
      <AssetFilter
        where={query.where}
        flaw={flaw}
        example={findTitleField(type)?.name ?? '_id'}
        onFilter={(where) => show({ ...query, where, offset: 0 })}
      />
      {!flaw && (
        <ProblemAlert error={result.error} title="Could not load the assets" onRetry={result.refetch} />
      )}
      {result.isPending && <Loading />}
      {result.data && result.data.count === 0 && <NoAssets type={type} isFiltered={query.where !== ''} />}
      {result.data && result.data.count > 0 && (
        <>
          <AssetTable
            type={type}
            assets={result.data.items}
            sort={query.sort}
            onSort={(sort) => show({ ...query, sort, offset: 0 })}
          />
          <Paging
            offset={query.offset}
            limit={query.limit}
            count={result.data.count}
            onMove={(offset) => show({ ...query, offset })}
          />
        </>
      )}
      {mayOpenQuery && (
        <Text size="sm">
          <Anchor component={Link} to={`/_debug/query?${toParameters(query)}`} size="sm" underline="always">
            Open as a query
          </Anchor>
        </Text>
      )}
    </>
  );
}

function NoAssets({ type, isFiltered }: { type: ContentType; isFiltered: boolean }) {
  if (isFiltered) {
    return <EmptyState title="Nothing matches">Change the filter, or clear it to see all assets.</EmptyState>;
  }
  return (
    <EmptyState title={`No assets of type ${type.name} yet`}>
      <Group justify="center" mt="sm">
        <NewAssetButton type={type} />
      </Group>
    </EmptyState>
  );
}
