/**
 * The page of the stored assets that no longer fit their content type: which rules they break, how many, and where to repair them.
 */
import { Anchor, Button, Code, Group, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Fragment, useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import type { UnfitAsset, UnfitCount, UnfitReport, UnfitRule } from '../../api.ts';
import { toHref } from '../../base-path.ts';
import { AssetName, UnknownFieldHint } from '../../parts/assets/asset-name.tsx';
import { useTypeNames } from '../../parts/data/lists.ts';
import { countOf, formatNumber } from '../../parts/data/number-words.ts';
import { isUnknownField, listUnfit, pathOfRepair, pathOfUnfit, unfitReport } from '../../parts/data/unfit.ts';
import { useAction } from '../../parts/forms/busy-button.tsx';
import { EmptyState, Page, Section } from '../../parts/layout/page.tsx';
import { type ListColumn, ResourceList } from '../../parts/list/resource-list.tsx';
import { Loaded } from '../../parts/loading/loading.tsx';
import { ProblemAlert } from '../../parts/problems/problem-alert.tsx';
import { Ago } from '../../parts/time/ago.tsx';
import { useMayOpen } from '../../roles.ts';

export default function UnfitPage() {
  const mayOpenTypes = useMayOpen('/admin/types');
  const query = useQuery({ ...unfitReport, staleTime: Number.POSITIVE_INFINITY });
  return (
    <Page
      title="Assets that do not fit"
      back={
        mayOpenTypes
          ? { to: '/admin/types', label: 'Content types' }
          : { to: '/admin/content', label: 'All content' }
      }
    >
      <Text size="sm">
        These assets break a rule of their content type, because the type has changed since they were written.
        They stay readable, and keep their values until someone changes them. The guide explains{' '}
        <Anchor href={toHref('/docs/guide/content-types#changing-content-types')} inherit underline="always">
          what such content means
        </Anchor>
        .
      </Text>
      <Loaded query={query} what="assets that do not fit">
        {(report) => <Report report={report} />}
      </Loaded>
    </Page>
  );
}

function Report({ report: { items } }: { report: UnfitReport }) {
  const count = useCount();
  const unfit = items.filter((item) => item.unfit > 0);
  const uncounted = items.filter(({ countedAt }) => countedAt === undefined);
  return (
    <Stack gap="lg">
      <Group gap="sm">
        <Button variant="default" size="xs" loading={count.isPending} onClick={() => count.run(items)}>
          Count again
        </Button>
        {count.isPending && (
          <Button variant="default" size="xs" onClick={count.stop}>
            Stop
          </Button>
        )}
        <Text size="sm" role="status">
          {count.isPending &&
            `Counted ${count.progress.types} of ${items.length} types, ${countOf(count.progress.assets, 'asset')}`}
        </Text>
      </Group>
      <ProblemAlert error={count.error} title="The count was interrupted" />
      {uncounted.length > 0 && !count.isPending && (
        <Text size="sm">
          Not counted yet: {uncounted.map(({ name }) => name).join(', ')}. The server counts in the
          background.
        </Text>
      )}
      {unfit.map((item) => (
        <UnfitType key={item.class} count={item} />
      ))}
      {unfit.length === 0 && uncounted.length < items.length && (
        <EmptyState title="All counted assets fit their types">
          Assets appear here when a change of the content types leaves them behind.
        </EmptyState>
      )}
    </Stack>
  );
}

function UnfitType({ count }: { count: UnfitCount }) {
  const { unfit, assets, countedAt } = count;
  return (
    <Section title={useTypeNames()(count.class)}>
      <Text size="sm" mb="xs">
        {formatNumber(unfit)} of {countOf(assets, 'asset')}
        {countedAt !== undefined && (
          <>
            , counted <Ago ms={countedAt} />
          </>
        )}
      </Text>
      <RuleTable count={count} />
    </Section>
  );
}

/** How many examples a rule shows. */
const shownIds = 3;

/** One row for each rule, the most frequent first. */
function RuleTable({ count: { class: type, name, rules } }: { count: UnfitCount }) {
  const sorted = rules.toSorted((one, other) => other.assets - one.assets);
  const columns: readonly ListColumn<UnfitRule>[] = [
    { id: 'field', head: 'Field', cell: ({ path }) => <Code>{path}</Code> },
    {
      id: 'rule',
      head: 'Rule',
      cell: ({ message }) => (
        <>
          {message}
          {isUnknownField({ message }) && <UnknownFieldHint />}
        </>
      ),
    },
    { id: 'assets', head: 'Assets', isFigure: true, cell: ({ assets }) => formatNumber(assets) },
    {
      id: 'examples',
      head: 'Examples',
      cell: ({ path, message, ids }) =>
        ids.slice(0, shownIds).map((_id, index) => (
          <Fragment key={_id}>
            {index > 0 && ', '}
            <Anchor component={Link} to={pathOfRepair({ _id, _type: type }, { path, message })} size="sm">
              <AssetName id={_id} />
            </Anchor>
          </Fragment>
        )),
    },
  ];
  const nameOf = ({ path, message }: UnfitRule) => `${path} ${message}`;
  return (
    <ResourceList
      label={`Rules of ${name}`}
      columns={columns}
      rows={sorted}
      isWhole={false}
      idOf={nameOf}
      nameOf={nameOf}
      hrefOf={({ path, message }) => pathOfUnfit(type, { path, message })}
    />
  );
}

/** How far a count is. */
interface Progress {
  readonly types: number;
  readonly assets: number;
}

/** Runs a count at a time. Leaving the page ends it; types that are counted by then stay counted. */
function useCount() {
  const client = useQueryClient();
  const [progress, setProgress] = useState<Progress>({ types: 0, assets: 0 });
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  const action = useAction(async (types: readonly UnfitCount[]) => {
    const controller = new AbortController();
    running.current = controller;
    const { signal } = controller;
    setProgress({ types: 0, assets: 0 });
    const onProgress = (checked: number) =>
      setProgress((before) => ({ ...before, assets: before.assets + checked }));
    for (const type of types) {
      const counted = await countType(type, { signal, onProgress }).catch((error: unknown) => {
        if (signal.aborted) return undefined;
        throw error;
      });
      if (!counted) return;
      setProgress((before) => ({ ...before, types: before.types + 1 }));
      client.setQueryData(unfitReport.queryKey, (report) => replace(report, counted));
    }
  });
  return { ...action, progress, stop: () => running.current?.abort() };
}

function replace(report: UnfitReport | undefined, counted: UnfitCount): UnfitReport | undefined {
  return report && { items: report.items.map((item) => (item.class === counted.class ? counted : item)) };
}

const pageSize = 1000;
/** How many assets are named for each rule, as in the server's counts. */
const maxIds = 5;

/** Counts a type; `onProgress` is told how many assets were checked by each request. Errors: those of the API; the signal's reason. */
async function countType(
  { class: type, name }: Pick<UnfitCount, 'class' | 'name'>,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (checked: number) => void },
): Promise<UnfitCount> {
  let countedAt: number | undefined;
  const rules = new Map<string, UnfitRule>();
  let [assets, unfit] = [0, 0];
  for (let after: string | undefined; ; ) {
    const page = await listUnfit({ type, rule: undefined, after, limit: pageSize }, signal);
    for (const asset of page.items) addTo(rules, asset);
    countedAt ??= page.checkedAt;
    assets += page.checked;
    unfit += page.items.length;
    onProgress(page.checked);
    if (page.next === undefined)
      return { class: type, name, countedAt, assets, unfit, rules: [...rules.values()] };
    after = page.next;
  }
}

/** Adds an asset to the rules that it breaks; one that breaks a rule in several items of a list breaks it once. */
function addTo(rules: Map<string, UnfitRule>, { _id, problems }: UnfitAsset): void {
  const broken = new Map(
    problems.map(({ path, message }) => {
      const general = path.replace(/\[\d+\]/g, '[]');
      return [`${general} ${message}`, { path: general, message }];
    }),
  );
  for (const [key, rule] of broken) {
    const { assets, ids } = rules.get(key) ?? { assets: 0, ids: [] };
    rules.set(key, { ...rule, assets: assets + 1, ids: ids.length < maxIds ? [...ids, _id] : ids });
  }
}
