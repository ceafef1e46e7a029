/**
 * The renamed fields that are stored under former names, and the backfill that gives stored values their present names.
 */
import { Alert, Code, Group, Progress, Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { TypesBackfill } from '../../../api.ts';
import { CopyField } from '../../../parts/layout/copy-field.tsx';
import { DataTable } from '../../../parts/layout/data-table.tsx';
import { Mark } from '../../../parts/layout/mark.tsx';
import { Section } from '../../../parts/layout/page.tsx';
import { ProblemAlert } from '../../../parts/problems/problem-alert.tsx';
import { typesBackfill } from './backfill-data.ts';
import { nextCommands, phaseWords } from './backfill-words.ts';

/** The section; nothing while no field is or was stored under a former name. */
export function Backfill() {
  const { data, error, refetch } = useQuery(typesBackfill);
  if (!data && !error) return null;
  if (data?.fields.length === 0) return null;
  return (
    <Section title="Renamed fields">
      <Stack gap="sm">
        <ProblemAlert error={error} title="The state of renamed fields could not be read" onRetry={refetch} />
        {data && <BackfillState backfill={data} />}
      </Stack>
    </Section>
  );
}

function BackfillState({ backfill }: { backfill: TypesBackfill }) {
  const { label, color, text } = phaseWords[backfill.phase];
  const commands = backfill.isRunning ? [] : nextCommands(backfill);
  return (
    <>
      <Group gap="sm" role="status">
        <Mark color={color}>{label}</Mark>
        <Text size="sm">{text}</Text>
      </Group>
      <PhaseProgress backfill={backfill} />
      <BlockingServers backfill={backfill} />
      <FieldTable backfill={backfill} />
      {commands.map(({ label: title, command }) => (
        <CopyField key={command} label={title} text={command} />
      ))}
    </>
  );
}

function PhaseProgress({ backfill: { progress, isRunning } }: { backfill: TypesBackfill }) {
  if (!progress) return null;
  const { visited, rewritten, total, type } = progress;
  return (
    <Alert
      color={isRunning ? 'blue' : 'orange'}
      variant="light"
      title={isRunning ? 'A process is at work' : 'Interrupted'}
    >
      <Text size="sm" mb="xs">
        {formatCount(visited)} of {formatCount(total)} assets read, {formatCount(rewritten)} of them written
        {type !== undefined && `, now in ${type}`}.
      </Text>
      <Progress value={(100 * visited) / Math.max(total, visited, 1)} aria-label="Assets read" />
    </Alert>
  );
}

function BlockingServers({ backfill: { blockedBy } }: { backfill: TypesBackfill }) {
  if (!blockedBy) return null;
  const { servers, folders } = blockedBy;
  return (
    <Alert
      color="orange"
      variant="light"
      title={servers === 1 ? '1 server has former types' : `${servers} servers have former types`}
    >
      <Text size="sm">
        Stop {servers === 1 ? 'it' : 'them'}, or start {servers === 1 ? 'it' : 'them'} with the present types,
        before the next step.
        {folders.length > 0 && ` Folders of former types: ${folders.join(', ')}.`}
      </Text>
    </Alert>
  );
}

function FieldTable({ backfill: { fields, types } }: { backfill: TypesBackfill }) {
  const assets = new Map(types.map((one) => [one.type, one.assets]));
  return (
    <DataTable
      label="Renamed fields"
      columns={['Content type', 'Former name', 'Present name', 'Assets']}
      maxHeight={480}
    >
      {fields.map(({ type, formerPath, path }) => {
        const count = assets.get(type);
        return (
          <Table.Tr key={`${type} ${formerPath}`}>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>{type}</Table.Td>
            <Table.Td>
              <Code>{formerPath}</Code>
            </Table.Td>
            <Table.Td>
              <Code>{path}</Code>
            </Table.Td>
            <Table.Td>{count === undefined ? '' : formatCount(count)}</Table.Td>
          </Table.Tr>
        );
      })}
    </DataTable>
  );
}

const formatCount = (count: number) => new Intl.NumberFormat().format(count);
