/**
 * The fields of a schema. What is inside a field is read and drawn when it is opened, so that types that contain themselves have
 * an end.
 */
import { Anchor, Box, Code, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import type { OpenApiDocument } from '../../parts/data/documents.ts';
import { Description } from './description.tsx';
import { type Json, resolve, toText } from './read-document.ts';
import {
  describeRules,
  describeType,
  enumOf,
  findContent,
  hasContent,
  type SchemaField,
} from './schema-words.ts';

/** The fields and the alternatives of values of `schema`. */
export function SchemaView({ document, schema }: { document: OpenApiDocument; schema: Json }) {
  const { fields, choices } = findContent(document, schema);
  return (
    <Stack gap="sm" pl="sm" style={{ borderLeft: '2px solid var(--mantine-color-default-border)' }}>
      {fields.map((field) => (
        <FieldView key={field.name} document={document} field={field} />
      ))}
      {choices.map((choice) => (
        <Opened key={choice.name} label={choice.name}>
          <SchemaView document={document} schema={choice.schema} />
        </Opened>
      ))}
    </Stack>
  );
}

/** What values of a schema are: type, rules, listed values and description. */
export function ValueWords({ document, schema }: { document: OpenApiDocument; schema: Json }) {
  const found = resolve(document, schema);
  const values = enumOf(found);
  return (
    <>
      <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {[describeType(schema), ...describeRules(found)].join(' · ')}
      </Text>
      {values.length > 0 && (
        <Text size="xs" c="dimmed" maw={760} style={{ overflowWrap: 'anywhere' }}>
          One of: {values.map(String).join(', ')}
        </Text>
      )}
    </>
  );
}

function FieldView({ document, field }: { document: OpenApiDocument; field: SchemaField }) {
  const { name, isRequired, schema } = field;
  const found = resolve(document, schema);
  return (
    <Box>
      <Group gap="xs">
        <Code fw={600} style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Code>
        {isRequired && (
          <Text size="xs" c="dimmed">
            required
          </Text>
        )}
      </Group>
      <ValueWords document={document} schema={schema} />
      <Description text={toText(found.description)} />
      {hasContent(findContent(document, schema)) && (
        <Opened label={`Fields of ${name === '*' ? 'each value' : name}`}>
          <SchemaView document={document} schema={schema} />
        </Opened>
      )}
    </Box>
  );
}

/** A part that a click opens; it is drawn when it is opened. */
export function Opened({ label, children }: { label: string; children: ReactNode }) {
  const [isOpen, { toggle }] = useDisclosure();
  return (
    <Box>
      <Anchor component="button" type="button" size="xs" aria-expanded={isOpen} onClick={toggle}>
        <span aria-hidden>{isOpen ? '▾' : '▸'}</span> {label}
      </Anchor>
      {isOpen && <Box mt={4}>{children}</Box>}
    </Box>
  );
}
