/**
 * One operation: a line that opens its parameters, its body, its responses and a command that calls it.
 */
import { Anchor, Box, Code, Group, Paper, Stack, Text, Title, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { serverUrl } from '../../base-path.ts';
import type { OpenApiDocument } from '../../parts/data/documents.ts';
import { CopyField } from '../../parts/layout/copy-field.tsx';
import { Mark } from '../../parts/layout/mark.tsx';
import { toOperationCurl } from './curl-line.ts';
import { Description, GuideLink } from './description.tsx';
import { operationPlaces } from './guide-places.ts';
import { type Body, type Json, type Operation, resolve, toText } from './read-document.ts';
import {
  describeRules,
  describeType,
  enumOf,
  findContent,
  hasContent,
  type SchemaField,
} from './schema-words.ts';

const methodColors: Readonly<Record<string, string>> = {
  GET: 'blue',
  POST: 'green',
  PUT: 'orange',
  PATCH: 'orange',
  DELETE: 'red',
};

/** Where the page scrolls to the operation, the header of the page leaves it visible. */
const belowHeader = {
  scrollMarginTop: 'calc(var(--app-shell-header-height) + var(--page-bar-height, 52px) + 1rem)',
};

/** The operation; `isOpen` shows all of it. */
export function OperationView({
  document,
  operation,
  isOpen,
  onToggle,
}: {
  document: OpenApiDocument;
  operation: Operation;
  isOpen: boolean;
  onToggle: () => void;
}) {
  const { id, method, path, summary, isMessage, isDeprecated } = operation;
  return (
    <Paper withBorder p="sm" id={id} style={belowHeader}>
      <Title order={4} fz="sm" fw={400}>
        <UnstyledButton w="100%" aria-expanded={isOpen} onClick={onToggle}>
          <Group gap="sm">
            <Mark color={methodColors[method] ?? 'gray'}>{isMessage ? 'Message' : method}</Mark>
            <Text span size="sm" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
              {path}
            </Text>
            <Text span size="sm">
              {summary}
            </Text>
            {isDeprecated && <Mark>Deprecated</Mark>}
          </Group>
        </UnstyledButton>
      </Title>
      {isOpen && <Details document={document} operation={operation} />}
    </Paper>
  );
}

function Details({ document, operation }: { document: OpenApiDocument; operation: Operation }) {
  const { id, description, role, parameters, body, responses, isMessage } = operation;
  const place = operationPlaces[id];
  return (
    <Stack gap="md" mt="sm">
      <Stack gap="xs">
        <Description text={description} />
        {role !== undefined && (
          <Text size="sm">
            Users need the role <Code>{role}</Code>.
          </Text>
        )}
        {place && (
          <Text size="sm">
            Guide: <GuideLink place={place} />
          </Text>
        )}
      </Stack>
      {parameters.length > 0 && (
        <Part title="Parameters">
          {parameters.map(({ name, place, isRequired, description, schema, example }) => (
            <Box key={`${place} ${name}`}>
              <Group gap="xs">
                <Code fw={600}>{name}</Code>
                <Text size="xs" c="dimmed">
                  {place}
                  {isRequired ? ', required' : ''}
                </Text>
              </Group>
              <ValueWords document={document} schema={schema} />
              <Description text={description} />
              {example !== undefined && (
                <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                  Example: <Code>{typeof example === 'string' ? example : JSON.stringify(example)}</Code>
                </Text>
              )}
            </Box>
          ))}
        </Part>
      )}
      {body && (
        <Part title={body.isRequired ? 'Body, required' : 'Body'}>
          <BodyView document={document} body={body} />
        </Part>
      )}
      <Part title="Responses">
        {responses.map(({ status, description, headers, body }) => (
          <Stack key={status} gap={4}>
            <Group gap="xs">
              <Code fw={600}>{status}</Code>
              {headers.length > 0 && (
                <Text size="xs" c="dimmed">
                  with {headers.map(({ name }) => name).join(', ')}
                </Text>
              )}
            </Group>
            <Description text={description} />
            {body && <ResponseBody document={document} body={body} isUsual={status.startsWith('2')} />}
          </Stack>
        ))}
      </Part>
      {!isMessage && <CopyField label="curl" text={toOperationCurl(operation, serverUrl)} />}
    </Stack>
  );
}

function BodyView({ document, body }: { document: OpenApiDocument; body: Body }) {
  return (
    <>
      <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {body.mediaTypes.join(', ')}
      </Text>
      <ValueWords document={document} schema={body.schema} />
      {hasContent(findContent(document, body.schema)) && (
        <SchemaView document={document} schema={body.schema} />
      )}
    </>
  );
}

/** The body of a response; those of errors are much alike, so they open by a click. */
function ResponseBody({ isUsual, ...shown }: { document: OpenApiDocument; body: Body; isUsual: boolean }) {
  if (isUsual) return <BodyView {...shown} />;
  return (
    <Opened label="Body">
      <BodyView {...shown} />
    </Opened>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Stack gap="sm">
      <Title order={5} size="sm">
        {title}
      </Title>
      {children}
    </Stack>
  );
}

/** The fields and the alternatives of values of `schema`. */
function SchemaView({ document, schema }: { document: OpenApiDocument; schema: Json }) {
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
function ValueWords({ document, schema }: { document: OpenApiDocument; schema: Json }) {
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
function Opened({ label, children }: { label: string; children: ReactNode }) {
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
