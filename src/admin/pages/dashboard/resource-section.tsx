/**
 * A section of the dashboard: the table of one kind of resource, or how to create the first one.
 */
import { Anchor, Button, Table } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { DataTable } from '../../parts/layout/data-table.tsx';
import { EmptyState, Section } from '../../parts/layout/page.tsx';
import { Loaded } from '../../parts/loading/loaded.tsx';

/** A section with a button that creates a resource. `toCells` returns the cells of an item in the order of `columns`. */
export function ResourceSection<Item>({
  title,
  query,
  create,
  empty,
  columns,
  toKey,
  toCells,
}: {
  title: string;
  query: UseQueryResult<{ items: readonly Item[] }>;
  create: { to: string; label: string };
  empty: { title: string; advice: ReactNode };
  columns: readonly string[];
  toKey: (item: Item) => string;
  toCells: (item: Item) => readonly ReactNode[];
}) {
  const button = (
    <Button component={Link} to={create.to} size="xs">
      {create.label}
    </Button>
  );
  return (
    <Section title={title} actions={button}>
      <Loaded query={query} what={title}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState title={empty.title}>{empty.advice}</EmptyState>
          ) : (
            <DataTable label={title} columns={columns}>
              {items.map((item) => (
                <Table.Tr key={toKey(item)}>
                  {toCells(item).map((cell, index) => (
                    <Table.Td key={columns[index]}>{cell}</Table.Td>
                  ))}
                </Table.Tr>
              ))}
            </DataTable>
          )
        }
      </Loaded>
    </Section>
  );
}

/** The name of a resource as a link to its page. */
export function NameLink({ to, name }: { to: string; name: string }) {
  return (
    <Anchor component={Link} to={to} fw={500} size="sm">
      {name}
    </Anchor>
  );
}
