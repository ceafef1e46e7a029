/**
 * The fields of a REST endpoint beside its mappings.
 */
import {
  Collapse,
  NativeSelect,
  Radio,
  SimpleGrid,
  Stack,
  Switch,
  Text,
  TextInput,
  UnstyledButton,
} from '@mantine/core';
import { useDisclosure, useId } from '@mantine/hooks';
import type { GraphqlEndpoint, RestAccess } from '../../../api.ts';
import { CorsFields } from '../../../parts/endpoints/cors-fields.tsx';
import { accessOf, restAccessMeanings, restAccessNames } from '../../../parts/endpoints/endpoint-state.tsx';
import { Section } from '../../../parts/layout/page.tsx';
import { type EndpointDraft, prefixOf } from './draft.ts';
import { useGoal } from './field-goal.ts';
import { type Findings, messageAt } from './findings.ts';

/** The fields, with what was found in them. */
export function EndpointFields({
  draft,
  onChange,
  findings,
  sources,
}: {
  draft: EndpointDraft;
  onChange: (draft: EndpointDraft) => void;
  findings: Findings;
  sources: readonly GraphqlEndpoint[];
}) {
  const set = (changes: Partial<EndpointDraft>) => onChange({ ...draft, ...changes });
  const errorAt = (member: keyof EndpointDraft) => messageAt(findings.problems, member);
  const fields = useGoal(undefined);
  return (
    <Section title="Settings">
      <Stack maw={720} ref={fields}>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput
            label="Name"
            required
            value={draft.name}
            onChange={(event) => set({ name: event.currentTarget.value })}
            error={errorAt('name')}
            data-path="name"
          />
          <TextInput
            label="Path prefix"
            description={
              draft.pathPrefix === '' && prefixOf(draft) !== ''
                ? `All of its paths begin with ${prefixOf(draft)}, derived from the name, unless you enter another.`
                : 'All its paths begin with this prefix. Derived from the name if empty.'
            }
            placeholder={prefixOf(draft) || '/name-of-the-endpoint'}
            value={draft.pathPrefix}
            onChange={(event) => set({ pathPrefix: event.currentTarget.value })}
            error={errorAt('pathPrefix')}
            data-path="pathPrefix"
          />
        </SimpleGrid>
        <NativeSelect
          label="Source endpoint"
          description="The GraphQL endpoint that the queries run on."
          required
          value={draft.source}
          onChange={(event) => set({ source: event.currentTarget.value })}
          data={[
            ...(draft.source === '' ? [{ value: '', label: 'Choose one' }] : []),
            ...sources.map(({ id, name, path }) => ({ value: id, label: `${name} (/graphql/${path})` })),
          ]}
          error={errorAt('source')}
          data-path="source"
        />
        <AccessField
          value={draft.access}
          onChange={(access) => set({ access })}
          source={sources.find(({ id }) => id === draft.source)}
        />
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <Stack>
            <CorsFields
              cors={draft.cors}
              onChange={(cors) => set({ cors })}
              error={findings.problems.find(({ path }) => path.startsWith('cors'))?.message}
            />
          </Stack>
          <TextInput
            label="Cache tag header"
            description={
              'GET responses name what they were made of in this header, such as Surrogate-Key, Cache-Tag or xkey, so that a webhook ' +
              'can purge a cache. No tags if empty.'
            }
            value={draft.cacheTags ?? ''}
            onChange={(event) => set({ cacheTags: event.currentTarget.value })}
            error={errorAt('cacheTags')}
            data-path="cacheTags"
          />
        </SimpleGrid>
        <Advanced draft={draft} set={set} />
      </Stack>
    </Section>
  );
}

function AccessField({
  value,
  onChange,
  source,
}: {
  value: RestAccess;
  onChange: (access: RestAccess) => void;
  source: GraphqlEndpoint | undefined;
}) {
  const inherited = source && restAccessNames[accessOf('INHERIT', source)];
  const choices: readonly RestAccess[] = ['INHERIT', 'ANYONE', 'API_KEY', 'CLIENT_CREDENTIALS'];
  return (
    <Radio.Group label="API access" value={value} onChange={onChange} data-path="access">
      <Stack gap="xs" mt="xs">
        {choices.map((access) => (
          <Radio
            key={access}
            value={access}
            label={
              access === 'INHERIT' && inherited
                ? `${restAccessNames[access]} (now: ${inherited})`
                : restAccessNames[access]
            }
            description={restAccessMeanings[access]}
          />
        ))}
      </Stack>
    </Radio.Group>
  );
}

function Advanced({ draft, set }: { draft: EndpointDraft; set: (changes: Partial<EndpointDraft>) => void }) {
  const id = useId();
  const [isOpen, { toggle }] = useDisclosure(draft.disableParameterSlashSyntax || draft.preview);
  return (
    <div>
      <UnstyledButton onClick={toggle} aria-expanded={isOpen} aria-controls={id}>
        <Text size="sm" fw={500}>
          <span aria-hidden>{isOpen ? '▾' : '▸'}</span> Advanced
        </Text>
      </UnstyledButton>
      <Collapse expanded={isOpen} id={id}>
        <Switch
          mt="xs"
          label="Disable Parameter Slash Syntax"
          description={
            'With the slash syntax, filter/name=Ada in a query string is the member name of the variable filter, and ' +
            'tags[]=a adds to the list tags. Without it, each value is a JSON literal: filter={"name":"Ada"}.'
          }
          checked={draft.disableParameterSlashSyntax}
          onChange={(event) => set({ disableParameterSlashSyntax: event.currentTarget.checked })}
        />
        <Switch
          mt="xs"
          label="Preview of releases"
          description="Callers with the scope cma:draft, or with a preview link, can read the drafts of a release."
          checked={draft.preview ?? false}
          onChange={(event) => set({ preview: event.currentTarget.checked })}
        />
      </Collapse>
    </div>
  );
}
