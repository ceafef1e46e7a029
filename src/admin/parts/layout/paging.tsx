/**
 * Steps through the pages of a list.
 */
import { Button, Group, Text } from '@mantine/core';
import { formatNumber } from '../data/number-words.ts';

/** Buttons for the pages of `count` things, of which `limit` are shown from `offset` on. */
export function Paging({
  offset,
  limit,
  count,
  onMove,
  label = 'Pages',
}: {
  offset: number;
  limit: number;
  count: number;
  onMove: (offset: number) => void;
  /** Tells screen readers what the pages are of. */
  label?: string;
}) {
  const end = Math.min(offset + limit, count);
  const last = limit > 0 ? Math.max(0, Math.ceil(count / limit) - 1) * limit : 0;
  const steps = [
    { label: 'First', to: 0, isThere: offset > 0 },
    { label: 'Previous', to: Math.max(0, offset - limit), isThere: offset > 0 },
    { label: 'Next', to: offset + limit, isThere: limit > 0 && end < count },
    { label: 'Last', to: last, isThere: limit > 0 && end < count },
  ];
  return (
    <Group component="nav" aria-label={label} justify="space-between" gap="xs">
      <Text size="sm" aria-live="polite">
        {end > offset
          ? `${formatNumber(offset + 1)} to ${formatNumber(end)} of ${formatNumber(count)}`
          : `None of ${formatNumber(count)} here`}
      </Text>
      <Button.Group>
        {steps.map(({ label, to, isThere }) => (
          <Button key={label} variant="default" size="xs" disabled={!isThere} onClick={() => onMove(to)}>
            {label}
          </Button>
        ))}
      </Button.Group>
    </Group>
  );
}
