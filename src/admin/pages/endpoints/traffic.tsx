/**
 * The requests of the last hour in tables.
 */
import { Table, Text } from '@mantine/core';
import { countOf, formatDuration, formatNumber } from '../../parts/data/number-words.ts';
import { describeTime } from '../../parts/time/local-time.ts';

/** The heads of the columns. */
export const trafficColumns = ['Requests', 'Errors', 'Median'] as const;

/** The cells of these columns. */
export function TrafficCells({
  traffic: { requests, errors, medianMs },
}: {
  traffic: { readonly requests: number; readonly errors: number; readonly medianMs?: number | undefined };
}) {
  const color = requests === 0 ? 'dimmed' : 'inherit';
  return (
    <>
      <Table.Td c={color}>{formatNumber(requests)}</Table.Td>
      <Table.Td c={color} fw={errors > 0 ? 600 : undefined}>
        {formatNumber(errors)}
      </Table.Td>
      <Table.Td c={color}>{medianMs === undefined ? '–' : formatDuration(medianMs)}</Table.Td>
    </>
  );
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
