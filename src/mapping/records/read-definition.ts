/**
 * Checks bodies and stored definitions against the REST and GraphQL endpoints of the moment.
 */
import { valueInUse } from '../../base/errors.ts';
import type { SubmittedBody } from '../../model/checked-body.ts';
import type { JsonObject } from '../../model/content-type.ts';
import {
  type CheckedEndpoint,
  checkRestEndpoint,
  readRestEndpoint,
  type Surroundings,
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
  return readRestEndpoint(submitted, await surroundingsOf(context, id));
}

/** Reads and checks a body whose name must be free as well. Errors: invalid_body, value_in_use. */
export async function readUniqueDefinition(
  context: RestEndpointContext,
  { id, ...submitted }: SubmittedBody & { readonly id?: string },
): Promise<RestEndpointDefinition> {
  const surroundings = await surroundingsOf(context, id);
  const definition = readRestEndpoint(submitted, surroundings);
  if (isNameTaken(definition.name, surroundings)) throw valueInUse('name', definition.name);
  return definition;
}

/** Finds every problem that a save of a body would report; a name in use is one of them. */
export async function checkDraft(
  context: RestEndpointContext,
  { body, problems: shown = [], id }: SubmittedBody & { readonly body: JsonObject; readonly id?: string },
): Promise<CheckedEndpoint> {
  const surroundings = await surroundingsOf(context, id);
  const checked = checkRestEndpoint({ body, problems: shown }, surroundings);
  if (!isNameTaken(body.name, surroundings)) return checked;
  const { definition: _, problems, ...rest } = checked;
  return {
    ...rest,
    problems: [...problems, { path: 'name', message: 'is the name of another REST endpoint' }],
  };
}

/** Loads the endpoints that a body is checked against. */
async function surroundingsOf(context: RestEndpointContext, id: string | undefined): Promise<Surroundings> {
  const { graphqlEndpoints, apis, systemPaths, validator } = context;
  const [sources, all] = await Promise.all([graphqlEndpoints.list(), listEndpoints(context)]);
  const others = all.filter((other) => other.id !== id);
  return { sources, own: all.find((one) => one.id === id), others, apis, systemPaths, validator };
}

function isNameTaken(name: unknown, { others }: Surroundings): boolean {
  return others.some(({ present }) => present.definition.name === name);
}
