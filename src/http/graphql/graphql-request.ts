/**
 * Reads a GraphQL request from an HTTP request, by the specification GraphQL over HTTP: its parameters, and the media type of the
 * response.
 */
import express from 'express';
import { invalidParameter, isDomainError } from '../../base/errors.ts';
import type { JsonObject } from '../../model/content-type.ts';
import { parseJsonObject } from '../../model/values/parse-json.ts';
import { isJsonObject } from '../../model/values/validate-asset.ts';
import type { Request } from '../request/http-request.ts';

/** The parameters of a GraphQL request. `extensions` are checked but not used. */
export interface GraphqlRequest {
  readonly query: string;
  readonly operationName?: string;
  readonly variables: JsonObject;
}

/** The media types of a GraphQL response; the first is the default. */
export const graphqlMediaTypes = [
  'application/json; charset=utf-8',
  'application/graphql-response+json; charset=utf-8',
] as const;
export type GraphqlMediaType = (typeof graphqlMediaTypes)[number];

/** Returns the media type that the caller prefers, or `undefined` if it accepts none of them. */
export function chooseMediaType({ headers }: Pick<Request, 'headers'>): GraphqlMediaType | undefined {
  const { accept = anyType } = headers;
  if (accept === anyType) return graphqlMediaTypes[0];
  // Express reads nothing but the headers, although its type asks for a whole request.
  const chosen = express.request.accepts.call({ headers } as express.Request, ...graphqlMediaTypes);
  return graphqlMediaTypes.find((type) => type === chosen);
}

const anyType = '*/*';

/** Reads the parameters of a GET request. Errors: invalid_parameter. */
export function readGraphqlQuery(query: Readonly<Record<string, unknown>>): GraphqlRequest {
  const { variables, extensions } = query;
  return toGraphqlRequest({
    ...query,
    ...(variables === undefined ? {} : { variables: parseMember('variables', variables) }),
    ...(extensions === undefined ? {} : { extensions: parseMember('extensions', extensions) }),
  });
}

/** Checks the parameters of a POST request, or of a GET request after its JSON was parsed. Errors: invalid_parameter. */
export function toGraphqlRequest(parameters: Readonly<Record<string, unknown>>): GraphqlRequest {
  const { query, operationName, variables, extensions } = parameters;
  if (typeof query !== 'string') throw invalidParameter('query', 'is required, as one string');
  if (isPresent(operationName) && typeof operationName !== 'string') {
    throw invalidParameter('operationName', 'must be one string');
  }
  if (isPresent(extensions) && !isJsonObject(extensions)) throw mustBeObject('extensions');
  if (!isPresent(variables)) return { query, ...named(operationName), variables: {} };
  if (!isJsonObject(variables)) throw mustBeObject('variables');
  return { query, ...named(operationName), variables };
}

const isPresent = (value: unknown) => value !== undefined && value !== null;

const mustBeObject = (name: string) => invalidParameter(name, 'must be a JSON object');

/** By the specification, an empty name means none. */
function named(operationName: unknown): { operationName?: string } {
  return typeof operationName === 'string' && operationName !== '' ? { operationName } : {};
}

function parseMember(name: string, text: unknown): JsonObject | null {
  if (typeof text !== 'string') throw mustBeObject(name);
  if (text.trim() === 'null') return null;
  try {
    return parseJsonObject(Buffer.from(text));
  } catch (error) {
    const [problem] = isDomainError(error, 'invalid_body') ? error.details.problems : [];
    if (!problem) throw mustBeObject(name);
    const { path, message } = problem;
    // A problem of the whole value is worded for a body.
    const reason = path === '' ? message.replace(/^The body /, '') : `is wrong at ${path}, which ${message}`;
    throw invalidParameter(name, reason);
  }
}
