/**
 * The schemas of GraphQL endpoints, each built once for each state of its endpoint.
 *
 * An endpoint may name types that the SDL has no longer, and serves the rest. One with nothing left to serve refuses every
 * document and says why, so that it breaks what is mapped onto it and nothing else.
 */
import { badTypes, isDomainError } from '../../base/errors.ts';
import type { Logger } from '../../base/runtime.ts';
import type { GraphqlApi } from '../operation.ts';
import type { GraphqlEndpoint, GraphqlEndpointDefinition } from './graphql-endpoint.ts';

/** The APIs of GraphQL endpoints as they are asked for. */
export interface GraphqlApis {
  /** The same API for the same version of an endpoint. */
  get(endpoint: GraphqlEndpoint): GraphqlApi;
  /** The API of a definition that is not kept. */
  build(definition: GraphqlEndpointDefinition): GraphqlApi;
  /** Lets go of all APIs but those of the endpoints with these IDs. */
  keepOnly(ids: ReadonlySet<string>): void;
}

/** Remembers what `createApi` makes of endpoints. */
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
