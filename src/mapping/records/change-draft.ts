/**
 * Creates REST endpoints and changes their drafts.
 *
 * A draft names the GraphQL endpoint that it is mapped onto, and somebody may be deleting that one. So the draft is written first,
 * then the deletion is cancelled; when it is too late for that, the draft is reverted.
 */
import { invalidBody } from '../../base/errors.ts';
import type { SubmittedBody } from '../../model/values/checked-body.ts';
import { deleteEndpoint } from './delete-endpoint.ts';
import { type EndpointChange, toDraft } from './endpoint-changes.ts';
import { readDefinition } from './read-definition.ts';
import type { RestEndpoint, RestEndpointDefinition, VersionAction } from './rest-endpoint.ts';
import type { RestEndpointContext } from './rest-endpoint-context.ts';
import { endpointClass, toRestEndpoint } from './rest-endpoint-record.ts';

/** Creates an endpoint with a first draft. */
export async function createEndpoint(
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
export function saveDraft(
  context: RestEndpointContext,
  { body, problems = [], ...which }: EndpointChange & SubmittedBody,
): Promise<RestEndpoint> {
  return changeDraft(context, which, {
    action: 'SAVED',
    decide: ({ id }) => readDefinition(context, { body, problems, id }),
  });
}

/** Makes a past state of an endpoint its draft. */
export function restoreVersion(
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
  /** Returns the new draft. */
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
