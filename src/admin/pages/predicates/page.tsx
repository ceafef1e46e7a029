/**
 * The page of predicates: finds assets by any predicate and shows how long the query took. The URL holds the query.
 */
import { Anchor, Code, Kbd, Stack, Text } from '@mantine/core';
import { useEffect, useMemo, useState } from 'react';
import { useSearchParams } from 'react-router';
import type { Asset, QueryResult as Result } from '../../api.ts';
import { toHref } from '../../base-path.ts';
import { TypeName } from '../../parts/assets/asset-name.tsx';
import {
  type AssetQuery,
  fromParameters,
  toCurl,
  toParameters,
  useAssets,
} from '../../parts/data/asset-query.ts';
import { useCmaUrl } from '../../parts/data/documents.ts';
import { useContentTypes } from '../../parts/data/lists.ts';
import { pathOfAsset, titleOf } from '../../parts/data/load-titles.ts';
import { countOf, formatDuration } from '../../parts/data/number-words.ts';
import { CopyField } from '../../parts/layout/copy-field.tsx';
import { EmptyState, Page } from '../../parts/layout/page.tsx';
import { Paging } from '../../parts/layout/paging.tsx';
import { type ListColumn, ResourceList } from '../../parts/list/resource-list.tsx';
import { findPredicateFlaw } from '../../parts/problems/predicate-error.tsx';
import { ProblemAlert } from '../../parts/problems/problem-alert.tsx';
import { Ago } from '../../parts/time/ago.tsx';
import { QueryForm } from './query-form.tsx';

export default function Predicates() {
  const [parameters, setParameters] = useSearchParams();
  const asked = useMemo(() => fromParameters(parameters), [parameters]);
  const [draft, setDraft] = useState(asked);
  // The address changes by going back, too.
  useEffect(() => setDraft(asked), [asked]);
  const result = useAssets(asked);
  const cmaUrl = useCmaUrl();
  const flaw = findPredicateFlaw(result.error);

  const run = (query: AssetQuery) => {
    const next = toParameters(query);
    if (next.toString() === toParameters(asked).toString()) void result.refetch();
    else setParameters(next);
  };
  return (
    <Page title="Predicates" info={<PredicateInfo />} isWide>
      <Stack gap="md">
        <QueryForm
          draft={draft}
          onChange={setDraft}
          onRun={run}
          isRunning={result.isFetching}
          flaw={flaw && { where: asked.where, ...flaw }}
        />
        {!flaw && <ProblemAlert error={result.error} title="The query did not run" />}
        {result.data && (
          <QueryResult result={result.data} query={asked} onMove={(offset) => run({ ...asked, offset })} />
        )}
        {asked.from !== '' && cmaUrl && <CopyField label="CMA request" text={toCurl(asked, cmaUrl)} />}
      </Stack>
    </Page>
  );
}

/** What a newcomer asks. */
function PredicateInfo() {
  return (
    <Stack gap="xs">
      <Text size="sm">
        A predicate is a condition that assets meet, such as <Code>name startsWith 'A'</Code>. It filters
        lists, APIs and webhooks. The guide explains{' '}
        <Anchor href={toHref('/docs/guide/predicates')} inherit underline="always">
          fields and operators
        </Anchor>
        .
      </Text>
      <Text size="sm">
        Without a predicate, all assets are found. A <Code>?</Code> stands for the next of the values.{' '}
        <Kbd>Ctrl</Kbd> or <Kbd>⌘</Kbd> + <Kbd>Enter</Kbd> runs the query.
      </Text>
    </Stack>
  );
}

/** Shows the number of assets, the duration and one page of assets, each with its JSON. */
function QueryResult({
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
