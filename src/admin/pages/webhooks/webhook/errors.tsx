/**
 * How many of the latest deliveries met an error, by hour, or by day where they are of several days.
 */
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { WebhookDelivery } from '../../../api.ts';
import { formatNumber } from '../../../parts/data/number-words.ts';
import { FactTable } from '../../../parts/layout/fact-table.tsx';
import { Section } from '../../../parts/layout/page.tsx';
import { Loaded } from '../../../parts/loading/loading.tsx';
import { useNow } from '../../../parts/time/ago.tsx';
import { describeMoment } from '../../../parts/time/local-time.ts';
import { latestDeliveries } from '../deliveries/delivery-data.ts';

const [hourMs, dayMs] = [3_600_000, 86_400_000];
/** How many hours or days are shown. */
const maxSpans = 7;

/** The section. A delivery met an error if an attempt failed, whether or not a later one succeeded. */
export function Errors({ id }: { id: string }) {
  const nowMs = useNow();
  return (
    <Section title="Errors">
      <Loaded query={useQuery(latestDeliveries(id))} what="the latest deliveries">
        {({ items }) => (
          <>
            <Text size="sm">
              {items.length === 0
                ? 'Nothing was sent in the last 14 days.'
                : 'The latest deliveries, at most 100:'}
            </Text>
            <FactTable
              label="Errors"
              facts={groupByTime(items).map(([begin, group]) => toFact(begin, group, nowMs))}
            />
          </>
        )}
      </Loaded>
    </Section>
  );
}

/** Groups them, latest first, by the beginning of their hour or day. */
function groupByTime(items: readonly WebhookDelivery[]): (readonly [string, readonly WebhookDelivery[]])[] {
  const times = items.map(({ at }) => at);
  const isOneDay = Math.max(...times) - Math.min(...times) < dayMs;
  const beginOf = (at: number) => (isOneDay ? at - (at % hourMs) : new Date(at).setHours(0, 0, 0, 0));
  return Object.entries(Object.groupBy(items, ({ at }) => beginOf(at)))
    .map(([begin, group = []]) => [begin, group] as const)
    .toSorted(([one], [other]) => Number(other) - Number(one))
    .slice(0, maxSpans);
}

function toFact(begin: string, group: readonly WebhookDelivery[], nowMs: number) {
  const errors = group.filter(({ state, attempts }) => state !== 'delivered' || attempts > 1).length;
  const words = `${formatNumber(errors)} of ${formatNumber(group.length)} with errors`;
  return [`From ${describeMoment(Number(begin), nowMs)}`, words] as const;
}
