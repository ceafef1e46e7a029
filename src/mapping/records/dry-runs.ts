/**
 * Dry runs of changes to endpoints: they report the routes that a change would break or change, who has called these, and the warnings
 * of the change, and write nothing. The same checks as for the change itself can refuse a dry run.
 */

import { type Access, accesses } from '../../access/endpoint-access.ts';
import type { Usage } from '../../access/usage/usage.ts';
import { preconditionFailed } from '../../base/errors.ts';
import type { GraphqlApis } from '../../graphql/endpoints/graphql-api.ts';
import type { GraphqlEndpoint } from '../../graphql/endpoints/graphql-endpoint.ts';
import type { GraphqlEndpoints } from '../../graphql/endpoints/graphql-endpoints.ts';
import type { SubmittedBody } from '../../model/values/checked-body.ts';
import type { ServedState } from '../compare/compare-routes.ts';
import { accessOf, type Source } from '../routes/build-routes.ts';
import {
  type AffectedRoute,
  type AffectedRoutes,
  findAffectedRoutes,
  reportAffected,
} from './affected-routes.ts';
import { findMappingWarnings, findPublicTypes, type Warning } from './endpoint-warnings.ts';
import type { RestEndpointDefinition } from './rest-endpoint.ts';
import type { RestEndpoints } from './rest-endpoints.ts';

/** The effects of a change. */
export interface DryRun extends AffectedRoutes {
  /** What the endpoint would require if it required more before, or if the source decides on that before. */
  readonly opensTo?: Access;
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
  usage,
}: {
  graphqlEndpoints: Pick<GraphqlEndpoints, 'list' | 'get' | 'read' | 'assertUnused'>;
  restEndpoints: Pick<RestEndpoints, 'list' | 'get' | 'read'>;
  apis: GraphqlApis;
  usage: Pick<Usage, 'report'>;
}): DryRuns {
  async function listSources(): Promise<ReadonlyMap<string, Source>> {
    const endpoints = await graphqlEndpoints.list();
    return new Map(endpoints.map((endpoint) => [endpoint.id, { endpoint, api: apis.get(endpoint) }]));
  }

  const createGraphql: DryRuns['createGraphql'] = async (submitted) => ({
    ...nothing,
    warnings: findPublicTypes(await graphqlEndpoints.read(submitted)),
  });

  const replaceGraphql: DryRuns['replaceGraphql'] = async ({ body, problems = [], ...target }) => {
    const endpoint = await graphqlEndpoints.get(target.id);
    assertVersion(endpoint, target);
    const definition = await graphqlEndpoints.read({ body, problems, id: endpoint.id });
    const changed = { endpoint: { ...endpoint, ...definition }, api: apis.build(definition) };
    const before = { endpoint, api: apis.get(endpoint) };
    return {
      ...(await reportAffected(await findAffected(endpoint, { before, after: changed }), usage)),
      ...opening(endpoint.access, definition.access),
      warnings: findPublicTypes(definition),
    };
  };

  const deleteGraphql: DryRuns['deleteGraphql'] = async (target) => {
    const endpoint = await graphqlEndpoints.get(target.id);
    assertVersion(endpoint, target);
    await graphqlEndpoints.assertUnused(endpoint);
    return nothing;
  };

  /** Finds the routes that the change of the GraphQL endpoint behind them affects. */
  async function findAffected(
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
    const [before, after] = [stateOf(endpoint.published?.definition), stateOf(definition)];
    return {
      ...(await reportAffected(findAffectedRoutes(endpoint, { before, after }), usage)),
      ...findOpening(before, after),
      warnings: definition ? findMappingWarnings(definition, after.source) : [],
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

const nothing: DryRun = { breaks: [], changes: [], warnings: [] };

const opening = (before: Access, after: Access): Pick<DryRun, 'opensTo'> =>
  accesses.indexOf(after) < accesses.indexOf(before) ? { opensTo: after } : {};

/** Finds whether the change lets in callers that are refused before it, or that the source could refuse. */
function findOpening(before: ServedState, after: ServedState): Pick<DryRun, 'opensTo'> {
  if (!before.definition || !after.definition) return {};
  const isDecided = before.definition.access === 'INHERIT' && after.definition.access === 'ANYONE';
  return isDecided
    ? { opensTo: 'ANYONE' }
    : opening(
        accessOf(before.definition.access, before.source),
        accessOf(after.definition.access, after.source),
      );
}

function assertVersion(
  { id, version }: { readonly id: string; readonly version: string },
  { ifVersions }: Target,
): void {
  if (ifVersions && !ifVersions.includes(version)) throw preconditionFailed(id);
}
