/**
 * Publishes definitions of several REST endpoints in one step, so that they can take over routes of each other: each definition is
 * checked beside what the others will be.
 *
 * The records and the claims on routes are written in one transaction. A store without transactions has them written one after the
 * other: in between two endpoints have the same route, of which the registry serves the first.
 */
import { invalidBody, isDomainError, isStoreError, preconditionFailed } from '../../base/errors.ts';
import { type RecordUpdate, updateTogether } from '../../graphql/endpoints/system-records.ts';
import type { JsonObject } from '../../model/content-type.ts';
import { readRestEndpoint } from '../checks/check-endpoint.ts';
import { listRoutes } from '../checks/check-routes.ts';
import { type EndpointChange, listEndpoints, type RestEndpointContext, toDraft } from './endpoint-changes.ts';
import type { RestEndpoint, RestEndpointDefinition } from './rest-endpoint.ts';
import { claimOf } from './route-claims.ts';

/** The definition to publish of a stored endpoint. */
export interface PublishedTogether extends Omit<EndpointChange, 'by'> {
  readonly body: JsonObject;
}

/** An endpoint with the definition that it will have. */
interface Member {
  readonly endpoint: RestEndpoint;
  readonly definition: RestEndpointDefinition;
}

/** Saves and publishes the definitions. Errors: not_found, invalid_body, precondition_failed, value_in_use; nothing is published then. */
export async function publishTogether(
  context: RestEndpointContext,
  { changes, by }: { readonly changes: readonly PublishedTogether[]; readonly by: string },
): Promise<void> {
  const { system, clock, claims, history, graphqlEndpoints } = context;
  const members = await readMembers(context, changes);
  const newClaims: { id: string; routes: readonly string[] }[] = [];
  try {
    const transfers: RecordUpdate[] = [];
    const ids = members.map(({ endpoint }) => endpoint.id);
    for (const { endpoint, definition } of members) {
      await history.keep(endpoint);
      const { claimed, held } = await claims.claim(endpoint.id, definition, ids);
      newClaims.push({ id: endpoint.id, routes: claimed });
      transfers.push(...held);
    }
    const state = { savedAt: clock.nowMs(), savedBy: by, action: 'PUBLISHED' };
    const writes = members.map(({ endpoint: { id, version, current }, definition }) => {
      const number = current.number + 1;
      const published = { number, published: definition, publishedNumber: number };
      return { id, ifVersions: [version], fields: { ...state, ...published, ...toDraft(definition) } };
    });
    await updateTogether(system, [...writes, ...transfers]);
  } catch (error) {
    // A failing store may have written the publication, so the claims stay.
    if (isDomainError(error) && !isStoreError(error))
      for (const { id, routes } of newClaims) await claims.release(id, routes);
    throw error;
  }
  const served = new Set(members.flatMap(({ definition }) => listRoutes(definition).map(claimOf)));
  for (const { endpoint } of members) {
    const before = endpoint.published ? listRoutes(endpoint.published.definition).map(claimOf) : [];
    await claims.release(
      endpoint.id,
      before.filter((route) => !served.has(route)),
    );
  }
  for (const { definition } of members)
    if (!(await graphqlEndpoints.cancelDeletion(definition.source)))
      throw invalidBody([{ path: 'source', message: 'has just been deleted' }]);
}

/** Reads the endpoints and checks all definitions. */
async function readMembers(
  context: RestEndpointContext,
  changes: readonly PublishedTogether[],
): Promise<Member[]> {
  const [sources, all] = await Promise.all([context.graphqlEndpoints.list(), listEndpoints(context)]);
  const outside = all.filter(({ id }) => !changes.some((change) => change.id === id));
  const members: Member[] = [];
  for (const { id, ifVersions, body } of changes) {
    const own = await context.changes.get(id);
    if (ifVersions && !ifVersions.includes(own.version)) throw preconditionFailed(id);
    const others = [...outside, ...members.map(toPublished)];
    members.push({
      endpoint: own,
      definition: readRestEndpoint({ body }, { ...context, sources, own, others }),
    });
  }
  return members;
}

/** An endpoint as it will be, for the checks of the ones after it. */
function toPublished({ endpoint, definition }: Member): RestEndpoint {
  const current = { ...endpoint.current, definition };
  return { ...endpoint, current, published: { number: current.number, definition } };
}
