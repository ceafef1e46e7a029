/**
 * REST endpoints as records: saved as drafts, published, taken down, restored and deleted, with every state they ever had.
 *
 * Each operation is a file beside this one. A change first stores the current state among the past ones, then replaces it if
 * no other change did so first: of two changes at once one is refused, and no state is lost. Several records cannot be changed in
 * one transaction. So two drafts that are saved at the same time can have the same route, of which `route-claims.ts` lets one be
 * published; past states of an endpoint that has been deleted meanwhile are deleted again; and a draft whose source has been
 * deleted meanwhile is reverted.
 */

import { isDomainError, isStoreError } from '../../base/errors.ts';
import type { Clock } from '../../base/runtime.ts';
import type { ContentService } from '../../content/content-service.ts';
import type { GraphqlApis } from '../../graphql/endpoints/graphql-apis.ts';
import type { GraphqlEndpoints } from '../../graphql/endpoints/graphql-endpoints.ts';
import { recordValidator } from '../../graphql/endpoints/system-records.ts';
import type { JsonObject } from '../../model/content-type.ts';
import type { SubmittedBody } from '../../model/values/checked-body.ts';
import {
  type CheckedEndpoint,
  checkRestEndpoint,
  type EndpointCheckContext,
} from '../checks/check-endpoint.ts';
import { listRoutes } from '../checks/check-routes.ts';
import { createEndpoint, restoreVersion, saveDraft } from './change-draft.ts';
import { deleteEndpoint } from './delete-endpoint.ts';
import { createEndpointChanges, type EndpointChange } from './endpoint-changes.ts';
import { createEndpointHistory, type VersionRange } from './endpoint-history.ts';
import { type PublishedTogether, publishTogether } from './publish-together.ts';
import { checkDraft, readDefinition, readUniqueDefinition } from './read-definition.ts';
import type {
  Published,
  RestEndpoint,
  RestEndpointDefinition,
  RestEndpointVersion,
} from './rest-endpoint.ts';
import { listEndpoints, type RestEndpointContext } from './rest-endpoint-context.ts';
import { endpointClass } from './rest-endpoint-record.ts';
import { claimOf, createRouteClaims } from './route-claims.ts';

export type { EndpointChange } from './endpoint-changes.ts';
export { stateOf } from './rest-endpoint-record.ts';

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
