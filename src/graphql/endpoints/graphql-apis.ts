/**
 * Caches the APIs of GraphQL endpoints, one for each version of an endpoint.
 *
 * An endpoint that names types which the SDL no longer has serves its other types. One without any type left refuses every document
 * with the reason, so that only the routes mapped onto it break.
 */
import { badTypes, isDomainError } from '../../base/errors.ts';
import type { Logger } from '../../base/runtime.ts';
import type { GraphqlApi } from '../operation.ts';
import type { GraphqlEndpoint, GraphqlEndpointDefinition } from './graphql-endpoint.ts';

/** The APIs of GraphQL endpoints. */
export interface GraphqlApis {
  /** Returns the API of an endpoint, the same one as long as its version is the same. */
  get(endpoint: GraphqlEndpoint): GraphqlApi;
  /** Builds the API of a definition that is not stored. */
  build(definition: GraphqlEndpointDefinition): GraphqlApi;
  /** Drops all APIs except those of the endpoints with these IDs. */
  keepOnly(ids: ReadonlySet<string>): void;
}

/** Creates the cache; `createApi` builds one API. */
export function createGraphqlApis({
  createApi,
  logger,
}: {
  createApi: (definition: GraphqlEndpointDefinition) => GraphqlApi;
  logger: Logger;
}): GraphqlApis {
  const known = new Map<string, { readonly version: string; readonly api: GraphqlApi }>();

  function get(endpoint: GraphqlEndpoint): GraphqlApi {
    const { id, version } = endpoint;
    const found = known.get(id);
    if (found?.version === version) return found.api;
    const api = build(endpoint);
    known.set(id, { version, api });
    return api;
  }

  function build(endpoint: GraphqlEndpointDefinition): GraphqlApi {
    try {
      return createApi(endpoint);
    } catch (err) {
      const { name } = endpoint;
      logger.error({ err, endpoint: name }, 'GraphQL endpoint is broken');
      const reason = isDomainError(err) ? `: ${err.message}` : '';
      return refuseAll(`GraphQL endpoint ${JSON.stringify(name)} is broken${reason}`);
    }
  }

  function keepOnly(ids: ReadonlySet<string>): void {
    for (const id of known.keys()) if (!ids.has(id)) known.delete(id);
  }

  return { get, build, keepOnly };
}

function refuseAll(message: string): GraphqlApi {
  const refused = {
    problems: [{ message, line: 1, column: 1 }],
    cause: badTypes([{ file: 'graphql', line: 1, column: 1, message }]),
  };
  return { sdl: '', prepare: () => refused, listOperations: () => refused };
}
