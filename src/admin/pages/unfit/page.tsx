/**
 * The page of the stored assets that no longer fit their content type: which rules they break, how many, and where to repair them.
 */
import { Anchor, Button, Code, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import { Link } from 'react-router';
import type { UnfitCount, UnfitReport, UnfitRule } from '../../api.ts';
import { toHref } from '../../base-path.ts';
import { AssetName, UnknownFieldHint } from '../../parts/assets/asset-name.tsx';
import { countOf, formatNumber } from '../../parts/data/number-words.ts';
import { useTypeNames } from '../../parts/data/type-names.ts';
import { isUnknownField, pathOfRepair, pathOfUnfit, unfitReport } from '../../parts/data/unfit.ts';
import { EmptyState, Page, Section } from '../../parts/layout/page.tsx';
import { type ListColumn, ResourceList } from '../../parts/list/resource-list.tsx';
import { Loaded } from '../../parts/loading/loading.tsx';
import { ProblemAlert } from '../../parts/problems/problem-alert.tsx';
import { Ago } from '../../parts/time/ago.tsx';
import { useMayOpen } from '../../roles.ts';
import { useCount } from './use-count.ts';

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
