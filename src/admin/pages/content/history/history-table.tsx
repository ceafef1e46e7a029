/**
 * The changes of an asset in a table, one of them chosen.
 */
import { Radio, Table, Text } from '@mantine/core';
import { useId } from 'react';
import type { ContentChange, ContentType } from '../../../api.ts';
import { actionWords } from '../../../parts/changes/action-words.ts';
import { ActorName } from '../../../parts/changes/actor-name.tsx';
import { RunLink } from '../../../parts/changes/run-link.tsx';
import { labelOfPath } from '../../../parts/data/field-label.ts';
import { DataTable } from '../../../parts/layout/data-table.tsx';
import { describeTime } from '../../../parts/time/local-time.ts';
import { Moment } from '../../../parts/time/moment.tsx';

/** The table, the newest change first. The arrow keys go from one change to the next. */
export function HistoryTable({
  type,
  changes,
  chosen,
  onChoose,
}: {
  type: ContentType;
  changes: readonly ContentChange[];
  chosen: ContentChange | undefined;
  onChoose: (change: ContentChange) => void;
}) {
  const group = useId();
  return (
    <DataTable label="Changes" columns={['Show', 'When', 'Who', 'Change', 'Fields', 'Run']} maxHeight={420}>
      {changes.map((change) => (
        <Table.Tr
          key={change.id}
          {...(change === chosen && { bg: 'var(--mantine-color-default-hover)' })}
          onClick={() => onChoose(change)}
        >
          <Table.Td>
            <Radio
              name={group}
              aria-label={`Show the change of ${describeTime(change.at, { withSeconds: true })}`}
              checked={change === chosen}
              onChange={() => onChoose(change)}
            />
          </Table.Td>
          <Table.Td>
            <Moment ms={change.at} withSeconds />
          </Table.Td>
          <Table.Td>
            <ActorName actor={change.by} />
          </Table.Td>
          <Table.Td>{actionWords[change.action]}</Table.Td>
          <Table.Td>
            <ChangedFields names={change.changed} type={type} />
          </Table.Td>
          <Table.Td>
            <RunLink name={change.run} />
          </Table.Td>
        </Table.Tr>
      ))}
    </DataTable>
  );
}

const maxNames = 6;

/** The names in one line, without the date of the change, which every change sets. */
function ChangedFields({ names, type }: { names: readonly string[]; type: ContentType }) {
  const shown = names.filter((name) => name !== 'cms.content.updateDate');
  const rest = shown.length - maxNames;
  return (
    <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
      {shown
        .slice(0, maxNames)
        .map((name) => labelOfPath(type, name))
        .join(', ')}
      {rest > 0 && ` and ${rest} more`}
    </Text>
  );
}
