/**
 * The versions in a table, two of them chosen to be compared.
 */
import { Button, Group, Radio, Table } from '@mantine/core';
import { useId } from 'react';
import type { VersionSummary } from '../../../api.ts';
import { DataTable } from '../../../parts/layout/data-table.tsx';
import { Mark } from '../../../parts/layout/mark.tsx';
import { Moment } from '../../../parts/time/moment.tsx';
import { actionWords } from './version-words.ts';

/** The table, the latest version first. */
export function VersionTable({
  versions,
  publishedNumber,
  before,
  after,
  onChoose,
  onRestore,
}: {
  versions: readonly VersionSummary[];
  publishedNumber: number | undefined;
  before: number;
  after: number;
  onChoose: (choice: { before: number } | { after: number }) => void;
  onRestore: (number: number) => void;
}) {
  const group = useId();
  const latest = versions[0]?.number;
  return (
    <DataTable label="Versions" columns={['From', 'To', 'Version', 'Action', 'When', 'By whom', 'Restore']}>
      {versions.map(({ number, action, savedAt, savedBy, savedByName }) => (
        <Table.Tr key={number}>
          <Table.Td>
            <Radio
              name={`${group}-from`}
              aria-label={`Compare from version ${number}`}
              checked={before === number}
              onChange={() => onChoose({ before: number })}
            />
          </Table.Td>
          <Table.Td>
            <Radio
              name={`${group}-to`}
              aria-label={`Compare to version ${number}`}
              checked={after === number}
              onChange={() => onChoose({ after: number })}
            />
          </Table.Td>
          <Table.Td>
            <Group gap="xs" wrap="nowrap">
              <span>{number}</span>
              {number === latest && <Mark>Draft</Mark>}
              {number === publishedNumber && <Mark color="green">Published</Mark>}
            </Group>
          </Table.Td>
          <Table.Td tt="capitalize">{actionWords[action]}</Table.Td>
          <Table.Td>
            <Moment ms={savedAt} />
          </Table.Td>
          <Table.Td>{savedByName ?? savedBy}</Table.Td>
          <Table.Td>
            {number !== latest && (
              <Button
                size="compact-xs"
                variant="default"
                onClick={() => onRestore(number)}
                aria-label={`Restore version ${number}`}
              >
                Restore
              </Button>
            )}
          </Table.Td>
        </Table.Tr>
      ))}
    </DataTable>
  );
}
