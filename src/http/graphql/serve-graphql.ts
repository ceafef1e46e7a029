/**
 * Serves the GraphQL endpoints under `/graphql`, by the specification GraphQL over HTTP.
 *
 * Every error is reported as a GraphQL response; as the specification says, its status depends on the media type.
 */
import { isDomainError, methodNotAllowed, routeNotFound } from '../../base/errors.ts';
import { jsonTexts } from '../../base/json-texts.ts';
import type { Caller } from '../../content/reading/find-assets.ts';
import type { GraphqlResponse, PreparedOperation, RefusedDocument } from '../../graphql/operation.ts';
import type { ServedEndpoint } from '../../mapping/routes/published-apis.ts';
import { authorizeRequest, credentialHeaders } from '../credentials/authorize-request.ts';
import { assertReadsRelease, chooseRelease, uncached } from '../credentials/choose-release.ts';
import { headersOf, statusOf } from '../error-map.ts';
import { disconnectSignal } from '../request/client-disconnect.ts';
import type { Request, RequestHandler, Response } from '../request/http-request.ts';
import { parseQuery } from '../request/parse-query.ts';
import { createJsonReader } from '../request/read-body.ts';
import { assertWithinRequestLimit } from '../request/request-limit.ts';
import type { RequestLocals } from '../request/request-locals.ts';
import { logFailedRequest, noteFailures } from '../request/request-log.ts';
import { readOrigin } from '../request/request-origin.ts';
import { queryText } from '../request/request-path.ts';
import { applyCors } from '../response/cors.ts';
import { addVary } from '../response/response-headers.ts';
import { createCompressingSender } from '../response/send-compressed.ts';
import type { ServingContext } from '../serving-context.ts';
import { findDocument, type UnavailableDocument } from './find-document.ts';
import {
  chooseMediaType,
  type GraphqlMediaType,
  type GraphqlRequest,
  graphqlMediaTypes,
  readGraphqlQuery,
  toGraphqlRequest,
} from './graphql-request.ts';
import {
  findStoreFailure,
  type GraphqlBody,
  toFailureBody,
  toGraphqlBody,
  toRefusedBody,
  toUnavailableBody,
} from './graphql-response.ts';
import { createOperationRunner } from './operation-runner.ts';

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
