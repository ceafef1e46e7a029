/**
 * REST endpoints as records: saved as drafts, published, taken down, restored, deleted, with every state they ever had.
 *
 * A change first keeps the present state among the past ones and then replaces it, on the condition that nobody else did: of two
 * changes at once one is refused, and no state is ever lost. Records have no transactions in common, so two endpoints saved in
 * the same instant can come to the same route; the route table serves the older one and reports the other.
 */
import { notFound, preconditionFailed } from '../base/errors.ts';
import type { Clock } from '../base/runtime.ts';
import type { ContentService } from '../content/content-service.ts';
import type { GraphqlApis } from '../graphql/graphql-apis.ts';
import type { GraphqlEndpoints } from '../graphql/graphql-endpoints.ts';
import { findRecord, listRecords, recordValidator } from '../graphql/system-records.ts';
import type { JsonObject } from '../model/content-type.ts';
import {
  type CheckedEndpoint,
  checkRestEndpoint,
  readRestEndpoint,
  type Surroundings,
} from './check-endpoint.ts';
import { createHistory, type VersionRange } from './endpoint-history.ts';
import type {
  RestEndpoint,
  RestEndpointDefinition,
  RestEndpointVersion,
  VersionAction,
} from './rest-endpoint.ts';
import { endpointClass, toRestEndpoint } from './rest-endpoint-record.ts';

export { stateOf } from './rest-endpoint-record.ts';

/** Which endpoint to change, and who does it. `ifVersions` are the versions the caller may have seen; absent means any. */
export interface EndpointChange {
  readonly id: string;
  readonly ifVersions?: readonly string[];
  /** A user's email, an API client's ID, or another name of who it is. */
  readonly by: string;
}

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
  check(draft: { readonly body: JsonObject; readonly id?: string }): Promise<CheckedEndpoint>;
  /** Errors: invalid_body, value_in_use when the name is taken. */
  create(creation: { readonly body: unknown; readonly by: string }): Promise<RestEndpoint>;
  /** Replaces the draft. Errors: not_found, invalid_body, value_in_use, precondition_failed. */
  save(change: EndpointChange & { readonly body: unknown }): Promise<RestEndpoint>;
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

/** The fields of the record that a change writes, beside who did it and when. */
interface Change extends Readonly<Record<string, unknown>> {
  readonly action: VersionAction;
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
  graphqlEndpoints: Pick<GraphqlEndpoints, 'list'>;
  apis: GraphqlApis;
  systemPaths: readonly string[];
}): RestEndpoints {
  const history = createHistory(system);
  const validator = recordValidator(system, endpointClass);

  async function list(): Promise<readonly RestEndpoint[]> {
    return (await listRecords(system, endpointClass)).map(toRestEndpoint);
  }

  async function get(id: string): Promise<RestEndpoint> {
    const record = await findRecord(system, endpointClass, id);
    if (!record) throw notFound(id, 'REST endpoint');
    return toRestEndpoint(record);
  }

  /** What a body is checked against: all endpoints but the one it is for. */
  async function surroundingsOf(id: string | undefined): Promise<Surroundings> {
    const [sources, all] = await Promise.all([graphqlEndpoints.list(), list()]);
    const others = all.filter((other) => other.id !== id);
    return { sources, others, apis, systemPaths, validator };
  }

  /** Reads and checks a body, or a definition that was kept. */
  async function read(body: unknown, id?: string): Promise<RestEndpointDefinition> {
    return readRestEndpoint(body, await surroundingsOf(id));
  }

  const check: RestEndpoints['check'] = async ({ body, id }) => {
    const surroundings = await surroundingsOf(id);
    const checked = checkRestEndpoint(body, surroundings);
    const isTaken = surroundings.others.some(({ present }) => present.definition.name === body.name);
    if (!isTaken) return checked;
    const { definition: _, problems, ...rest } = checked;
    return {
      ...rest,
      problems: [...problems, { path: 'name', message: 'is the name of another REST endpoint' }],
    };
  };

  async function create({ body, by }: { body: unknown; by: string }): Promise<RestEndpoint> {
    const fields = { action: 'SAVED', ...toDraft(await read(body)) };
    const state = { number: 1, savedAt: clock.nowMs(), savedBy: by };
    return toRestEndpoint(await system.create({ _type: endpointClass, ...state, ...fields }, {}));
  }

  /** Makes the next state of what `decide` returns, or leaves everything as it is when that is nothing. */
  async function change(
    { id, ifVersions, by }: EndpointChange,
    decide: (endpoint: RestEndpoint) => Promise<Change | undefined>,
  ): Promise<RestEndpoint> {
    const endpoint = await get(id);
    if (ifVersions && !ifVersions.includes(endpoint.version)) throw preconditionFailed(id);
    const fields = await decide(endpoint);
    if (!fields) return endpoint;
    await history.keep(endpoint);
    const state = { number: endpoint.present.number + 1, savedAt: clock.nowMs(), savedBy: by };
    const update = { id: endpoint.id, ifVersions: [endpoint.version], body: { ...state, ...fields } };
    return toRestEndpoint(await system.update(update, {}));
  }

  const save: RestEndpoints['save'] = ({ body, ...which }) =>
    change(which, async ({ id }) => ({ action: 'SAVED', ...toDraft(await read(body, id)) }));

  const publish: RestEndpoints['publish'] = (which) =>
    change(which, async ({ id, present, published }) => {
      if (published?.number === present.number) return undefined;
      const definition = await read(present.definition, id);
      return { action: 'PUBLISHED', published: definition, publishedNumber: present.number + 1 };
    });

  const unpublish: RestEndpoints['unpublish'] = (which) =>
    change(which, async ({ published }) =>
      published ? { action: 'UNPUBLISHED', published: null, publishedNumber: null } : undefined,
    );

  const restore: RestEndpoints['restore'] = ({ number, ...which }) =>
    change(which, async (endpoint) => {
      const { definition } = await history.get(endpoint, number);
      return { action: 'RESTORED', ...toDraft(await read(definition, endpoint.id)) };
    });

  const remove: RestEndpoints['delete'] = async (deletion) => {
    const { id } = await get(deletion.id);
    await system.delete(deletion, {});
    await history.deleteAll(id);
  };

  return {
    list,
    get,
    check,
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

const toDraft = (draft: RestEndpointDefinition) => ({ name: draft.name, draft });
