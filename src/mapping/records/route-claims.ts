/**
 * Claims on routes: when several processes publish endpoints with the same route at once, the store lets one of them have it.
 *
 * A publication claims its routes before it is written, one by one in the order of their names, so that of two publications that
 * share routes one always gets all its routes. A claim whose endpoint does not serve the route belongs to a publication that is
 * running or was interrupted. After a minute it counts as interrupted, and the next publication takes the claim over. Claims on paths
 * with parameters leave out the names of these. Of other paths that could match the same request, the registry serves the first one.
 */
import { deleteRecord } from '../../access/expiring-records.ts';
import { invalidBody, isDomainError, type Problem, unlessError } from '../../base/errors.ts';
import type { Clock } from '../../base/runtime.ts';
import type { ContentService, StoredAsset } from '../../content/content-service.ts';
import { findRecord, type RecordUpdate } from '../../graphql/endpoints/system-records.ts';
import { listRoutes, type Route } from '../checks/check-routes.ts';
import type { RestEndpoint, RestEndpointDefinition } from './rest-endpoint.ts';
import { endpointClass, toRestEndpoint } from './rest-endpoint.ts';

/** The claims of all endpoints. */
export interface RouteClaims {
  /**
   * Claims the routes of a definition for an endpoint; those that one of `givers` holds stay with it until it is written.
   *
   * Errors: invalid_body, with the name of the endpoint that holds a route; no claim is kept then.
   */
  claim(
    endpointId: string,
    definition: RestEndpointDefinition,
    givers?: readonly string[],
  ): Promise<ClaimedRoutes>;
  release(endpointId: string, routes?: readonly string[]): Promise<void>;
}

/** The outcome of claims. */
export interface ClaimedRoutes {
  /** The routes that are newly claimed. */
  readonly claimed: readonly string[];
  /** The writes that give the endpoint the claims of `givers`. */
  readonly held: readonly RecordUpdate[];
}

const claimClass = 'com.colophon.system.RouteClaim';
const pageSize = 1000;
const maxPublishingMs = 60_000;

/** Stores claims in the content service of system records. */
export function createRouteClaims({ system, clock }: { system: ContentService; clock: Clock }): RouteClaims {
  const find = async (where: string, values: readonly unknown[]) => {
    const page = { from: claimClass, where, values, offset: 0, limit: pageSize, withCount: false };
    return (await system.find(page, {})).items;
  };

  const claim: RouteClaims['claim'] = async (endpointId, definition, givers = []) => {
    const routes = listRoutes(definition).toSorted((a, b) => (a.route < b.route ? -1 : 1));
    const claimed: string[] = [];
    const held: RecordUpdate[] = [];
    for (const route of routes) {
      const [given] = givers.length > 0 ? await find('route = ?', [claimOf(route)]) : [];
      if (given && given.asset.endpointId !== endpointId && givers.includes(String(given.asset.endpointId))) {
        held.push(toTransfer(endpointId, given));
        continue;
      }
      const outcome = await claimRoute(endpointId, claimOf(route));
      if (outcome === 'claimed') claimed.push(claimOf(route));
      if (outcome === 'claimed' || outcome === 'held') continue;
      await release(endpointId, claimed);
      throw invalidBody([describe(route, outcome)]);
    }
    return { claimed, held };
  };

  function toTransfer(endpointId: string, { asset, version }: StoredAsset): RecordUpdate {
    return { id: asset._id, ifVersions: [version], fields: { endpointId, claimedAt: clock.nowMs() } };
  }

  /** Claims one route; when another endpoint holds it, returns that one. */
  async function claimRoute(endpointId: string, route: string): Promise<'claimed' | 'held' | RestEndpoint> {
    const facts = { endpointId, claimedAt: clock.nowMs() };
    try {
      await system.create({ _type: claimClass, route, ...facts }, {});
      return 'claimed';
    } catch (error) {
      if (!isDomainError(error, 'value_in_use')) throw error;
    }
    const [existing] = await find('route = ?', [route]);
    // It has been released meanwhile.
    if (!existing) return claimRoute(endpointId, route);
    if (existing.asset.endpointId === endpointId) return 'held';
    const owner = await findOwner(existing, route);
    if (owner) return owner;
    const update = { id: existing.asset._id, ifVersions: [existing.version], body: facts };
    const updated = await unlessError(system.update(update, {}), 'precondition_failed', 'not_found');
    return updated ? 'claimed' : claimRoute(endpointId, route);
  }

  /** Finds the endpoint that a claim belongs to, unless the claim has expired. */
  async function findOwner({ asset }: StoredAsset, route: string): Promise<RestEndpoint | undefined> {
    const record = await findRecord(system, endpointClass, String(asset.endpointId));
    const owner = record && toRestEndpoint(record);
    const served = owner?.published ? listRoutes(owner.published.definition) : [];
    const isRecent = clock.nowMs() - Number(asset.claimedAt) < maxPublishingMs;
    return isRecent || served.some((one) => claimOf(one) === route) ? owner : undefined;
  }

  const release: RouteClaims['release'] = async (endpointId, routes) => {
    if (routes?.length === 0) return;
    for (;;) {
      const items = routes
        ? await find('endpointId = ? and route in ?', [endpointId, routes])
        : await find('endpointId = ?', [endpointId]);
      await Promise.all(items.map(({ asset }) => deleteRecord(system, asset._id)));
      if (items.length < pageSize) return;
    }
  };

  return { claim, release };
}

export const claimOf = ({ route }: Route): string => route.replace(/\{\w+\}/g, '{}');

function describe({ index, route }: Route, { current }: RestEndpoint): Problem {
  const name = JSON.stringify(current.definition.name);
  return {
    path: `mappings[${index}].path`,
    message: `results in ${route}, which REST endpoint ${name} already uses`,
  };
}
