/**
 * Serves the GraphQL endpoints under `/graphql`, by the specification GraphQL over HTTP.
 *
 * Every error is reported as a GraphQL response; as the specification says, its status depends on the media type.
 */

import express from 'express';
import { invalidParameter, isDomainError, methodNotAllowed, routeNotFound } from '../../base/errors.ts';
import { jsonTexts } from '../../base/json-bytes.ts';
import { shorten } from '../../base/problems.ts';
import type { Caller } from '../../content/reading/find-assets.ts';
import type { EndpointDocuments, ServedDocument } from '../../graphql/documents/served-documents.ts';
import { hashDocument } from '../../graphql/documents/trusted-documents.ts';
import type {
  GraphqlApi,
  GraphqlResponse,
  PreparedOperation,
  RefusedDocument,
} from '../../graphql/operation.ts';
import type { ServedEndpoint } from '../../mapping/routes/published-apis.ts';
import type { JsonObject } from '../../model/content-type.ts';
import { parseJsonObject } from '../../model/values/parse-json.ts';
import { isJsonObject } from '../../model/values/validate-asset.ts';
import {
  assertReadsRelease,
  authorizeRequest,
  chooseRelease,
  credentialHeaders,
  uncached,
} from '../credentials/authenticate.ts';
import { headersOf, statusOf } from '../error-map.ts';
import { assertWithinRequestLimit } from '../request/limit-requests.ts';
import { createJsonReader } from '../request/read-body.ts';
import {
  disconnectSignal,
  parseQuery,
  queryText,
  type Request,
  type RequestHandler,
  type RequestLocals,
  type Response,
  readOrigin,
} from '../request/request-head.ts';
import { logFailedRequest, noteFailures } from '../request/request-telemetry.ts';
import { addVary, applyCors, createCompressingSender } from '../response/send-response.ts';
import type { ServingContext } from './run-operation.ts';
import {
  createOperationRunner,
  findStoreFailure,
  type GraphqlBody,
  toFailureBody,
  toGraphqlBody,
  toRefusedBody,
  toUnavailableBody,
} from './run-operation.ts';

/** Where the endpoints are. */
const basePath = '/graphql';
const methods = ['GET', 'HEAD', 'POST'];

/** Creates the handler of `/graphql/<path>`, which is mounted at `/graphql`. */
export function serveGraphql(services: ServingContext): RequestHandler {
  const { publishedApis, authenticator, requests, limits, origins, rateLimiter, logger } = services;
  const runOperation = createOperationRunner({ requests, logger });
  const readObject = createJsonReader(limits);
  const sendCompressed = createCompressingSender();

  async function send(
    response: Response,
    { status, headers, mediaType, body, isLarge }: GraphqlHttpResponse,
  ): Promise<void> {
    const all = { ...headers, 'Content-Type': mediaType, 'Cache-Control': uncached(response) };
    const content = isLarge ? { stream: { texts: jsonTexts(body) } } : { body };
    await sendCompressed(response, { status, headers: all, ...content });
  }

  async function answer(request: Request, response: Response): Promise<void> {
    // The application sets these members.
    const locals = response.locals as RequestLocals;
    const { path } = locals;
    const served = publishedApis.findEndpoint(path.slice(basePath.length + 1));
    if (served) {
      locals.route = path;
      if (applyCors(request, response, { cors: served.endpoint.cors, methods })) return;
    }
    assertWithinRequestLimit(response);
    if (!served) throw routeNotFound(path);
    const { access, id: endpointId, preview = false } = served.endpoint;
    const client = await authorizeRequest(request, response, { access, endpointId, authenticator });
    const reader = await chooseRelease(request, response, { access, preview, client, services });
    const caller = { ...reader, signal: disconnectSignal(response) };
    const origin = readOrigin(request, locals);
    rateLimiter?.assertWithin(response, origin);
    await origins.runAs(origin, () => run(request, response, { served, caller }));
  }

  async function run(
    request: Request,
    response: Response,
    { served, caller }: { served: ServedEndpoint; caller: Caller },
  ): Promise<void> {
    const mediaType = chooseMediaType(request);
    if (!mediaType) return send(response, toUnacceptedResponse());
    const asked = await readRequest(request, response);
    const { operationName, variables } = asked;
    const document = findDocument(served, asked);
    if ('code' in document) return send(response, toUnavailableResponse(document, mediaType));
    const operation = document.prepare(operationName);
    if (isRefused(operation)) return send(response, toRefusalResponse(operation, mediaType));
    if (operation.kind === 'mutation' && isGet(request))
      throw methodNotAllowed('A mutation by GET', ['POST']);
    assertReadsRelease(response, operation);
    // The application sets these members.
    const locals = response.locals as RequestLocals;
    locals.usedTypes = operation.readTypes;
    const result = await runOperation(
      { request, response },
      {
        operation,
        route: locals.path,
        parameters: { query: document.text, operationName: operationName ?? null, variables, mediaType },
        input: { variables, caller },
        toResult(result) {
          noteFailures(response, { result, operation });
          return toRunResponse(result, mediaType);
        },
      },
    );
    await send(response, result);
  }

  function readRequest(request: Request, response: Response): Promise<GraphqlRequest> {
    if (isGet(request)) return Promise.resolve(readGraphqlQuery(parseQuery(queryText(request))));
    if (request.method !== 'POST') throw methodNotAllowed(request.method, methods);
    return readObject(request, response).then(toGraphqlRequest);
  }

  return (request, response) => {
    addVary(response, `Accept, ${credentialHeaders}`);
    return answer(request, response).catch((error: unknown) => {
      logFailedRequest(logger, response, error);
      const mediaType = chooseMediaType(request) ?? graphqlMediaTypes[0];
      const [status, headers, body] = [statusOf(error), headersOf(error), toFailureBody(error)];
      return send(response, { status, headers, mediaType, body });
    });
  };
}

interface GraphqlHttpResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly mediaType: GraphqlMediaType;
  readonly body: GraphqlBody;
  /** Whether the body is printed while it is sent. */
  readonly isLarge?: boolean;
}

/** Builds the response for a refused document. Only an exceeded limit gives `application/json` another status than 200. */
function toRefusalResponse(refused: RefusedDocument, mediaType: GraphqlMediaType): GraphqlHttpResponse {
  return { status: requestErrorStatus(refused.cause, mediaType), mediaType, body: toRefusedBody(refused) };
}

/** Builds the response for a document that is not there. Clients of Apollo's protocol expect the status 200. */
function toUnavailableResponse(
  unavailable: UnavailableDocument,
  mediaType: GraphqlMediaType,
): GraphqlHttpResponse {
  const status = unavailable.isPersistedQuery ? 200 : requestErrorStatus(undefined, mediaType);
  return { status, mediaType, body: toUnavailableBody(unavailable) };
}

/**
 * Builds the response for an operation. With data its status is 200, even with errors; without data the operation did not run.
 * After a failure of the store, the response has the status of that failure and no data, because with data the specification
 * demands 200.
 */
function toRunResponse(result: GraphqlResponse, mediaType: GraphqlMediaType): GraphqlHttpResponse {
  const failure = findStoreFailure(result);
  if (failure) {
    const { data: _, ...body } = toGraphqlBody(result);
    return { status: statusOf(failure), headers: headersOf(failure), mediaType, body };
  }
  const { isLarge = false } = result;
  const hasRun = result.data !== undefined;
  const status = hasRun ? 200 : requestErrorStatus(result.errors?.[0]?.cause, mediaType);
  return { status, mediaType, body: toGraphqlBody(result), isLarge };
}

function requestErrorStatus(cause: unknown, mediaType: GraphqlMediaType): number {
  if (isDomainError(cause)) return statusOf(cause);
  return mediaType === graphqlMediaTypes[0] ? 200 : 400;
}

function toUnacceptedResponse(): GraphqlHttpResponse {
  const message = `This endpoint responds with ${graphqlMediaTypes.join(' or ')}`;
  const body: GraphqlBody = { errors: [{ message, extensions: { code: 'not_acceptable' } }] };
  return { status: 406, mediaType: graphqlMediaTypes[0], body };
}

function isRefused(operation: PreparedOperation | RefusedDocument): operation is RefusedDocument {
  return 'problems' in operation;
}

const isGet = ({ method }: Request) => method === 'GET' || method === 'HEAD';

// Reads a GraphQL request from an HTTP request, by the specification GraphQL over HTTP: its parameters, and the media type of the
// response.

/**
 * The parameters of a GraphQL request. It names its document by one of the first three: as a text, by the ID of a stored document, or
 * by the hash of Apollo's protocol of automatic persisted queries, which may come with the text. Other `extensions` are not used.
 */
interface GraphqlRequest {
  readonly query?: string;
  readonly documentId?: string;
  /** The SHA-256 of the document, in hexadecimal. */
  readonly persistedHash?: string;
  readonly operationName?: string;
  readonly variables: JsonObject;
}

/** The media types of a GraphQL response; the first is the default. */
const graphqlMediaTypes = [
  'application/json; charset=utf-8',
  'application/graphql-response+json; charset=utf-8',
] as const;
type GraphqlMediaType = (typeof graphqlMediaTypes)[number];

/** Returns the media type that the caller prefers, or `undefined` if it accepts none of them. */
function chooseMediaType({ headers }: Pick<Request, 'headers'>): GraphqlMediaType | undefined {
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

// Finds the document that a request wants to run: the one that it has, one that is stored for the endpoint, or one that a client has
// sent before by Apollo's protocol of automatic persisted queries (APQ).

/** Why a document is not run; `isPersistedQuery` says that the protocol of Apollo determines the response. */
interface UnavailableDocument {
  readonly code: string;
  readonly message: string;
  readonly isPersistedQuery?: true;
}

/** An endpoint that serves documents. */
interface DocumentSource {
  readonly endpoint: { readonly trustedOnly: boolean };
  readonly api: GraphqlApi;
  readonly documents: EndpointDocuments;
}

/** The name of the parameter with the hash, in errors. */
const hashName = 'extensions.persistedQuery.sha256Hash';

/** Finds the document. Errors: invalid_parameter for a hash that is not that of the query. */
function findDocument(
  source: DocumentSource,
  { query, documentId, persistedHash }: GraphqlRequest,
): ServedDocument | UnavailableDocument {
  const { endpoint, api, documents } = source;
  if (documentId !== undefined) {
    return documents.trusted.get(documentId.replace(/^sha256:/, '')) ?? unknownDocument(documentId);
  }
  if (query === undefined) return findPersisted(source, persistedHash ?? '');
  const hash = persistedHash !== undefined || endpoint.trustedOnly ? hashDocument(query) : '';
  if (persistedHash !== undefined && persistedHash !== hash)
    throw invalidParameter(hashName, 'is not the SHA-256 of the query');
  if (endpoint.trustedOnly) return documents.trusted.get(hash) ?? untrustedDocument;
  if (persistedHash === undefined) return { text: query, prepare: (name) => api.prepare(query, name) };
  return {
    text: query,
    prepare(name) {
      const prepared = api.prepare(query, name);
      if (!('problems' in prepared)) documents.automatic.set(hash, query);
      return prepared;
    },
  };
}

function findPersisted(
  { endpoint, api, documents: { trusted, automatic } }: DocumentSource,
  hash: string,
): ServedDocument | UnavailableDocument {
  const stored = trusted.get(hash);
  if (stored) return stored;
  if (endpoint.trustedOnly) return notSupported;
  const text = automatic.get(hash);
  return text === undefined ? notFound : { text, prepare: (name) => api.prepare(text, name) };
}

// The clients of Apollo and others recognize these by their messages or codes.
const notFound: UnavailableDocument = {
  code: 'PERSISTED_QUERY_NOT_FOUND',
  message: 'PersistedQueryNotFound',
  isPersistedQuery: true,
};
const notSupported: UnavailableDocument = {
  code: 'PERSISTED_QUERY_NOT_SUPPORTED',
  message: 'PersistedQueryNotSupported',
  isPersistedQuery: true,
};

const untrustedDocument: UnavailableDocument = {
  code: 'untrusted_document',
  message: 'This endpoint runs only the documents that are stored for it',
};

const unknownDocument = (documentId: string): UnavailableDocument => ({
  code: 'unknown_document',
  message: `This endpoint has no document ${JSON.stringify(shorten(documentId))}`,
});
