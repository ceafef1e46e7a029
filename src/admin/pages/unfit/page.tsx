/**
 * The page of the stored assets that no longer fit their content type: which rules they break, how many, and where to repair them.
 */
import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { UnfitCount, UnfitReport } from '../../api.ts';
import { toHref } from '../../base-path.ts';
import { unfitReport } from '../../parts/data/unfit.ts';
import { EmptyState, Page, Section } from '../../parts/layout/page.tsx';
import { Loaded } from '../../parts/loading/loaded.tsx';
import { ProblemAlert } from '../../parts/problems/problem-alert.tsx';
import { Moment } from '../../parts/time/moment.tsx';
import { useMay } from '../../roles.ts';
import { RuleTable } from './rule-table.tsx';
import { useCount } from './use-count.ts';

export default function UnfitPage() {
  const mayOpenTypes = useMay('developer');
  const query = useQuery({ ...unfitReport, staleTime: Number.POSITIVE_INFINITY });
  return (
    <Page
      title="Assets that do not fit"
      back={
        mayOpenTypes
          ? { to: '/admin/types', label: 'Content types' }
          : { to: '/admin/content', label: 'Content' }
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
        <Button variant="default" loading={count.isPending} onClick={() => count.run(items)}>
          Count again
        </Button>
        {count.isPending && (
          <Button variant="default" onClick={count.stop}>
            Stop
          </Button>
        )}
        <Text size="sm" role="status">
          {count.isPending &&
            `Counted ${count.progress.types} of ${items.length} types, ${count.progress.assets} assets`}
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
  const { name, unfit, assets, countedAt } = count;
  return (
    <Section title={name}>
      <Text size="sm" mb="xs">
        {unfit} of {assets} assets
        {countedAt !== undefined && (
          <>
            , counted <Moment ms={countedAt} withSeconds />
          </>
        )}
      </Text>
      <RuleTable count={count} />
    </Section>
  );
}
