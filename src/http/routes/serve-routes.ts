/**
 * Serves the routes of published REST endpoints. The steps are: exact path, method, access, variables, operation, response.
 *
 * A route is prepared when it is published, so a request only reads its variables, runs the operation and writes JSON.
 */
import { hash } from 'node:crypto';
import { brokenMapping, methodNotAllowed, routeNotFound } from '../../base/errors.ts';
import type { Caller } from '../../content/reading/find-assets.ts';
import type { GraphqlResponse } from '../../graphql/operation.ts';
import type { ServedRoute } from '../../mapping/routes/published-apis.ts';
import { authorizeRequest, credentialHeaders } from '../credentials/authorize-request.ts';
import { headersOf, statusOf } from '../error-map.ts';
import { findStoreFailure, statusOfBody, toFailureBody, toGraphqlBody } from '../graphql/graphql-response.ts';
import type { Request, RequestHandler, Response } from '../request/http-request.ts';
import { createVariablesReader } from '../request/read-body.ts';
import { assertWithinRequestLimit } from '../request/request-limit.ts';
import type { RequestLocals } from '../request/request-locals.ts';
import { logFailedRequest } from '../request/request-log.ts';
import { readOrigin } from '../request/request-origin.ts';
import { queryText, requestPath } from '../request/request-path.ts';
import { toChangeHeader } from '../response/change-header.ts';
import { hasEntityTag, toEntityTag } from '../response/entity-tag.ts';
import { sendResponse, sendText } from '../response/send-response.ts';
import { logFailures, type ServingContext } from '../serving-context.ts';

/** Creates the handler of all mapped routes. It passes requests for other paths to the next handler. */
export function serveRoutes({
  publishedApis,
  authenticator,
  limits,
  origins,
  logger,
}: ServingContext): RequestHandler {
  const readBody = createVariablesReader(limits);

  async function answer(request: Request, response: Response, route: ServedRoute): Promise<void> {
    assertWithinRequestLimit(response);
    if (route.access !== 'ANYONE') response.setHeader('Vary', credentialHeaders);
    const { access, sourceId: endpointId } = route;
    const caller = authorizeRequest(request, response, { access, endpointId, authenticator });
    // The application sets these members.
    const origin = readOrigin(request, response.locals as RequestLocals);
    await origins.runAs(origin, () => run(request, response, { route, caller }));
  }

  async function run(
    request: Request,
    response: Response,
    { route, caller }: { route: ServedRoute; caller: Caller },
  ): Promise<void> {
    if (route.operation === undefined) throw brokenMapping(route.name);
    const body = isGet(request) ? {} : await readBody(request, response);
    const variables = route.readVariables({ query: queryText(request), ...body });
    const result = await route.operation.run({ variables, caller });
    logFailures(logger, response, result);
    const failure = findStoreFailure(result);
    const graphqlBody = toGraphqlBody(result);
    const status = failure ? statusOf(failure) : statusOfBody(graphqlBody);
    const text = JSON.stringify(graphqlBody);
    if (status === 200 && isGet(request) && route.cacheControl !== undefined) {
      return sendCacheable(response, { text, cacheControl: route.cacheControl });
    }
    const headers = {
      ...(failure ? headersOf(failure) : {}),
      ...changeHeaderOf(result),
      'Cache-Control': 'no-store',
    };
    sendText(response, { status, headers, text });
  }

  function fail(response: Response, error: unknown): void {
    logFailedRequest(logger, response, error);
    const headers = { ...headersOf(error), 'Cache-Control': 'no-store' };
    sendResponse(response, { status: statusOf(error), headers, body: toFailureBody(error) });
  }

  return (request, response, next) => {
    const path = requestPath(request);
    const routes = publishedApis.findRoutes(path);
    if (!routes) {
      if (publishedApis.isBelowPrefix(path)) fail(response, routeNotFound(path));
      else next();
      return;
    }
    const route = routes.byMethod.get(isGet(request) ? 'GET' : request.method);
    if (!route) {
      fail(response, methodNotAllowed(request.method, routes.allowed));
      return;
    }
    answer(request, response, route)
      .catch((error: unknown) => fail(response, error))
      .catch(next);
  };
}

const isGet = ({ method }: Request) => method === 'GET' || method === 'HEAD';

/** Names the change of a route that has written once. Several changes need a body with extensions, which plain routes lack. */
function changeHeaderOf({ changes = [] }: GraphqlResponse): { readonly 'X-Change'?: string } {
  const [change] = changes;
  return change !== undefined && changes.length === 1 ? toChangeHeader({ change }) : {};
}

/** Sends data with its ETag, or 304 if the caller already has it. */
function sendCacheable(
  response: Response,
  { text, cacheControl }: { readonly text: string; readonly cacheControl: string },
): void {
  const tag = toEntityTag(hash('sha1', text, 'base64url'));
  const headers = { ETag: tag, 'Cache-Control': cacheControl };
  const isNotModified = hasEntityTag(response.req.headers['if-none-match'], tag);
  if (isNotModified) sendResponse(response, { status: 304, headers });
  else sendText(response, { status: 200, headers, text });
}
