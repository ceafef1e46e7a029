/**
 * A table of facts about one thing.
 */
import { Table } from '@mantine/core';
import type { ReactNode } from 'react';

/** What a fact is called, and its value; without one, the fact is not shown. */
export type Fact = readonly [name: string, value: ReactNode];

/** The facts, one in each row. */
export function FactTable({ facts, label = 'Facts' }: { facts: readonly Fact[]; label?: string }) {
  return (
    <Table aria-label={label} withRowBorders={false} verticalSpacing={4} w="auto">
      <Table.Tbody>
        {facts
          .filter(([, value]) => value !== undefined && value !== false)
          .map(([name, value]) => (
            <Table.Tr key={name}>
              <Table.Th scope="row" w={140} pl={0} fw={400} c="dimmed" style={{ verticalAlign: 'top' }}>
                {name}
              </Table.Th>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{value}</Table.Td>
            </Table.Tr>
          ))}
      </Table.Tbody>
    </Table>
  );
}
