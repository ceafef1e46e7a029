/**
 * REST endpoints as records: saved as drafts, published, taken down, restored, deleted, with every state they ever had.
 *
 * A change first keeps the present state among the past ones and then replaces it, on the condition that nobody else did: of two
 * changes at once one is refused, and no state is ever lost. Records have no transactions in common. So two drafts that are saved
 * in the same instant can have the same route, of which `route-claims.ts` lets one be published; what is kept for an endpoint that
 * was deleted meanwhile is deleted again; and a draft whose source was deleted meanwhile is taken back.
 */
import { type DomainError, invalidBody, isDomainError, valueInUse } from '../../base/errors.ts';
import type { Clock } from '../../base/runtime.ts';
import { isUuid } from '../../base/uuid.ts';
import type { ContentService } from '../../content/content-service.ts';
import type { GraphqlApis } from '../../graphql/endpoints/graphql-apis.ts';
import type { GraphqlEndpoints } from '../../graphql/endpoints/graphql-endpoints.ts';
import { listRecords, recordValidator } from '../../graphql/endpoints/system-records.ts';
import type { SubmittedBody } from '../../model/checked-body.ts';
import type { JsonObject } from '../../model/content-type.ts';
import {
  type CheckedEndpoint,
  checkRestEndpoint,
  readRestEndpoint,
  type Surroundings,
} from '../checks/check-endpoint.ts';
import { listRoutes } from '../checks/check-routes.ts';
import { createEndpointChanges, type EndpointChange, toDraft } from './endpoint-changes.ts';
import { createHistory, type VersionRange } from './endpoint-history.ts';
import type {
  Published,
  RestEndpoint,
  RestEndpointDefinition,
  RestEndpointVersion,
  VersionAction,
} from './rest-endpoint.ts';
import { endpointClass, toRestEndpoint } from './rest-endpoint-record.ts';

import { createRouteClaims } from './route-claims.ts';

export type { EndpointChange } from './endpoint-changes.ts';
export { stateOf } from './rest-endpoint-record.ts';

/**
 * The records of all REST endpoints. Bodies are JSON as the admin API has them; every problem of one is reported at once, those of
 * a query with line and column. A change fails with precondition_failed also when another was quicker.
 */
export interface RestEndpoints {
  /** Ordered by ID, so the oldest first. */
  list(): Promise<readonly RestEndpoint[]>;
  /** Errors: not_found. */
  get(id: string): Promise<RestEndpoint>;
  /** The checks of a save without one; `id` is that of the endpoint it would be. A name in use is a problem here. */
  check(draft: SubmittedBody & { readonly body: JsonObject; readonly id?: string }): Promise<CheckedEndpoint>;
  /**
   * Checks a body as a save would, without saving; `id` is that of the endpoint it would be.
   *
   * Errors: invalid_body, value_in_use when the name is taken.
   */
  read(draft: SubmittedBody & { readonly id?: string }): Promise<RestEndpointDefinition>;
  /** Errors: invalid_body, value_in_use when the name is taken. */
  create(creation: SubmittedBody & { readonly by: string }): Promise<RestEndpoint>;
  /** Replaces the draft. Errors: not_found, invalid_body, value_in_use, precondition_failed. */
  save(change: EndpointChange & SubmittedBody): Promise<RestEndpoint>;
  /** Serves the draft, or changes nothing when it is what is served. Errors: not_found, invalid_body, precondition_failed. */
  publish(change: EndpointChange): Promise<RestEndpoint>;
  /** Stops serving; changes nothing when nothing is served. Errors: not_found, precondition_failed. */
  unpublish(change: EndpointChange): Promise<RestEndpoint>;
  /** Makes a past state the draft. Errors: not_found (endpoint or version), invalid_body, value_in_use, precondition_failed. */
  restore(change: EndpointChange & { readonly number: number }): Promise<RestEndpoint>;
  /** Deletes it with its past. Errors: not_found, precondition_failed. */
  delete(deletion: Omit<EndpointChange, 'by'>): Promise<void>;
  /** The states it has and had, newest first; the last is number 1. Errors: not_found. */
  versions(id: string, range?: VersionRange): Promise<readonly RestEndpointVersion[]>;
  /** Errors: not_found (endpoint or version). */
  version(id: string, number: number): Promise<RestEndpointVersion>;
  /** A text that differs once a record was written since, by any process. */
  revision(): Promise<string>;
}

/** Keeps REST endpoints in the system's content service; `systemPaths` are the paths no route may have. */
export function createRestEndpoints({
  system,
  clock,
  graphqlEndpoints,
  apis,
  systemPaths,
}: {
  system: ContentService;
  clock: Clock;
  graphqlEndpoints: Pick<GraphqlEndpoints, 'list' | 'keep'>;
  apis: GraphqlApis;
  systemPaths: readonly string[];
}): RestEndpoints {
  const claims = createRouteClaims({ system, clock });
  const history = createHistory(system);
  const { get, change, takeBack } = createEndpointChanges({ system, clock, history });
  const validator = recordValidator(system, endpointClass);

  async function list(): Promise<readonly RestEndpoint[]> {
    return (await listRecords(system, endpointClass)).map(toRestEndpoint);
  }

  /** What a body is checked against: all endpoints but the one it is for. */
  async function surroundingsOf(id: string | undefined): Promise<Surroundings> {
    const [sources, all] = await Promise.all([graphqlEndpoints.list(), list()]);
    const others = all.filter((other) => other.id !== id);
    return { sources, own: all.find((one) => one.id === id), others, apis, systemPaths, validator };
  }

  /** Reads and checks a body, or a definition that was kept. */
  async function read(submitted: SubmittedBody, id?: string): Promise<RestEndpointDefinition> {
    return readRestEndpoint(submitted, await surroundingsOf(id));
  }

  const readFree: RestEndpoints['read'] = async ({ id, ...submitted }) => {
    const surroundings = await surroundingsOf(id);
    const definition = readRestEndpoint(submitted, surroundings);
    if (isNameTaken(definition.name, surroundings)) throw valueInUse('name', definition.name);
    return definition;
  };

  const check: RestEndpoints['check'] = async ({ body, problems: shown = [], id }) => {
    const surroundings = await surroundingsOf(id);
    const checked = checkRestEndpoint({ body, problems: shown }, surroundings);
    if (!isNameTaken(body.name, surroundings)) return checked;
    const { definition: _, problems, ...rest } = checked;
    return {
      ...rest,
      problems: [...problems, { path: 'name', message: 'is the name of another REST endpoint' }],
    };
  };

  const create: RestEndpoints['create'] = async ({ by, ...submitted }) => {
    const definition = await read(submitted);
    const state = { number: 1, action: 'SAVED', savedAt: clock.nowMs(), savedBy: by };
    const record = { _type: endpointClass, ...state, ...toDraft(definition) };
    const endpoint = toRestEndpoint(await system.create(record, {}));
    if (await graphqlEndpoints.keep(definition.source)) return endpoint;
    await remove({ id: endpoint.id });
    throw sourceGone();
  };

  /** Makes what `decide` returns the draft, unless its source has been deleted by the time it is. */
  async function changeDraft(
    which: EndpointChange,
    action: VersionAction,
    decide: (endpoint: RestEndpoint) => Promise<RestEndpointDefinition>,
  ): Promise<RestEndpoint> {
    let former: RestEndpoint | undefined;
    const changed = await change(which, async (endpoint) => {
      former = endpoint;
      return { action, ...toDraft(await decide(endpoint)) };
    });
    if (await graphqlEndpoints.keep(changed.present.definition.source)) return changed;
    if (former) await takeBack(changed, former);
    throw sourceGone();
  }

  const save: RestEndpoints['save'] = ({ body, problems = [], ...which }) =>
    changeDraft(which, 'SAVED', ({ id }) => read({ body, problems }, id));

  const publish: RestEndpoints['publish'] = async (which) => {
    let taken: readonly string[] = [];
    let served: readonly string[] = [];
    try {
      const endpoint = await change(which, async ({ id, present, published }) => {
        if (published?.number === present.number) return undefined;
        const definition = await read({ body: present.definition }, id);
        served = routesOf(published);
        taken = await claims.take(id, definition);
        return { action: 'PUBLISHED', published: definition, publishedNumber: present.number + 1 };
      });
      const routes = new Set(routesOf(endpoint.published));
      await claims.release(
        endpoint.id,
        served.filter((route) => !routes.has(route)),
      );
      return endpoint;
    } catch (error) {
      // Nobody knows whether a store that failed has written.
      if (isDomainError(error) && !isStoreFailure(error)) await claims.release(which.id, taken);
      throw error;
    }
  };

  const unpublish: RestEndpoints['unpublish'] = async (which) => {
    let served: readonly string[] = [];
    const endpoint = await change(which, async ({ published }) => {
      served = routesOf(published);
      return published ? { action: 'UNPUBLISHED', published: null, publishedNumber: null } : undefined;
    });
    await claims.release(endpoint.id, served);
    return endpoint;
  };

  const restore: RestEndpoints['restore'] = ({ number, ...which }) =>
    changeDraft(which, 'RESTORED', async (endpoint) => {
      const { definition } = await history.get(endpoint, number);
      return read({ body: definition }, endpoint.id);
    });

  const remove: RestEndpoints['delete'] = async (deletion) => {
    try {
      await get(deletion.id);
      await system.delete(deletion, {});
    } catch (error) {
      // A deletion that was cut short is finished when it is asked for again.
      if (isDomainError(error, 'not_found') && isUuid(deletion.id)) await forget(deletion.id);
      throw error;
    }
    await forget(deletion.id);
  };

  /** Deletes what is kept beside the record of an endpoint. */
  async function forget(id: string): Promise<void> {
    await history.deleteAll(id.toLowerCase());
    await claims.release(id.toLowerCase());
  }

  return {
    list,
    get,
    check,
    read: readFree,
    create,
    save,
    publish,
    unpublish,
    restore,
    delete: remove,
    versions: async (id, range) => history.list(await get(id), range),
    version: async (id, number) => history.get(await get(id), number),
    revision: () => system.revision(endpointClass),
  };
}

function isNameTaken(name: unknown, { others }: Surroundings): boolean {
  return others.some(({ present }) => present.definition.name === name);
}

const routesOf = (published: Published | undefined) =>
  published ? listRoutes(published.definition).map(({ route }) => route) : [];

const isStoreFailure = (error: DomainError) =>
  isDomainError(error, 'store_busy') || isDomainError(error, 'store_failure');

const sourceGone = () => invalidBody([{ path: 'source', message: 'has just been deleted' }]);
