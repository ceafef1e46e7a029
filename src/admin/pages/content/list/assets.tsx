/**
 * The page that lists the assets of one type. The URL holds the filter, the order, the page and its size.
 */
import { Anchor, Button, Checkbox, Code, Group, NativeSelect, Popover, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { Link, type Params, useLocation, useParams } from 'react-router';
import type { ContentType } from '../../../api.ts';
import { type AssetQuery, toParameters } from '../../../parts/data/asset-query.ts';
import { contentType } from '../../../parts/data/content-types.ts';
import { labelOf } from '../../../parts/data/field-label.ts';
import { keepList } from '../../../parts/data/last-list.ts';
import { useAssetsAhead } from '../../../parts/data/use-assets.ts';
import { useParameters } from '../../../parts/data/use-parameters.ts';
import { fileFieldsOf } from '../../../parts/files/picture-of.ts';
import { EmptyState, Page } from '../../../parts/layout/page.tsx';
import { Paging } from '../../../parts/layout/paging.tsx';
import { Loaded } from '../../../parts/loading/loaded.tsx';
import { Loading } from '../../../parts/loading/loading.tsx';
import { findPredicateFlaw } from '../../../parts/problems/predicate-error.tsx';
import { ProblemAlert } from '../../../parts/problems/problem-alert.tsx';
import { useMayOpen } from '../../../roles.ts';
import { FieldTables } from '../types/field-tables.tsx';
import { AssetTable } from './asset-table.tsx';
import { BulkBar } from './bulk/bulk-bar.tsx';
import { AssetFilter } from './filter/asset-filter.tsx';
import { pageSizes, readListQuery, withOrder, withSort, writeListQuery } from './list-query.ts';
import { NewAssetButton } from './new-asset-button.tsx';
import { type ChosenColumns, useColumns } from './use-columns.ts';
import { useSelection } from './use-selection.ts';

const back = { to: '/admin/content', label: 'Content' };

/** @public Data that is read ahead, while the mouse rests on a link to the page. */
export const readAhead = ({ type }: Readonly<Params>) => (type === undefined ? [] : [contentType(type)]);

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

function AssetBrowser({ type }: { type: ContentType }) {
  const [parameters, changeParameters] = useParameters();
  const mayOpenQuery = useMayOpen('/admin/predicates');
  const { search } = useLocation();
  useEffect(() => keepList(type.class, search), [type.class, search]);
  const query = useMemo(() => readListQuery(parameters, type.class), [parameters, type.class]);
  const ordered = useMemo(() => withOrder(query), [query]);
  const columns = useColumns(type);
  const selection = useSelection();
  const title = type.titleField;
  const fields = useMemo(
    () => [
      ...(title === undefined ? [] : [title]),
      ...fileFieldsOf(type),
      ...columns.shown.map(({ path }) => path),
    ],
    [title, type, columns.shown],
  );
  const result = useAssetsAhead(ordered, fields);
  const flaw = findPredicateFlaw(result.error);
  const show = (next: (before: AssetQuery) => AssetQuery) =>
    changeParameters((before) => writeListQuery(next(readListQuery(before, type.class))));
  return (
    <>
      <AssetFilter
        type={type}
        where={query.where}
        flaw={flaw}
        example={title ?? '_id'}
        onFilter={(next) => show((before) => ({ ...before, where: next(before.where), offset: 0 }))}
      />
      <BulkBar type={type} selection={selection} />
      {!flaw && (
        <ProblemAlert error={result.error} title="Could not load the assets" onRetry={result.refetch} />
      )}
      {result.isPending && <Loading />}
      {result.data && result.data.count === 0 && <NoAssets type={type} isFiltered={query.where !== ''} />}
      {result.data && result.data.count > 0 && (
        <>
          <Group justify="flex-end" gap="xs">
            <PageSize
              limit={query.limit}
              onChange={(limit) => show((before) => ({ ...before, limit, offset: 0 }))}
            />
            <ColumnChoice columns={columns} />
          </Group>
          <AssetTable
            type={type}
            columns={columns.shown}
            assets={result.data.items}
            selection={selection}
            sort={ordered.sort}
            onSort={(sort) => show((before) => withSort(before, sort))}
          />
          <Paging
            offset={query.offset}
            limit={query.limit}
            count={result.data.count}
            onMove={(offset) => show((before) => ({ ...before, offset }))}
          />
        </>
      )}
      {mayOpenQuery && (
        <Text size="sm">
          <Anchor
            component={Link}
            to={`/admin/predicates?${toParameters(ordered)}`}
            size="sm"
            underline="always"
          >
            Open in Predicates
          </Anchor>
        </Text>
      )}
    </>
  );
}

function PageSize({ limit, onChange }: { limit: number; onChange: (limit: number) => void }) {
  return (
    <NativeSelect
      size="xs"
      aria-label="Assets on a page"
      value={String(limit)}
      data={pageSizes.map((size) => ({ value: String(size), label: `${size} on a page` }))}
      onChange={(event) => onChange(Number(event.currentTarget.value))}
    />
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

/** A button that opens the menu. */
function ColumnChoice({ columns: { all, shown, choose } }: { columns: ChosenColumns }) {
  const paths = shown.map(({ path }) => path);
  const turn = (path: string, isWanted: boolean) =>
    choose(isWanted ? [...paths, path] : paths.filter((each) => each !== path));
  return (
    <Popover position="bottom-end" trapFocus withRoles>
      <Popover.Target>
        <Button variant="default" size="xs">
          Columns
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Columns" mah="60vh" style={{ overflowY: 'auto' }}>
        <Stack gap={6}>
          {all.map(({ path, field }) => (
            <Checkbox
              key={path}
              size="sm"
              label={labelOf(field)}
              description={path}
              checked={paths.includes(path)}
              onChange={(event) => turn(path, event.currentTarget.checked)}
            />
          ))}
          <Button variant="default" size="xs" onClick={() => choose(undefined)}>
            Usual columns
          </Button>
          <Text size="xs" c="dimmed">
            Kept for you and this type in this browser.
          </Text>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
