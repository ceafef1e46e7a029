/**
 * The requests of the last hour in lists.
 */
import { Text } from '@mantine/core';
import { countOf, formatDuration, formatNumber } from '../../parts/data/number-words.ts';
import type { ListColumn } from '../../parts/list/resource-list.tsx';
import { describeTime } from '../../parts/time/local-time.ts';

/** The requests of an endpoint or a route. */
export interface Traffic {
  readonly requests: number;
  readonly errors: number;
  readonly medianMs?: number | undefined;
}

/** The median time, a dash without requests. */
export const describeMedian = ({ medianMs }: Traffic) =>
  medianMs === undefined ? '–' : formatDuration(medianMs);

/** The columns of the figures. Those of a list that the server sorts `isSorted` by their heads. */
export function trafficColumns(isSorted = false): readonly ListColumn<Traffic>[] {
  const figures = [
    { id: 'requests', head: 'Requests', shown: ({ requests }: Traffic) => formatNumber(requests) },
    { id: 'errors', head: 'Errors', shown: ({ errors }: Traffic) => formatNumber(errors) },
    { id: 'medianMs', head: 'Median', shown: describeMedian },
  ];
  return figures.map(({ id, head, shown }) => ({
    id,
    head,
    isFigure: true,
    ...(isSorted && { value: () => '' }),
    cell: (traffic) => (
      <Text
        span
        inherit
        {...(traffic.requests === 0 && { c: 'dimmed' })}
        {...(id === 'errors' && traffic.errors > 0 && { c: 'var(--mantine-color-error)', fw: 600 })}
      >
        {shown(traffic)}
      </Text>
    ),
  }));
}

/** What the numbers cover. */
export function TrafficNote({ since, uncounted }: { since: number; uncounted: number }) {
  return (
    <Text size="xs" c="dimmed">
      Requests, errors and median time are those of this server since {describeTime(since)}, at most an hour
      ago.
      {uncounted > 0 &&
        ` ${countOf(uncounted, 'request')} of that time are missing: there are too many routes to count each.`}
    </Text>
  );
}
