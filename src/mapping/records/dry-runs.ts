/**
 * Dry runs: what a change of an endpoint would take from callers and what it would warn of. A dry run refuses what the change
 * refuses, by the same checks, and writes nothing.
 */
import { preconditionFailed } from '../../base/errors.ts';
import type { GraphqlApis } from '../../graphql/endpoints/graphql-apis.ts';
import type { GraphqlEndpoint } from '../../graphql/endpoints/graphql-endpoint.ts';
import type { GraphqlEndpoints } from '../../graphql/endpoints/graphql-endpoints.ts';
import type { SubmittedBody } from '../../model/checked-body.ts';
import type { Source } from '../routes/build-routes.ts';
import { type AffectedRoute, findAffectedRoutes } from './affected-routes.ts';
import { findPublicMutations, findPublicTypes, type Warning } from './public-writes.ts';
import type { RestEndpointDefinition } from './rest-endpoint.ts';
import type { RestEndpoints } from './rest-endpoints.ts';

/** What a change would do: the routes it would take from callers, and what it would warn of. */
export interface DryRun {
  readonly breaks: readonly AffectedRoute[];
  readonly warnings: readonly Warning[];
}

/** Which record to change, in which versions the caller may have seen it; absent means any. */
interface Target {
  readonly id: string;
  readonly ifVersions?: readonly string[];
}

/** Changes of GraphQL and REST endpoints, tried without making them. Errors: those of the change itself. */
export interface DryRuns {
  createGraphql(submitted: SubmittedBody): Promise<DryRun>;
  replaceGraphql(change: Target & SubmittedBody): Promise<DryRun>;
  deleteGraphql(target: Target): Promise<DryRun>;
  /** Publishes the draft, or what `body` says. */
  publishRest(change: Target & { readonly submitted?: SubmittedBody }): Promise<DryRun>;
  /** Takes down what is published, as unpublishing and deleting do. */
  takeDownRest(target: Target): Promise<DryRun>;
}

/** Makes the dry runs over the records of endpoints. */
export function createDryRuns({
  graphqlEndpoints,
  restEndpoints,
  apis,
}: {
  graphqlEndpoints: Pick<GraphqlEndpoints, 'list' | 'get' | 'read' | 'assertUnused'>;
  restEndpoints: Pick<RestEndpoints, 'list' | 'get' | 'read'>;
  apis: GraphqlApis;
}): DryRuns {
  async function listSources(): Promise<ReadonlyMap<string, Source>> {
    const endpoints = await graphqlEndpoints.list();
    return new Map(endpoints.map((endpoint) => [endpoint.id, { endpoint, api: apis.get(endpoint) }]));
  }

  const createGraphql: DryRuns['createGraphql'] = async (submitted) => ({
    breaks: [],
    warnings: findPublicTypes(await graphqlEndpoints.read(submitted)),
  });

  const replaceGraphql: DryRuns['replaceGraphql'] = async ({ body, problems = [], ...target }) => {
    const endpoint = await graphqlEndpoints.get(target.id);
    assertSeen(endpoint, target);
    const definition = await graphqlEndpoints.read({ body, problems, id: endpoint.id });
    const changed = { endpoint: { ...endpoint, ...definition }, api: apis.build(definition) };
    const before = { endpoint, api: apis.get(endpoint) };
    return {
      breaks: await findBreaks(endpoint, { before, after: changed }),
      warnings: findPublicTypes(definition),
    };
  };

  const deleteGraphql: DryRuns['deleteGraphql'] = async (target) => {
    const endpoint = await graphqlEndpoints.get(target.id);
    assertSeen(endpoint, target);
    await graphqlEndpoints.assertUnused(endpoint);
    return { breaks: [], warnings: [] };
  };

  /** What callers of the REST endpoints mapped onto a GraphQL endpoint lose when that changes. */
  async function findBreaks(
    { id }: GraphqlEndpoint,
    { before, after }: { before: Source; after: Source },
  ): Promise<AffectedRoute[]> {
    return (await restEndpoints.list()).flatMap((endpoint) => {
      const definition = endpoint.published?.definition;
      if (definition?.source !== id) return [];
      return findAffectedRoutes(endpoint, {
        before: { definition, source: before },
        after: { definition, source: after },
      });
    });
  }

  async function changeRest(
    target: Target,
    decide: (draft: RestEndpointDefinition) => Promise<RestEndpointDefinition | undefined>,
  ): Promise<DryRun> {
    const endpoint = await restEndpoints.get(target.id);
    assertSeen(endpoint, target);
    const definition = await decide(endpoint.present.definition);
    const sources = await listSources();
    const stateOf = (served: RestEndpointDefinition | undefined) => ({
      definition: served,
      source: served && sources.get(served.source),
    });
    const after = stateOf(definition);
    return {
      breaks: findAffectedRoutes(endpoint, { before: stateOf(endpoint.published?.definition), after }),
      warnings: definition ? findPublicMutations(definition, after.source) : [],
    };
  }

  return {
    createGraphql,
    replaceGraphql,
    deleteGraphql,
    publishRest: ({ submitted, ...target }) =>
      changeRest(target, (draft) => restEndpoints.read({ ...(submitted ?? { body: draft }), id: target.id })),
    takeDownRest: (target) => changeRest(target, async () => undefined),
  };
}

function assertSeen(
  { id, version }: { readonly id: string; readonly version: string },
  { ifVersions }: Target,
): void {
  if (ifVersions && !ifVersions.includes(version)) throw preconditionFailed(id);
}
