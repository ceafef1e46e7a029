/**
 * Shows the difference of two versions, line by line.
 */
import { useQueries, useQuery } from '@tanstack/react-query';
import {
  admin,
  answer,
  type GraphqlEndpoint,
  type Mapping,
  type RestEndpointDefinition,
} from '../../../api.ts';
import { graphqlEndpointList } from '../../../parts/data/lists.ts';
import { LineDifference } from '../../../parts/difference/line-difference.tsx';
import { EmptyState } from '../../../parts/layout/page.tsx';
import { Loading } from '../../../parts/loading/loading.tsx';
import { ProblemAlert } from '../../../parts/problems/problem-alert.tsx';
import { restAccessNames } from '../editor/access.ts';

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
  const [from, to] = [old.data, now.data].map(({ definition }) => toText(definition, sources.data.items));
  if (from === to) {
    return <EmptyState title="No differences">Both versions have the same settings and mappings.</EmptyState>;
  }
  return <LineDifference label="Difference" before={from ?? ''} after={to ?? ''} />;
}

/** The settings, then each mapping with its query. Every line ends with a line break. */
function toText(definition: RestEndpointDefinition, sources: readonly GraphqlEndpoint[]): string {
  const {
    name,
    pathPrefix,
    source,
    access,
    disableParameterSlashSyntax,
    preview,
    cors,
    cacheTags,
    mappings,
  } = definition;
  const lines = [
    `Name: ${name}`,
    `Path prefix: ${pathPrefix}`,
    `Source endpoint: ${sources.find(({ id }) => id === source)?.name ?? source}`,
    `API access: ${restAccessNames[access]}`,
    `Parameter slash syntax: ${disableParameterSlashSyntax ? 'disabled' : 'enabled'}`,
    ...(preview ? ['Preview of releases: on'] : []),
    ...(cors
      ? [
          `Allowed origins: ${cors.origins.join(', ')}`,
          `Seconds that browsers remember it: ${cors.maxAge ?? 600}`,
        ]
      : []),
    ...(cacheTags === undefined ? [] : [`Cache tag header: ${cacheTags}`]),
    ...mappings.flatMap(mappingLines),
  ];
  return `${lines.join('\n')}\n`;
}

function mappingLines(mapping: Mapping): string[] {
  const { name, path, methods, cacheSeconds, notFound, result, tool, query } = mapping;
  return [
    '',
    `Mapping ${name}`,
    `  Path: ${path === '' ? 'the prefix itself' : path}`,
    `  Methods: ${methods.join(', ')}`,
    `  Cache seconds: ${cacheSeconds}`,
    ...(notFound === undefined ? [] : [`  Not found: ${notFound}`]),
    ...(result === undefined ? [] : [`  Result: ${result}`]),
    ...(tool ? ['  Tool for agents: on'] : []),
    '  Query:',
    ...query.split(/\r\n|\n|\r/).map((line) => `    ${line}`.trimEnd()),
  ];
}
