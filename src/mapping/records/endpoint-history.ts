/**
 * The history of REST endpoints. The current state is in the endpoint's record; each past state is a separate record, stored
 * before a change replaces it.
 *
 * A state with a number never changes, so storing one twice does no harm: a change that was interrupted after this step, or that
 * another change overtook, leaves nothing wrong behind.
 */
import { isDomainError, notFound } from '../../base/errors.ts';
import type { ContentService } from '../../content/content-service.ts';
import type { RestEndpoint, RestEndpointVersion } from './rest-endpoint.ts';
import { toPastState, versionClass } from './rest-endpoint-record.ts';

/** The states to list: the newest before a number. */
export interface VersionRange {
  /** Absent means that the list begins with the current state. */
  readonly before?: number;
  /** 50 when absent, and 1000 at most. */
  readonly limit?: number;
}

/** The histories of all REST endpoints. */
export interface EndpointHistory {
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
      await Promise.all(items.map(({ _id }) => deleteState(_id)));
      if (items.length < pageSize) return;
    }
  }

  async function deleteState(id: string): Promise<void> {
    try {
      await system.delete({ id }, {});
    } catch (error) {
      // Another deletion of the same endpoint has deleted it.
      if (!isDomainError(error, 'not_found')) throw error;
    }
  }

  return { keep, list, get, deleteAll };
}
