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

/**
 * The parameters of a GraphQL request. It names its document by one of the first three: as a text, by the ID of a stored document, or
 * by the hash of Apollo's protocol of automatic persisted queries, which may come with the text. Other `extensions` are not used.
 */
export interface GraphqlRequest {
  readonly query?: string;
  readonly documentId?: string;
  /** The SHA-256 of the document, in hexadecimal. */
  readonly persistedHash?: string;
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
  const { operationName, variables, extensions } = parameters;
  if (isPresent(operationName) && typeof operationName !== 'string') {
    throw invalidParameter('operationName', 'must be one string');
  }
  if (isPresent(extensions) && !isJsonObject(extensions)) throw mustBeObject('extensions');
  const document = readDocument(parameters);
  if (!isPresent(variables)) return { ...document, ...named(operationName), variables: {} };
  if (!isJsonObject(variables)) throw mustBeObject('variables');
  return { ...document, ...named(operationName), variables };
}

/** Reads what names the document. Errors: invalid_parameter. */
function readDocument({
  query,
  documentId,
  extensions,
}: Readonly<Record<string, unknown>>): Pick<GraphqlRequest, 'query' | 'documentId' | 'persistedHash'> {
  if (isPresent(documentId)) {
    if (typeof documentId !== 'string') throw invalidParameter('documentId', 'must be one string');
    if (isPresent(query)) throw invalidParameter('documentId', 'cannot be combined with "query"');
    return { documentId };
  }
  const hash = readPersistedHash(isJsonObject(extensions) ? extensions.persistedQuery : undefined);
  if (hash !== undefined && !isPresent(query)) return { persistedHash: hash };
  if (typeof query !== 'string') throw invalidParameter('query', 'is required, as one string');
  return { query, ...(hash !== undefined && { persistedHash: hash }) };
}

/** Reads the member `persistedQuery` of `extensions`. Errors: invalid_parameter. */
function readPersistedHash(persisted: unknown): string | undefined {
  if (!isPresent(persisted)) return undefined;
  const path = 'extensions.persistedQuery';
  if (!isJsonObject(persisted)) throw mustBeObject(path);
  const { version, sha256Hash } = persisted;
  if (version !== 1) throw invalidParameter(`${path}.version`, 'must be 1');
  if (typeof sha256Hash !== 'string' || !/^[0-9a-f]{64}$/.test(sha256Hash))
    throw invalidParameter(`${path}.sha256Hash`, 'must be 64 hexadecimal digits in lower case');
  return sha256Hash;
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
