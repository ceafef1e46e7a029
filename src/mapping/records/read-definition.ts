/**
 * Checks bodies and stored definitions against the REST and GraphQL endpoints of the moment.
 */
import { valueInUse } from '../../base/errors.ts';
import type { JsonObject } from '../../model/content-type.ts';
import type { SubmittedBody } from '../../model/values/checked-body.ts';
import {
  type CheckedEndpoint,
  checkRestEndpoint,
  type EndpointCheckContext,
  readRestEndpoint,
} from '../checks/check-endpoint.ts';
import type { RestEndpointDefinition } from './rest-endpoint.ts';
import { listEndpoints, type RestEndpointContext } from './rest-endpoint-context.ts';

/**
 * Reads and checks a body, or a stored definition; `id` is that of the endpoint it is for, absent for a new one.
 *
 * Errors: invalid_body.
 */
export async function readDefinition(
  context: RestEndpointContext,
  { id, ...submitted }: SubmittedBody & { readonly id?: string },
): Promise<RestEndpointDefinition> {
  return readRestEndpoint(submitted, await checkContextOf(context, id));
}

/** Reads and checks a body whose name must be free as well. Errors: invalid_body, value_in_use. */
export async function readUniqueDefinition(
  context: RestEndpointContext,
  { id, ...submitted }: SubmittedBody & { readonly id?: string },
): Promise<RestEndpointDefinition> {
  const checkContext = await checkContextOf(context, id);
  const definition = readRestEndpoint(submitted, checkContext);
  if (isNameTaken(definition.name, checkContext)) throw valueInUse('name', definition.name);
  return definition;
}

/** Finds every problem that a save of a body would report; a name in use is one of them. */
export async function checkDraft(
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
