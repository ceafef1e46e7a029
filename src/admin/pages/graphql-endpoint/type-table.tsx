/**
 * The content types and interfaces, each with whether an endpoint reads it and writes it.
 */
import { Checkbox, Input, Stack, Table, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { toTypeChoices } from '../../parts/data/type-names.ts';
import { DataTable } from '../../parts/layout/data-table.tsx';
import { type ChoosableType, choose, chosenThrough, type TypeChoice, type TypeList } from './type-choice.ts';

const lists = [
  { list: 'readTypes', verb: 'Read' },
  { list: 'writeTypes', verb: 'Write' },
] as const;

/** Tables of at most this many types have no search. */
const maxUnsearched = 10;

/** A table of checkboxes; its first row is for all types. Many types can be searched. */
export function TypeTable({
  types,
  choice,
  onChange,
  error,
}: {
  types: readonly ChoosableType[];
  choice: TypeChoice;
  onChange: (choice: TypeChoice) => void;
  error: string | undefined;
}) {
  const [search, setSearch] = useState('');
  const text = search.trim().toLowerCase();
  const names = new Map(toTypeChoices(types).map(({ value, label }) => [value, label]));
  const nameOf = ({ class: className, name }: ChoosableType) => names.get(className) ?? name;
  const found = types
    .filter((type) => [type.class, type.name, nameOf(type)].some((word) => word.toLowerCase().includes(text)))
    .toSorted((one, other) => nameOf(one).localeCompare(nameOf(other)));
  const onChoose: OnChoose = (chosen) => onChange(choose(choice, types, chosen));
  return (
    <Stack gap="xs" role="group" aria-label="Content types">
      {types.length > maxUnsearched && (
        <TextInput
          label="Find a type"
          type="search"
          autoComplete="off"
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      )}
      <DataTable
        label="Types to read and to write"
        columns={['Type', 'Read', 'Write']}
        minWidth={320}
        maxHeight={420}
      >
        <AllRow choice={choice} onChoose={onChoose} />
        {found.map((type) => (
          <TypeRow key={type.class} type={type} label={nameOf(type)} choice={choice} onChoose={onChoose} />
        ))}
      </DataTable>
      {found.length === 0 && <Text size="sm">No type matches.</Text>}
      {error !== undefined && <Input.Error role="alert">{error}</Input.Error>}
    </Stack>
  );
}

type OnChoose = (chosen: { list: TypeList; name: string; isChosen: boolean }) => void;

function AllRow({ choice, onChoose }: { choice: TypeChoice; onChoose: OnChoose }) {
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm" fw={600}>
          All types
        </Text>
        <Text size="xs" c="dimmed">
          Includes types that are added later
        </Text>
      </Table.Td>
      {lists.map(({ list, verb }) => (
        <Table.Td key={list}>
          <Checkbox
            aria-label={`${verb} all types`}
            checked={choice[list].includes('*')}
            onChange={(event) => onChoose({ list, name: '*', isChosen: event.currentTarget.checked })}
          />
        </Table.Td>
      ))}
    </Table.Tr>
  );
}

function TypeRow({
  type,
  label,
  choice,
  onChoose,
}: {
  type: ChoosableType;
  label: string;
  choice: TypeChoice;
  onChoose: OnChoose;
}) {
  const { class: name } = type;
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm" title={name} style={{ overflowWrap: 'anywhere' }}>
          {label}
          {type.kind === 'interface' && ' (interface)'}
          {type.kind === 'gone' && ' (no longer there)'}
        </Text>
      </Table.Td>
      {lists.map(({ list, verb }) => {
        const isImplied = chosenThrough(type, choice[list]) !== undefined;
        return (
          <Table.Td key={list}>
            <Checkbox
              aria-label={`${verb} ${label}`}
              checked={isImplied || choice[list].includes(name)}
              disabled={isImplied}
              onChange={(event) => onChoose({ list, name, isChosen: event.currentTarget.checked })}
            />
          </Table.Td>
        );
      })}
    </Table.Tr>
  );
}
