/**
 * Claims on routes: of several processes that publish endpoints with the same route at once, the store lets one have it.
 *
 * A publication claims its routes before it is written, one after the other in the order of their names, so that of two which
 * share routes one always gets all. A claim whose endpoint does not serve the route belongs to a publication under way, or to one
 * that was cut short; after a minute it is taken for the latter and passes to whoever asks.
 */
import { invalidBody, isDomainError, type Problem } from '../../base/errors.ts';
import type { Clock } from '../../base/runtime.ts';
import type { ContentService } from '../../content/content-service.ts';
import { findRecord, type SystemRecord } from '../../graphql/endpoints/system-records.ts';
import { listRoutes, type Route } from '../checks/check-routes.ts';
import type { RestEndpoint, RestEndpointDefinition } from './rest-endpoint.ts';
import { endpointClass, toRestEndpoint } from './rest-endpoint-record.ts';

/** The claims of all endpoints. */
export interface RouteClaims {
  /**
   * Claims the routes of a definition for an endpoint; returns those that it had no claim on.
   *
   * Errors: invalid_body, with the name of the endpoint that has a route; nothing is claimed then.
   */
  take(endpointId: string, definition: RestEndpointDefinition): Promise<readonly string[]>;
  /** Gives up the claims of an endpoint on some routes, or on all. */
  release(endpointId: string, routes?: readonly string[]): Promise<void>;
}

const claimClass = 'com.colophon.system.RouteClaim';
const pageSize = 1000;
const maxPublishingMs = 60_000;

/** Keeps claims in the system's content service. */
export function createRouteClaims({ system, clock }: { system: ContentService; clock: Clock }): RouteClaims {
  const find = async (where: string, values: readonly unknown[]) => {
    const page = { from: claimClass, where, values, offset: 0, limit: pageSize, withCount: false };
    return (await system.find(page, {})).items;
  };

  const findClaim = async (route: string): Promise<SystemRecord | undefined> => {
    const [found] = await find('route = ?', [route]);
    return found && findRecord(system, claimClass, found._id);
  };

  const take: RouteClaims['take'] = async (endpointId, definition) => {
    const routes = listRoutes(definition).toSorted((a, b) => (a.route < b.route ? -1 : 1));
    const taken: string[] = [];
    for (const route of routes) {
      const outcome = await claim(endpointId, route.route);
      if (outcome === 'taken') taken.push(route.route);
      if (outcome === 'taken' || outcome === 'held') continue;
      await release(endpointId, taken);
      throw invalidBody([describe(route, outcome)]);
    }
    return taken;
  };

  /** Claims one route, unless another endpoint has it, which is returned. */
  async function claim(endpointId: string, route: string): Promise<'taken' | 'held' | RestEndpoint> {
    const facts = { endpointId, claimedAt: clock.nowMs() };
    try {
      await system.create({ _type: claimClass, route, ...facts }, {});
      return 'taken';
    } catch (error) {
      if (!isDomainError(error, 'value_in_use')) throw error;
    }
    const present = await findClaim(route);
    // It was given up meanwhile.
    if (!present) return claim(endpointId, route);
    if (present.asset.endpointId === endpointId) return 'held';
    const owner = await findOwner(present, route);
    if (owner) return owner;
    try {
      const update = { id: present.asset._id, ifVersions: [present.version], body: facts };
      await system.update(update, {});
      return 'taken';
    } catch (error) {
      if (!isDomainError(error, 'precondition_failed') && !isDomainError(error, 'not_found')) throw error;
      return claim(endpointId, route);
    }
  }

  /** The endpoint that a claim is good for. */
  async function findOwner({ asset }: SystemRecord, route: string): Promise<RestEndpoint | undefined> {
    const record = await findRecord(system, endpointClass, String(asset.endpointId));
    const owner = record && toRestEndpoint(record);
    const served = owner?.published ? listRoutes(owner.published.definition) : [];
    const isRecent = clock.nowMs() - Number(asset.claimedAt) < maxPublishingMs;
    return isRecent || served.some((one) => one.route === route) ? owner : undefined;
  }

  const release: RouteClaims['release'] = async (endpointId, routes) => {
    if (routes?.length === 0) return;
    for (;;) {
      const items = routes
        ? await find('endpointId = ? and route in ?', [endpointId, routes])
        : await find('endpointId = ?', [endpointId]);
      await Promise.all(items.map(({ _id }) => deleteClaim(_id)));
      if (items.length < pageSize) return;
    }
  };

  async function deleteClaim(id: string): Promise<void> {
    try {
      await system.delete({ id }, {});
    } catch (error) {
      if (!isDomainError(error, 'not_found')) throw error;
    }
  }

  return { take, release };
}

function describe({ index, route }: Route, { present }: RestEndpoint): Problem {
  const name = JSON.stringify(present.definition.name);
  return { path: `mappings[${index}].path`, message: `leads to ${route}, as does REST endpoint ${name}` };
}
