/**
 * Tables of the fields of a type and of its embedded types, collapsed at first.
 */
import { Button, Code, Collapse, Stack, Table, Text } from '@mantine/core';
import { useDisclosure, useId } from '@mantine/hooks';
import type { ContentType, Field } from '../../../api.ts';
import {
  describeChanges,
  describeConstraint,
  describeIndexes,
  describeType,
} from '../../../parts/data/describe-field.ts';
import { DataTable } from '../../../parts/layout/data-table.tsx';

/** A button that shows and hides the tables. */
export function FieldTables({ type }: { type: ContentType }) {
  const [isOpen, { toggle }] = useDisclosure(false);
  const id = useId();
  return (
    <div>
      <Button variant="default" size="xs" aria-expanded={isOpen} aria-controls={id} onClick={toggle}>
        {isOpen ? 'Hide' : 'Show'} the {type.fields.length} fields
      </Button>
      <Collapse expanded={isOpen} id={id}>
        <Stack mt="sm">
          <FieldTable label={`Fields of ${type.name}`} fields={type.fields} />
          {type.keys?.map((names) => (
            <Text key={names.join()} size="sm">
              Unique together: <Code>{names.join(', ')}</Code>
            </Text>
          ))}
          {type.inverses?.map(({ graphqlName, target, field }) => (
            <Text key={graphqlName} size="sm">
              <Code>{graphqlName}</Code> in GraphQL lists the assets of {target} by their <Code>{field}</Code>
            </Text>
          ))}
          {type.embeddedTypes.map(({ name, kinds, fields }) => (
            <div key={name}>
              <Text fw={600}>
                {name}, {kinds ? `blocks: ${kinds.join(', ')}` : 'embedded'}
              </Text>
              <FieldTable label={`Fields of ${name}`} fields={fields} />
            </div>
          ))}
        </Stack>
      </Collapse>
    </div>
  );
}

function FieldTable({ label, fields }: { label: string; fields: readonly Field[] }) {
  return (
    <DataTable label={label} columns={['Field', 'Type', 'Index', 'Limits', 'Description']}>
      {fields.map((field) => (
        <Table.Tr key={field.name}>
          <Table.Td>
            <Code>{field.name}</Code>
          </Table.Td>
          <Table.Td>
            <Code>{describeType(field)}</Code>
          </Table.Td>
          <Table.Td>{describeIndexes(field)}</Table.Td>
          <Table.Td>{describeConstraint(field)}</Table.Td>
          <Table.Td>
            {field.description}
            {describeChanges(field).map((sentence) => (
              <Text key={sentence} size="xs" c="dimmed">
                {sentence}
              </Text>
            ))}
          </Table.Td>
        </Table.Tr>
      ))}
    </DataTable>
  );
}
