/**
 * Finds endpoints that let anyone change content without credentials. That is allowed but rarely intended, so a warning appears
 * wherever endpoints are saved, listed, checked or published.
 */
import type { GraphqlEndpointDefinition } from '../../graphql/endpoints/graphql-endpoint.ts';
import { isJsonObject } from '../../model/values/validate-asset.ts';
import { accessOf, type Source } from '../routes/build-routes.ts';

/** Something that is allowed but may not be intended. `path` is the member of the definition, `mapping` the mapping's name. */
export interface Warning {
  readonly code: 'public_write';
  readonly message: string;
  readonly path: string;
  readonly mapping?: string;
}

/** A REST endpoint's definition, or a body that may become one. */
interface Mapped {
  readonly access?: unknown;
  readonly mappings?: unknown;
}

/** Warns of a GraphQL endpoint that anyone can write through. */
export function findPublicTypes({
  access,
  writeTypes,
}: Pick<GraphqlEndpointDefinition, 'access' | 'writeTypes'>): Warning[] {
  if (access !== 'ANYONE' || writeTypes.length === 0) return [];
  const types = writeTypes.includes('*') ? 'every content type' : writeTypes.join(', ');
  const message = `Anyone can create, change and delete assets of ${types} without credentials`;
  return [{ code: 'public_write', message, path: 'writeTypes' }];
}

/** Warns of the mutations of a REST endpoint that anyone can run; those that cannot run are left out. */
export function findPublicMutations({ access, mappings }: Mapped, source: Source | undefined): Warning[] {
  if (!source || !Array.isArray(mappings) || accessOf(access, source) !== 'ANYONE') return [];
  return mappings.flatMap((mapping: unknown, index) => {
    if (!isJsonObject(mapping) || typeof mapping.query !== 'string') return [];
    const operation = source.api.prepare(mapping.query);
    if ('problems' in operation || operation.kind === 'query') return [];
    const message = `Anyone can run the mutation ${operation.name ?? ''} without credentials`;
    const name = typeof mapping.name === 'string' ? { mapping: mapping.name } : {};
    return [{ code: 'public_write' as const, message, path: `mappings[${index}].query`, ...name }];
  });
}
