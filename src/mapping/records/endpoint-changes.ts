/**
 * Changes the records of REST endpoints: each change stores the current state among the past ones, then replaces it if no other
 * change did so first.
 */

import { deleteRecord } from '../../access/expiring-records.ts';
import { findAll } from '../../access/find-all-records.ts';
import { isDomainError, notFound, preconditionFailed, unlessError } from '../../base/errors.ts';
import type { Clock } from '../../base/runtime.ts';
import type { ContentService } from '../../content/content-service.ts';
import type { GraphqlApis } from '../../graphql/endpoints/graphql-api.ts';
import type { GraphqlEndpoints } from '../../graphql/endpoints/graphql-endpoints.ts';
import { findRecord } from '../../graphql/endpoints/system-records.ts';
import type { AssetValidator } from '../../model/values/validate-asset.ts';
import {
  endpointClass,
  type RestEndpoint,
  type RestEndpointDefinition,
  type RestEndpointVersion,
  toPastState,
  toRestEndpoint,
  type VersionAction,
  versionClass,
} from './rest-endpoint.ts';
import type { RouteClaims } from './route-claims.ts';

/** The endpoint to change, and who changes it. `ifVersions` are the versions that the caller may have seen; absent means any. */
export interface EndpointChange {
  readonly id: string;
  readonly ifVersions?: readonly string[];
  /** A user's email, an API client's ID, or another name for who made the change. */
  readonly by: string;
}

/** The fields of the record that a change writes, beside its author and time. */
interface ChangedFields extends Readonly<Record<string, unknown>> {
  readonly action: VersionAction;
}

interface EndpointChanges {
  /** Errors: not_found. */
  get(id: string): Promise<RestEndpoint>;
  /**
   * Writes the fields that `decide` returns as the next state; changes nothing when it returns nothing.
   *
   * Errors: not_found, precondition_failed, value_in_use.
   */
  change(
    which: EndpointChange,
    decide: (endpoint: RestEndpoint) => Promise<ChangedFields | undefined>,
  ): Promise<RestEndpoint>;
  /** Restores the state of an endpoint before its latest change, unless somebody has changed it since. */
  revert(changed: RestEndpoint, former: RestEndpoint): Promise<void>;
}

/** Changes records through the content service of system records. */
export function createEndpointChanges({
  system,
  clock,
  history,
}: {
  system: ContentService;
  clock: Clock;
  history: EndpointHistory;
}): EndpointChanges {
  async function get(id: string): Promise<RestEndpoint> {
    const record = await findRecord(system, endpointClass, id);
    if (!record) throw notFound(id, 'REST endpoint');
    return toRestEndpoint(record);
  }

  const change: EndpointChanges['change'] = async ({ id, ifVersions, by }, decide) => {
    const endpoint = await get(id);
    if (ifVersions && !ifVersions.includes(endpoint.version)) throw preconditionFailed(id);
    const fields = await decide(endpoint);
    if (!fields) return endpoint;
    await history.keep(endpoint);
    const state = { number: endpoint.current.number + 1, savedAt: clock.nowMs(), savedBy: by };
    const update = { id: endpoint.id, ifVersions: [endpoint.version], body: { ...state, ...fields } };
    try {
      return toRestEndpoint(await system.update(update, {}));
    } catch (error) {
      // The endpoint was deleted with its past states before this one was stored.
      if (isDomainError(error, 'not_found')) await history.deleteAll(endpoint.id);
      throw error;
    }
  };

  const revert: EndpointChanges['revert'] = async ({ id, version }, { current }) => {
    const { number, action, savedAtMs: savedAt, savedBy, definition } = current;
    const body = { number, action, savedAt, savedBy, ...toDraft(definition) };
    const change = { id, ifVersions: [version], body };
    await unlessError(system.update(change, {}), 'precondition_failed', 'not_found');
  };

  return { get, change, revert };
}

/** Returns the fields of the record that hold a draft. */
export const toDraft = (draft: RestEndpointDefinition) => ({ name: draft.name, draft });

// The history of REST endpoints. The current state is in the endpoint's record; each past state is a separate record, stored
// before a change replaces it.
//
// A state with a number never changes, so storing one twice does no harm: a change that was interrupted after this step, or that
// another change overtook, leaves nothing wrong behind.

/** The states to list: the newest before a number. */
export interface VersionRange {
  /** Absent means that the list begins with the current state. */
  readonly before?: number;
  /** 50 when absent, and 1000 at most. */
  readonly limit?: number;
}

/** The histories of all REST endpoints. */
interface EndpointHistory {
  /** Stores the current state of an endpoint as a past one. */
  keep(endpoint: RestEndpoint): Promise<void>;
  /** Lists states, newest first. */
  list(endpoint: RestEndpoint, range?: VersionRange): Promise<readonly RestEndpointVersion[]>;
  /** Errors: not_found. */
  get(endpoint: RestEndpoint, number: number): Promise<RestEndpointVersion>;
  /** Deletes the past states of the endpoint with this ID. */
  deleteAll(endpointId: string): Promise<void>;
}

const pageSize = 1000;

/** Stores past states in the content service of system records. */
export function createEndpointHistory(system: ContentService): EndpointHistory {
  const find = async (where: string, values: readonly unknown[]) => {
    const page = { from: versionClass, where, values, offset: 0, limit: pageSize, withCount: false };
    return (await system.find(page, {})).items.map(({ asset }) => asset);
  };

  async function keep({ id, current }: RestEndpoint): Promise<void> {
    const { number, action, savedAtMs, savedBy, definition } = current;
    const state = { number, action, savedAt: savedAtMs, savedBy, definition };
    try {
      await system.create({ _type: versionClass, key: `${id}/${number}`, endpointId: id, ...state }, {});
    } catch (error) {
      if (!isDomainError(error, 'value_in_use')) throw error;
    }
  }

  const list: EndpointHistory['list'] = async ({ id, current }, { before = Infinity, limit = 50 } = {}) => {
    const high = Math.min(before - 1, current.number);
    const low = Math.max(1, high - limit + 1);
    const found = await find('endpointId = ? and number >= ? and number <= ?', [id, low, high]);
    // The current state is among them when a change stored it and then failed.
    const past = found.map(toPastState).filter(({ number }) => number !== current.number);
    const states = high === current.number ? [...past, current] : past;
    return states.sort((a, b) => b.number - a.number);
  };

  async function get({ id, current }: RestEndpoint, number: number): Promise<RestEndpointVersion> {
    if (number === current.number) return current;
    const [state] = await find('key = ?', [`${id}/${number}`]);
    if (!state) throw notFound(String(number), 'version');
    return toPastState(state);
  }

  async function deleteAll(endpointId: string): Promise<void> {
    for (;;) {
      const items = await find('endpointId = ?', [endpointId]);
      await Promise.all(items.map(({ _id }) => deleteRecord(system, _id)));
      if (items.length < pageSize) return;
    }
  }

  return { keep, list, get, deleteAll };
}

/** The parts that every operation on REST endpoints may use. */
export interface RestEndpointContext {
  readonly system: ContentService;
  readonly clock: Clock;
  readonly graphqlEndpoints: Pick<GraphqlEndpoints, 'list' | 'cancelDeletion'>;
  readonly apis: GraphqlApis;
  /** The paths that no route may have. */
  readonly systemPaths: readonly string[];
  readonly validator: AssetValidator;
  readonly claims: RouteClaims;
  readonly history: EndpointHistory;
  readonly changes: EndpointChanges;
}

/** Lists all REST endpoints, ordered by ID. */
export async function listEndpoints({
  system,
}: Pick<RestEndpointContext, 'system'>): Promise<readonly RestEndpoint[]> {
  return (await findAll(system, endpointClass)).map(toRestEndpoint);
}
