/**
 * The page that lists the assets of one type. The URL holds the search, the filter, the order, the page and its size.
 */
import { Anchor, Code, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { Link, type Params, useLocation, useParams } from 'react-router';
import type { ContentType } from '../../../api.ts';
import {
  type AssetQuery,
  fromParameters,
  toParameters,
  useAssetsAhead,
} from '../../../parts/data/asset-query.ts';
import { nameOfType } from '../../../parts/data/field-label.ts';
import { keepList } from '../../../parts/data/last-list.ts';
import { contentType } from '../../../parts/data/lists.ts';
import { pathOfTypePage } from '../../../parts/data/load-titles.ts';
import { useParameters } from '../../../parts/data/use-parameters.ts';
import { fileFieldsOf } from '../../../parts/files/file-address.ts';
import { Page } from '../../../parts/layout/page.tsx';
import { Paging } from '../../../parts/layout/paging.tsx';
import { Loaded, Loading } from '../../../parts/loading/loading.tsx';
import { findPredicateFlaw, PredicateError } from '../../../parts/problems/predicate-error.tsx';
import { ProblemAlert } from '../../../parts/problems/problem-alert.tsx';
import { useMayOpen } from '../../../roles.ts';
import { AssetTable } from './asset-table.tsx';
import { BulkBar } from './bulk/bulk-bar.tsx';
import { useColumns } from './columns.ts';
import { joinConditions, splitConditions } from './filter/conditions.ts';
import { FilterChips } from './filter/filter-chips.tsx';
import { FilterPanel } from './filter/filter-panel.tsx';
import { ListBar, PageSize, StateFilter } from './list-bar.tsx';
import {
  type ListQuery,
  pageSizes,
  readListQuery,
  toAssetQuery,
  withSort,
  writeListQuery,
} from './list-query.ts';
import { NewAssetButton, NoAssets } from './no-assets.tsx';
import { useFoundByState } from './state-filter.ts';
import { useSelection } from './use-selection.ts';
import { queryToSave } from './views/view-data.ts';
import { ViewsMenu } from './views/views-menu.tsx';

/** @public Data that is read ahead, while the mouse rests on a link to the page. */
export const readAhead = ({ type }: Readonly<Params>) => (type === undefined ? [] : [contentType(type)]);

export default function Assets() {
  const { type: name = '' } = useParams();
  const type = useQuery(contentType(name));
  return (
    <Page
      title={type.data ? nameOfType(type.data) : name}
      info={type.data && <TypeInfo type={type.data} />}
      actions={type.data && <NewAssetButton type={type.data} />}
      isWide
    >
      <Loaded query={type} what={name}>
        {(data) => <AssetBrowser key={data.class} type={data} />}
      </Loaded>
    </Page>
  );
}

/** What a developer or a newcomer asks about a type. */
function TypeInfo({ type }: { type: ContentType }) {
  return (
    <Stack gap="xs">
      <Text size="sm">{type.description ?? 'The type has no description.'}</Text>
      <Text size="sm">
        Class name: <Code>{type.class}</Code>
        {type.formerClasses && `, formerly ${type.formerClasses.join(', ')}`}
      </Text>
      <Anchor component={Link} to={pathOfTypePage(type.class)} size="sm">
        Fields, references and use
      </Anchor>
    </Stack>
  );
}

function AssetBrowser({ type }: { type: ContentType }) {
  const [parameters, changeParameters] = useParameters();
  const mayOpenQuery = useMayOpen('/admin/predicates');
  const [isFiltering, setIsFiltering] = useState(false);
  const { search } = useLocation();
  useEffect(() => keepList(type.class, search), [type.class, search]);
  const query = useMemo(() => readListQuery(parameters, type.class), [parameters, type.class]);
  const byState = useFoundByState(query.state);
  const ids = query.state === undefined ? undefined : byState.data?.ids;
  const isKnown = query.state === undefined || byState.data !== undefined;
  const sent = useMemo(() => toAssetQuery(type, query, ids), [type, query, ids]);
  const columns = useColumns(type);
  const selection = useSelection();
  const title = type.titleField;
  const fields = useMemo(
    () => [
      ...new Set([
        ...(title === undefined ? [] : [title]),
        ...fileFieldsOf(type),
        ...columns.shown.map(({ path }) => path),
      ]),
    ],
    [title, type, columns.shown],
  );
  const result = useAssetsAhead(isKnown ? sent : nothingYet, fields, byState.release);
  const flaw = findPredicateFlaw(result.error);
  const show = (next: (before: ListQuery) => ListQuery, options?: { replace: boolean }) =>
    changeParameters((before) => writeListQuery(next(readListQuery(before, type.class))), options);
  const filter = (next: (before: string) => string, isContinued = false) =>
    show((before) => ({ ...before, where: next(before.where), offset: 0 }), { replace: isContinued });
  return (
    <Stack gap={8}>
      <ListBar
        type={type}
        search={query.search}
        // One entry in the history of the browser, however many words are typed.
        onSearch={(text) =>
          show((before) => ({ ...before, search: text, offset: 0 }), { replace: query.search !== '' })
        }
        filter={{ isOpen: isFiltering, onToggle: () => setIsFiltering(!isFiltering) }}
        count={result.data?.count}
        isPartial={sent.where !== ''}
        columns={columns}
      >
        <StateFilter
          state={query.state}
          onState={(state) => show((before) => ({ ...before, state, offset: 0 }))}
        />
        <ViewsMenu
          type={type}
          columns={columns.chosen}
          query={queryToSave(parameters, type)}
          onOpen={(view) => {
            columns.choose(view.columns);
            changeParameters(() => view.parameters);
          }}
        />
      </ListBar>
      {isFiltering && (
        <FilterPanel
          type={type}
          where={query.where}
          queryPath={mayOpenQuery ? `/admin/predicates?${toParameters(sent)}` : undefined}
          onFilter={filter}
          onClose={() => setIsFiltering(false)}
        />
      )}
      {selection.items.length > 0 ? (
        <BulkBar type={type} selection={selection} found={{ query: sent, count: result.data?.count ?? 0 }} />
      ) : (
        <FilterChips
          type={type}
          where={query.where}
          onChange={(next) => filter((before) => joinConditions(next(splitConditions(before))))}
        />
      )}
      {flaw ? (
        <Text role="alert" size="sm" c="var(--mantine-color-error)" component="div">
          <PredicateError where={sent.where} flaw={flaw} />
        </Text>
      ) : (
        <ProblemAlert error={result.error} title="Could not load the assets" onRetry={result.refetch} />
      )}
      <ProblemAlert error={byState.error} title="Could not load the drafts" onRetry={byState.refetch} />
      {query.state !== undefined && byState.data?.isWhole === false && (
        <Text size="sm">There are too many drafts to look through all; some assets may be missing here.</Text>
      )}
      {result.isPending && !byState.error && <Loading />}
      {result.data && result.data.count === 0 && (
        <NoAssets type={type} isFiltered={sent.where !== ''} onClear={() => show(cleared)} />
      )}
      {result.data && result.data.count > 0 && (
        <>
          <AssetTable
            type={type}
            columns={columns.shown}
            assets={result.data.items}
            selection={selection}
            sort={sent.sort}
            onSort={(sort) => show((before) => withSort(before, sort))}
          />
          <Group gap="xs" justify="flex-end">
            {(query.offset > 0 || result.data.count > query.limit) && (
              <Paging
                offset={query.offset}
                limit={query.limit}
                count={result.data.count}
                onMove={(offset) => show((before) => ({ ...before, offset }))}
              />
            )}
            {result.data.count > smallestPage && (
              <PageSize
                limit={query.limit}
                onLimit={(limit) => show((before) => ({ ...before, limit, offset: 0 }))}
              />
            )}
          </Group>
        </>
      )}
    </Stack>
  );
}

const cleared = (before: ListQuery): ListQuery => ({
  ...before,
  where: '',
  search: '',
  state: undefined,
  offset: 0,
});

const smallestPage = Math.min(...pageSizes);

/** Asks for nothing, until it is known which assets have the state. */
const nothingYet: AssetQuery = fromParameters(new URLSearchParams());
