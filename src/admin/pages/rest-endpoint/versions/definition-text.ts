/**
 * Prints the definition of a REST endpoint as text, to compare versions.
 */
import type { GraphqlEndpoint, Mapping, RestEndpointDefinition } from '../../../api.ts';
import { restAccessNames } from '../editor/access.ts';

/** The settings, then each mapping with its query. Every line ends with a line break. */
export function toText(definition: RestEndpointDefinition, sources: readonly GraphqlEndpoint[]): string {
  const { name, pathPrefix, source, access, disableParameterSlashSyntax, cors, cacheTags, mappings } =
    definition;
  const lines = [
    `Name: ${name}`,
    `Path prefix: ${pathPrefix}`,
    `Source endpoint: ${sources.find(({ id }) => id === source)?.name ?? source}`,
    `API access: ${restAccessNames[access]}`,
    `Parameter slash syntax: ${disableParameterSlashSyntax ? 'disabled' : 'enabled'}`,
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

function mappingLines({ name, path, methods, cacheSeconds, query }: Mapping): string[] {
  return [
    '',
    `Mapping ${name}`,
    `  Path: ${path === '' ? 'the prefix itself' : path}`,
    `  Methods: ${methods.join(', ')}`,
    `  Cache seconds: ${cacheSeconds}`,
    '  Query:',
    ...query.split(/\r\n|\n|\r/).map((line) => `    ${line}`.trimEnd()),
  ];
}
