/**
 * The fields of a mapping.
 */
import { Checkbox, Group, NumberInput, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useMemo } from 'react';
import type { MappingMethod } from '../../../api.ts';
import { GraphqlEditor } from '../../../parts/editor/graphql-editor.tsx';
import { defaultPath, type MappingDraft } from '../editor/draft.ts';
import { useGoal } from '../editor/field-goal.ts';
import { type MappingFindings, messageAt } from '../editor/findings.ts';
import { useSourceSchema } from '../rest-endpoint-data.ts';

const methodNames: readonly MappingMethod[] = ['GET', 'POST', 'PUT', 'DELETE'];

/** The query of a mapping with its problems, also beside its trial. */
export function QueryField({
  mapping,
  source,
  findings: { problems } = nothing,
  onChange,
}: {
  mapping: MappingDraft;
  source: string;
  findings?: MappingFindings | undefined;
  onChange: (changes: Partial<MappingDraft>) => void;
}) {
  const schema = useSourceSchema(source).data;
  const ofQuery = useMemo(() => problems.filter(({ path }) => path === 'query'), [problems]);
  return (
    <GraphqlEditor
      label="Query"
      description="Exactly one named query or mutation. Ctrl+Space completes, F8 goes to the next problem."
      value={mapping.query}
      onChange={(query) => onChange({ query })}
      schema={schema}
      problems={ofQuery}
    />
  );
}

/** The fields, with what was found in them. */
export function MappingFields({
  mapping,
  source,
  prefix,
  findings = nothing,
  onChange,
}: {
  mapping: MappingDraft;
  source: string;
  prefix: string;
  findings?: MappingFindings | undefined;
  onChange: (changes: Partial<MappingDraft>) => void;
}) {
  const { checked, problems } = findings;
  const methods = mapping.methods ?? checked.methods ?? [];
  const errorAt = (member: keyof MappingDraft) => messageAt(problems, member);
  const fields = useGoal(mapping.key);
  return (
    <Stack ref={fields}>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <TextInput
          label="Name"
          required
          autoFocus={mapping.name === ''}
          value={mapping.name}
          onChange={(event) => onChange({ name: event.currentTarget.value })}
          error={errorAt('name')}
          data-path="name"
        />
        <PathField mapping={mapping} prefix={prefix} error={errorAt('path')} onChange={onChange} />
      </SimpleGrid>
      <div data-path="query">
        <QueryField mapping={mapping} source={source} findings={findings} onChange={onChange} />
      </div>
      <Checkbox.Group
        label="Methods"
        description={
          checked.kind === 'mutation' && methods.includes('GET')
            ? 'With GET, anyone who opens the link runs this mutation.'
            : 'By default GET for a query and POST for a mutation.'
        }
        value={[...methods]}
        onChange={(chosen) => onChange({ methods: methodNames.filter((method) => chosen.includes(method)) })}
        error={errorAt('methods')}
        data-path="methods"
      >
        <Group mt="xs">
          {methodNames.map((method) => (
            <Checkbox key={method} value={method} label={method} />
          ))}
        </Group>
      </Checkbox.Group>
      <NumberInput
        label="Cache seconds"
        description="How many seconds caches may keep a GET response; 0 disables caching. Always 0 for mutations."
        maw={420}
        min={0}
        max={31_536_000}
        allowDecimal={false}
        value={mapping.cacheSeconds}
        onChange={(seconds) => onChange({ cacheSeconds: Number(seconds) })}
        error={errorAt('cacheSeconds')}
        data-path="cacheSeconds"
      />
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <TextInput
          label="Not found"
          description="A JSON Pointer into the data, such as /article: the route responds with 404 if the value there is null. Never if empty."
          value={mapping.notFound}
          onChange={(event) => onChange({ notFound: event.currentTarget.value })}
          error={errorAt('notFound')}
          data-path="notFound"
        />
        <TextInput
          label="Result"
          description="A JSON Pointer into the data, such as /articleList/items: the response is the value there. The whole GraphQL response if empty."
          value={mapping.result}
          onChange={(event) => onChange({ result: event.currentTarget.value })}
          error={errorAt('result')}
          data-path="result"
        />
      </SimpleGrid>
      <Checkbox
        label="Tool for agents"
        description="Agents at /mcp can run this query. The name and the description of the operation are those of the tool."
        checked={mapping.tool ?? false}
        onChange={(event) => onChange({ tool: event.currentTarget.checked })}
        error={errorAt('tool')}
        data-path="tool"
      />
    </Stack>
  );
}

const nothing: MappingFindings = { checked: {}, problems: [] };

/** The path behind the prefix, which may also be nothing at all. */
function PathField({
  mapping: { name, path },
  prefix,
  error,
  onChange,
}: {
  mapping: MappingDraft;
  prefix: string;
  error: string | undefined;
  onChange: (changes: Partial<MappingDraft>) => void;
}) {
  const isPrefix = path === '';
  return (
    <Stack gap="xs">
      <TextInput
        label="Path"
        description={
          path === undefined && defaultPath(name) !== ''
            ? `Served at ${prefix}${defaultPath(name)}, derived from the name, unless you enter another.`
            : `Follows the prefix ${prefix}. A segment such as {slug} gives the variable of that name. Derived from the name if empty.`
        }
        placeholder={defaultPath(name) || '/name-of-the-mapping'}
        disabled={isPrefix}
        value={path ?? ''}
        onChange={(event) => onChange({ path: event.currentTarget.value || undefined })}
        error={error}
        data-path="path"
      />
      <Checkbox
        label="Served at the prefix itself"
        checked={isPrefix}
        onChange={(event) => onChange({ path: event.currentTarget.checked ? '' : undefined })}
      />
    </Stack>
  );
}
