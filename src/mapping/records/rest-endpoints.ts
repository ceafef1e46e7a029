/**
 * REST endpoints as records: saved as drafts, published, taken down, restored and deleted, with every state they ever had.
 *
 * A change first stores the current state among the past ones, then replaces it if
 * no other change did so first: of two changes at once one is refused, and no state is lost. Several records cannot be changed in
 * one transaction. So two drafts that are saved at the same time can have the same route, of which `route-claims.ts` lets one be
 * published; past states of an endpoint that has been deleted meanwhile are deleted again; and a draft whose source has been
 * deleted meanwhile is reverted.
 */

import { invalidBody, isDomainError, isStoreError, valueInUse } from '../../base/errors.ts';
import type { Clock } from '../../base/runtime.ts';
import { isUuid } from '../../base/uuid.ts';
import type { ContentService } from '../../content/content-service.ts';
import type { GraphqlApis } from '../../graphql/endpoints/graphql-api.ts';
import type { GraphqlEndpoints } from '../../graphql/endpoints/graphql-endpoints.ts';
import { recordValidator } from '../../graphql/endpoints/system-records.ts';
import type { JsonObject } from '../../model/content-type.ts';
import type { SubmittedBody } from '../../model/values/checked-body.ts';
import {
  type CheckedEndpoint,
  checkRestEndpoint,
  type EndpointCheckContext,
  readRestEndpoint,
} from '../checks/check-endpoint.ts';
import { listRoutes } from '../checks/check-routes.ts';
import {
  createEndpointChanges,
  createEndpointHistory,
  type EndpointChange,
  listEndpoints,
  type RestEndpointContext,
  toDraft,
  type VersionRange,
} from './endpoint-changes.ts';
import { type PublishedTogether, publishTogether } from './publish-together.ts';
import type {
  Published,
  RestEndpoint,
  RestEndpointDefinition,
  RestEndpointVersion,
  VersionAction,
} from './rest-endpoint.ts';
import { endpointClass, toRestEndpoint } from './rest-endpoint.ts';
import { claimOf, createRouteClaims } from './route-claims.ts';

export type { EndpointChange } from './endpoint-changes.ts';
export { stateOf } from './rest-endpoint.ts';

/**
 * The records of all REST endpoints. Bodies are the JSON of the admin API. All problems of a body are reported at once, those of a
 * query with line and column. A change fails with precondition_failed also when another change came first.
 */
export interface RestEndpoints {
  /** Lists all of them by ID, so the oldest first. */
  list(): Promise<readonly RestEndpoint[]>;
  /** Errors: not_found. */
  get(id: string): Promise<RestEndpoint>;
  /** Runs the checks of a save and saves nothing; `id` is that of the endpoint to save. A name in use is a problem here. */
  check(draft: SubmittedBody & { readonly body: JsonObject; readonly id?: string }): Promise<CheckedEndpoint>;
  /** Checks a body as that of a save beside the given endpoints, which need not be stored. */
  checkBeside(
    body: JsonObject,
    beside: Pick<EndpointCheckContext, 'sources' | 'own' | 'others' | 'apis'>,
  ): CheckedEndpoint;
  /**
   * Reads a body with the checks of a save and saves nothing; `id` is that of the endpoint to save.
   *
   * Errors: invalid_body, value_in_use when the name is taken.
   */
  read(draft: SubmittedBody & { readonly id?: string }): Promise<RestEndpointDefinition>;
  /** Errors: invalid_body, value_in_use when the name is taken. */
  create(creation: SubmittedBody & { readonly by: string }): Promise<RestEndpoint>;
  /** Replaces the draft. Errors: not_found, invalid_body, value_in_use, precondition_failed. */
  save(change: EndpointChange & SubmittedBody): Promise<RestEndpoint>;
  /** Serves the draft; changes nothing when it is served already. Errors: not_found, invalid_body, precondition_failed. */
  publish(change: EndpointChange): Promise<RestEndpoint>;
  /**
   * Saves and publishes definitions in one step, in which they can take over routes of each other.
   *
   * Errors: not_found, invalid_body, value_in_use, precondition_failed; nothing has changed then.
   */
  publishTogether(change: {
    readonly changes: readonly PublishedTogether[];
    readonly by: string;
  }): Promise<void>;
  /** Stops serving; changes nothing when the endpoint is not served. Errors: not_found, precondition_failed. */
  unpublish(change: EndpointChange): Promise<RestEndpoint>;
  /** Makes a past state the draft. Errors: not_found (endpoint or version), invalid_body, value_in_use, precondition_failed. */
  restore(change: EndpointChange & { readonly number: number }): Promise<RestEndpoint>;
  /** Deletes the endpoint with its past states. Errors: not_found, precondition_failed. */
  delete(deletion: Omit<EndpointChange, 'by'>): Promise<void>;
  /** Lists the current and past states, newest first; the last is number 1. Errors: not_found. */
  versions(id: string, range?: VersionRange): Promise<readonly RestEndpointVersion[]>;
  /** Errors: not_found (endpoint or version). */
  version(id: string, number: number): Promise<RestEndpointVersion>;
  /** Returns a text that changes with every write of a record by any process. */
  revision(): Promise<string>;
}

/** Stores REST endpoints in the content service of system records; `systemPaths` are the paths that no route may have. */
export function createRestEndpoints({
  system,
  clock,
  ...given
}: {
  system: ContentService;
  clock: Clock;
  graphqlEndpoints: Pick<GraphqlEndpoints, 'list' | 'cancelDeletion'>;
  apis: GraphqlApis;
  systemPaths: readonly string[];
}): RestEndpoints {
  const claims = createRouteClaims({ system, clock });
  const history = createEndpointHistory(system);
  const changes = createEndpointChanges({ system, clock, history });
  const validator = recordValidator(system, endpointClass);
  const context: RestEndpointContext = { ...given, system, clock, validator, claims, history, changes };
  return {
    list: () => listEndpoints(context),
    get: changes.get,
    check: (draft) => checkDraft(context, draft),
    checkBeside: (body, beside) => checkRestEndpoint({ body, problems: [] }, { ...context, ...beside }),
    read: (draft) => readUniqueDefinition(context, draft),
    create: (creation) => createEndpoint(context, creation),
    save: (change) => saveDraft(context, change),
    publish: (change) => publishEndpoint(context, change),
    publishTogether: (change) => publishTogether(context, change),
    unpublish: (change) => unpublishEndpoint(context, change),
    restore: (change) => restoreVersion(context, change),
    delete: (deletion) => deleteEndpoint(context, deletion),
    versions: async (id, range) => history.list(await changes.get(id), range),
    version: async (id, number) => history.get(await changes.get(id), number),
    revision: () => system.revision(endpointClass),
  };
}

/** Serves the draft of an endpoint; changes nothing when it is served already. */
async function publishEndpoint(context: RestEndpointContext, which: EndpointChange): Promise<RestEndpoint> {
  const { changes, claims } = context;
  let claimed: readonly string[] = [];
  let servedBefore: readonly string[] = [];
  try {
    const endpoint = await changes.change(which, async ({ id, current, published }) => {
      if (published?.number === current.number) return undefined;
      const definition = await readDefinition(context, { body: current.definition, id });
      servedBefore = routesOf(published);
      ({ claimed } = await claims.claim(id, definition));
      return { action: 'PUBLISHED', published: definition, publishedNumber: current.number + 1 };
    });
    const served = new Set(routesOf(endpoint.published));
    await claims.release(
      endpoint.id,
      servedBefore.filter((route) => !served.has(route)),
    );
    return endpoint;
  } catch (error) {
    // A failing store may have written the publication, so the claims stay.
    if (isDomainError(error) && !isStoreError(error)) await claims.release(which.id, claimed);
    throw error;
  }
}

/** Stops serving an endpoint; changes nothing when it is not served. */
async function unpublishEndpoint(
  { changes, claims }: RestEndpointContext,
  which: EndpointChange,
): Promise<RestEndpoint> {
  let servedBefore: readonly string[] = [];
  const endpoint = await changes.change(which, async ({ published }) => {
    servedBefore = routesOf(published);
    return published ? { action: 'UNPUBLISHED', published: null, publishedNumber: null } : undefined;
  });
  await claims.release(endpoint.id, servedBefore);
  return endpoint;
}

const routesOf = (published: Published | undefined) =>
  published ? listRoutes(published.definition).map(claimOf) : [];

// Creates REST endpoints and changes their drafts.
//
// A draft names the GraphQL endpoint that it is mapped onto, and somebody may be deleting that one. So the draft is written first,
// then the deletion is cancelled; when it is too late for that, the draft is reverted.

/** Creates an endpoint with a first draft. */
async function createEndpoint(
  context: RestEndpointContext,
  { by, ...submitted }: SubmittedBody & { readonly by: string },
): Promise<RestEndpoint> {
  const { system, clock, graphqlEndpoints } = context;
  const definition = await readDefinition(context, submitted);
  const state = { number: 1, action: 'SAVED', savedAt: clock.nowMs(), savedBy: by };
  const record = { _type: endpointClass, ...state, ...toDraft(definition) };
  const endpoint = toRestEndpoint(await system.create(record, {}));
  if (await graphqlEndpoints.cancelDeletion(definition.source)) return endpoint;
  await deleteEndpoint(context, { id: endpoint.id });
  throw sourceDeleted();
}

/** Replaces the draft of an endpoint. */
function saveDraft(
  context: RestEndpointContext,
  { body, problems = [], ...which }: EndpointChange & SubmittedBody,
): Promise<RestEndpoint> {
  return changeDraft(context, which, {
    action: 'SAVED',
    decide: ({ id }) => readDefinition(context, { body, problems, id }),
  });
}

/** Makes a past state of an endpoint its draft. */
function restoreVersion(
  context: RestEndpointContext,
  { number, ...which }: EndpointChange & { readonly number: number },
): Promise<RestEndpoint> {
  return changeDraft(context, which, {
    action: 'RESTORED',
    async decide(endpoint) {
      const { definition } = await context.history.get(endpoint, number);
      return readDefinition(context, { body: definition, id: endpoint.id });
    },
  });
}

interface DraftChange {
  readonly action: VersionAction;
  decide(endpoint: RestEndpoint): Promise<RestEndpointDefinition>;
}

async function changeDraft(
  { changes, graphqlEndpoints }: RestEndpointContext,
  which: EndpointChange,
  { action, decide }: DraftChange,
): Promise<RestEndpoint> {
  let former: RestEndpoint | undefined;
  const changed = await changes.change(which, async (endpoint) => {
    former = endpoint;
    return { action, ...toDraft(await decide(endpoint)) };
  });
  if (await graphqlEndpoints.cancelDeletion(changed.current.definition.source)) return changed;
  if (former) await changes.revert(changed, former);
  throw sourceDeleted();
}

const sourceDeleted = () => invalidBody([{ path: 'source', message: 'has just been deleted' }]);

/** Deletes one endpoint. Errors: not_found, precondition_failed. */
async function deleteEndpoint(
  context: RestEndpointContext,
  deletion: Omit<EndpointChange, 'by'>,
): Promise<void> {
  try {
    await context.changes.get(deletion.id);
    await context.system.delete(deletion, {});
  } catch (error) {
    // A deletion that was interrupted is completed when it is requested again.
    if (isDomainError(error, 'not_found') && isUuid(deletion.id)) await deleteRest(context, deletion.id);
    throw error;
  }
  await deleteRest(context, deletion.id);
}

/** Deletes the past states and the claims of an endpoint. */
async function deleteRest({ history, claims }: RestEndpointContext, id: string): Promise<void> {
  await history.deleteAll(id.toLowerCase());
  await claims.release(id.toLowerCase());
}

/**
 * Reads and checks a body, or a stored definition; `id` is that of the endpoint it is for, absent for a new one.
 *
 * Errors: invalid_body.
 */
async function readDefinition(
  context: RestEndpointContext,
  { id, ...submitted }: SubmittedBody & { readonly id?: string },
): Promise<RestEndpointDefinition> {
  return readRestEndpoint(submitted, await checkContextOf(context, id));
}

/** Reads and checks a body whose name must be free as well. Errors: invalid_body, value_in_use. */
async function readUniqueDefinition(
  context: RestEndpointContext,
  { id, ...submitted }: SubmittedBody & { readonly id?: string },
): Promise<RestEndpointDefinition> {
  const checkContext = await checkContextOf(context, id);
  const definition = readRestEndpoint(submitted, checkContext);
  if (isNameTaken(definition.name, checkContext)) throw valueInUse('name', definition.name);
  return definition;
}

/** Finds every problem that a save of a body would report; a name in use is one of them. */
async function checkDraft(
  context: RestEndpointContext,
  { body, problems: shown = [], id }: SubmittedBody & { readonly body: JsonObject; readonly id?: string },
): Promise<CheckedEndpoint> {
  const checkContext = await checkContextOf(context, id);
  const checked = checkRestEndpoint({ body, problems: shown }, checkContext);
  if (!isNameTaken(body.name, checkContext)) return checked;
  const { definition: _, problems, ...rest } = checked;
  return {
    ...rest,
    problems: [...problems, { path: 'name', message: 'is the name of another REST endpoint' }],
  };
}

/** Loads the endpoints that a body is checked against. */
async function checkContextOf(
  context: RestEndpointContext,
  id: string | undefined,
): Promise<EndpointCheckContext> {
  const { graphqlEndpoints, apis, systemPaths, validator } = context;
  const [sources, all] = await Promise.all([graphqlEndpoints.list(), listEndpoints(context)]);
  const others = all.filter((other) => other.id !== id);
  return { sources, own: all.find((one) => one.id === id), others, apis, systemPaths, validator };
}

function isNameTaken(name: unknown, { others }: EndpointCheckContext): boolean {
  return others.some(({ current }) => current.definition.name === name);
}
