/**
 * Shows the difference of two versions: the settings, and mapping by mapping, with marks at the words that differ.
 */
import { Stack, Text, Title } from '@mantine/core';
import { useQueries, useQuery } from '@tanstack/react-query';
import {
  admin,
  answer,
  type GraphqlEndpoint,
  type Mapping,
  type RestEndpointDefinition,
} from '../../../api.ts';
import { graphqlEndpointList } from '../../../parts/data/lists.ts';
import { compareText } from '../../../parts/difference/compare-text.ts';
import { LineDifference, TextDifference } from '../../../parts/difference/line-difference.tsx';
import { restAccessNames } from '../../../parts/endpoints/endpoint-state.tsx';
import { EmptyState } from '../../../parts/layout/page.tsx';
import { Loading } from '../../../parts/loading/loading.tsx';
import { ProblemAlert } from '../../../parts/problems/problem-alert.tsx';
import { type MappingPair, pairMappings } from './compared-pair.ts';

/** The difference from one version to another. */
export function VersionDifference({ id, before, after }: { id: string; before: number; after: number }) {
  const sources = useQuery(graphqlEndpointList);
  const [old, now] = useQueries({
    queries: [before, after].map((number) => ({
      queryKey: ['rest-endpoints', id, 'versions', number],
      queryFn: () => answer(admin.getVersion({ path: { id, number } })),
    })),
  });
  const error = old?.error ?? now?.error ?? sources.error;
  if (error) return <ProblemAlert error={error} title="The versions could not be compared" />;
  if (!old?.data || !now?.data || !sources.data) return <Loading />;
  const [from, to] = [old.data.definition, now.data.definition];
  const settings = findChanged(settingsOf(from, sources.data.items), settingsOf(to, sources.data.items));
  const mappings = pairMappings(from.mappings, to.mappings).filter(isChanged);
  if (settings.length + mappings.length === 0) {
    return <EmptyState title="No differences">Both versions have the same settings and mappings.</EmptyState>;
  }
  return (
    <Stack gap="lg">
      {settings.length > 0 && (
        <section aria-label="Settings">
          <Title order={3} size="h5" mb="xs">
            Settings
          </Title>
          <Members members={settings} />
        </section>
      )}
      {mappings.map((pair) => (
        <MappingDifference key={`${pair.before?.name} ${pair.after?.name}`} pair={pair} />
      ))}
    </Stack>
  );
}

/** What is set, by its label. A setting that is not made is absent. */
type Members = ReadonlyMap<string, string>;

interface ChangedMember {
  readonly label: string;
  readonly before: string;
  readonly after: string;
}

function findChanged(before: Members, after: Members): ChangedMember[] {
  return [...new Set([...after.keys(), ...before.keys()])]
    .map((label) => ({ label, before: before.get(label) ?? '', after: after.get(label) ?? '' }))
    .filter((member) => member.before !== member.after);
}

function settingsOf(definition: RestEndpointDefinition, sources: readonly GraphqlEndpoint[]): Members {
  const { name, pathPrefix, source, access, disableParameterSlashSyntax, preview, cors, cacheTags } =
    definition;
  return new Map([
    ['Name', name],
    ['Path prefix', pathPrefix],
    ['Source endpoint', sources.find(({ id }) => id === source)?.name ?? source],
    ['API access', restAccessNames[access]],
    ['Parameter slash syntax', disableParameterSlashSyntax ? 'disabled' : 'enabled'],
    ['Preview of releases', preview ? 'on' : 'off'],
    ['Allowed origins', cors?.origins.join(', ') ?? ''],
    ['Seconds that browsers remember it', cors ? `${cors.maxAge ?? 600}` : ''],
    ['Cache tag header', cacheTags ?? ''],
  ]);
}

function membersOf(mapping: Mapping | undefined): Members {
  if (!mapping) return new Map();
  const { name, path, methods, cacheSeconds, notFound = '', result = '', tool } = mapping;
  return new Map([
    ['Name', name],
    ['Path', path === '' ? 'the prefix itself' : path],
    ['Methods', methods.join(', ')],
    ['Cache seconds', `${cacheSeconds}`],
    ['Not found', notFound],
    ['Result', result],
    ['Tool for agents', tool ? 'on' : 'off'],
  ]);
}

/** Only the query has lines; those of other systems are the same. */
const queryOf = (mapping: Mapping | undefined) =>
  mapping ? `${mapping.query.replace(/\r\n?/g, '\n').trimEnd()}\n` : '';

const isChanged = ({ before, after }: MappingPair) =>
  findChanged(membersOf(before), membersOf(after)).length > 0 || queryOf(before) !== queryOf(after);

function MappingDifference({ pair: { before, after } }: { pair: MappingPair }) {
  const name = (after ?? before)?.name ?? '';
  const state = !before ? ' (new)' : !after ? ' (removed)' : '';
  const [old, now] = [queryOf(before), queryOf(after)];
  return (
    <section aria-label={`Mapping ${name}`}>
      <Title order={3} size="h5" mb="xs">
        Mapping {name}
        {state}
      </Title>
      <Stack gap="xs">
        <Members members={findChanged(membersOf(before), membersOf(after))} />
        {old !== now && <LineDifference label={`Query of ${name}`} before={old} after={now} />}
      </Stack>
    </section>
  );
}

function Members({ members }: { members: readonly ChangedMember[] }) {
  return members.map(({ label, before, after }) => (
    <div key={label}>
      <Text size="sm" fw={500}>
        {label}
      </Text>
      <TextDifference parts={compareText(before, after).filter(({ text }) => text !== '')} />
    </div>
  ));
}
