/**
 * Changes the records of REST endpoints: each change stores the current state among the past ones, then replaces it if no other
 * change did so first.
 */
import { isDomainError, notFound, preconditionFailed } from '../../base/errors.ts';
import type { Clock } from '../../base/runtime.ts';
import type { ContentService } from '../../content/content-service.ts';
import { findRecord } from '../../graphql/endpoints/system-records.ts';
import type { EndpointHistory } from './endpoint-history.ts';
import type { RestEndpoint, RestEndpointDefinition, VersionAction } from './rest-endpoint.ts';
import { endpointClass, toRestEndpoint } from './rest-endpoint-record.ts';

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

/** Reads and changes the records. */
export interface EndpointChanges {
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
    try {
      await system.update({ id, ifVersions: [version], body }, {});
    } catch (error) {
      if (!isDomainError(error, 'precondition_failed') && !isDomainError(error, 'not_found')) throw error;
    }
  };

  return { get, change, revert };
}

/** Returns the fields of the record that hold a draft. */
export const toDraft = (draft: RestEndpointDefinition) => ({ name: draft.name, draft });
