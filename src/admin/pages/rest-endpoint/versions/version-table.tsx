/**
 * The versions in a list, two of them chosen to be compared.
 */
import { Group, Radio, Text } from '@mantine/core';
import { useId } from 'react';
import type { VersionSummary } from '../../../api.ts';
import { Mark } from '../../../parts/layout/mark.tsx';
import { type ListColumn, ResourceList } from '../../../parts/list/resource-list.tsx';
import { Ago } from '../../../parts/time/ago.tsx';
import { actionWords } from './version-words.ts';

/** The list, the latest version first. */
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
  const choice = (place: 'from' | 'to', chosen: number, choose: (number: number) => void) => ({
    id: place,
    head: { from: 'From', to: 'To' }[place],
    cell: ({ number }: VersionSummary) => (
      <Radio
        name={`${group}-${place}`}
        aria-label={`Compare ${place} version ${number}`}
        checked={chosen === number}
        onChange={() => choose(number)}
      />
    ),
  });
  const columns: readonly ListColumn<VersionSummary>[] = [
    {
      id: 'version',
      head: 'Version',
      cell: ({ number }) => (
        <Group gap="xs" wrap="nowrap">
          <span>{number}</span>
          {number === latest && <Mark>Draft</Mark>}
          {number === publishedNumber && <Mark color="green">Published</Mark>}
        </Group>
      ),
    },
    choice('from', before, (number) => onChoose({ before: number })),
    choice('to', after, (number) => onChoose({ after: number })),
    {
      id: 'action',
      head: 'Action',
      cell: ({ action }) => (
        <Text span inherit tt="capitalize">
          {actionWords[action]}
        </Text>
      ),
    },
    { id: 'when', head: 'When', cell: ({ savedAt }) => <Ago ms={savedAt} /> },
    { id: 'who', head: 'By whom', cell: ({ savedBy, savedByName }) => savedByName ?? savedBy },
  ];
  return (
    <ResourceList
      label="Versions"
      columns={columns}
      rows={versions}
      isWhole={false}
      idOf={({ number }) => String(number)}
      nameOf={({ number }) => `version ${number}`}
      menuOf={({ number }) =>
        number === latest ? [] : [{ label: 'Restore…', run: () => onRestore(number) }]
      }
    />
  );
}
