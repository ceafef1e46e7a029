/**
 * The content types and interfaces, each with whether an endpoint reads it and writes it.
 */
import { Checkbox, Input, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { toTypeChoices } from '../../parts/data/lists.ts';
import { type ListColumn, ResourceList } from '../../parts/list/resource-list.tsx';
import { type ChoosableType, choose, chosenThrough, type TypeChoice } from './type-choice.ts';

const lists = [
  { list: 'readTypes', verb: 'Read' },
  { list: 'writeTypes', verb: 'Write' },
] as const;

/** Lists of at most this many types have no search. */
const maxUnsearched = 10;

/** A list of checkboxes; its first row is for all types. Many types can be searched. */
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
  const columns: readonly ListColumn<Row>[] = [
    { id: 'type', head: 'Type', cell: Name },
    ...lists.map(({ list, verb }) => ({
      id: list,
      head: verb,
      cell: ({ type, label }: Row) => {
        const isImplied = type !== undefined && chosenThrough(type, choice[list]) !== undefined;
        const name = type?.class ?? '*';
        return (
          <Checkbox
            aria-label={`${verb} ${type ? label : 'all types'}`}
            checked={isImplied || choice[list].includes(name)}
            disabled={isImplied}
            onChange={(event) =>
              onChange(choose(choice, types, { list, name, isChosen: event.currentTarget.checked }))
            }
          />
        );
      },
    })),
  ];
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
      <ResourceList
        label="Types to read and to write"
        columns={columns}
        rows={[allTypes, ...found.map((type) => ({ type, label: nameOf(type) }))]}
        isWhole={false}
        idOf={({ type }) => type?.class ?? '*'}
        nameOf={({ label }) => label}
        maxHeight={420}
      />
      {found.length === 0 && <Text size="sm">No type matches.</Text>}
      {error !== undefined && <Input.Error role="alert">{error}</Input.Error>}
    </Stack>
  );
}

/** A type, or all types. */
interface Row {
  readonly type?: ChoosableType;
  readonly label: string;
}

const allTypes: Row = { label: 'All types' };

function Name({ type, label }: Row) {
  return (
    <>
      <span title={type?.class}>{label}</span>
      {type?.kind === 'interface' && ' (interface)'}
      {type?.kind === 'gone' && ' (no longer there)'}
      {!type && (
        <Text span size="xs" c="dimmed">
          {' '}
          Includes types that are added later
        </Text>
      )}
    </>
  );
}
