/**
 * Dry runs of changes to endpoints: they report the routes that a change would break and its warnings, and write nothing. The same
 * checks as for the change itself can refuse a dry run.
 */

import { preconditionFailed } from '../../base/errors.ts';
import type { GraphqlApis } from '../../graphql/endpoints/graphql-apis.ts';
import type { GraphqlEndpoint } from '../../graphql/endpoints/graphql-endpoint.ts';
import type { GraphqlEndpoints } from '../../graphql/endpoints/graphql-endpoints.ts';
import type { SubmittedBody } from '../../model/values/checked-body.ts';
import type { Source } from '../routes/build-routes.ts';
import { type AffectedRoute, findAffectedRoutes } from './affected-routes.ts';
import { findPublicMutations, findPublicTypes, type Warning } from './public-writes.ts';
import type { RestEndpointDefinition } from './rest-endpoint.ts';
import type { RestEndpoints } from './rest-endpoints.ts';

/** The effects of a change: the routes that it would break, and its warnings. */
export interface DryRun {
  readonly breaks: readonly AffectedRoute[];
  readonly warnings: readonly Warning[];
}

/** The record to change, and the versions in which the caller may have seen it; absent means any. */
interface Target {
  readonly id: string;
  readonly ifVersions?: readonly string[];
}

/** Dry runs of the changes of GraphQL and REST endpoints. Errors: those of the change itself. */
export interface DryRuns {
  createGraphql(submitted: SubmittedBody): Promise<DryRun>;
  replaceGraphql(change: Target & SubmittedBody): Promise<DryRun>;
  deleteGraphql(target: Target): Promise<DryRun>;
  /** Tries to publish the draft, or `submitted` in its place. */
  publishRest(change: Target & { readonly submitted?: SubmittedBody }): Promise<DryRun>;
  /** Tries to stop serving, as unpublishing and deleting do. */
  takeDownRest(target: Target): Promise<DryRun>;
}

/** Creates the dry runs over the records of endpoints. */
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
    assertVersion(endpoint, target);
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
    assertVersion(endpoint, target);
    await graphqlEndpoints.assertUnused(endpoint);
    return { breaks: [], warnings: [] };
  };

  /** Finds the routes that break when the GraphQL endpoint behind them changes. */
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
    assertVersion(endpoint, target);
    const definition = await decide(endpoint.current.definition);
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

function assertVersion(
  { id, version }: { readonly id: string; readonly version: string },
  { ifVersions }: Target,
): void {
  if (ifVersions && !ifVersions.includes(version)) throw preconditionFailed(id);
}
