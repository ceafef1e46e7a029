/**
 * Serves the routes of published REST endpoints. The steps are: path, method, access, variables, operation, response.
 *
 * A route is prepared when it is published, so a request only reads its variables, runs the operation and writes JSON.
 */

import { brokenMapping, methodNotAllowed, routeNotFound } from '../../base/errors.ts';
import { printInTurns } from '../../base/json-bytes.ts';
import type { RequestOrigin } from '../../base/request-origin.ts';
import type { Caller } from '../../content/reading/find-assets.ts';
import type { GraphqlResponse } from '../../graphql/operation.ts';
import type { ReadyRoute } from '../../mapping/routes/build-routes.ts';
import { concernsPlace, type DataPath, readPlace } from '../../mapping/routes/data-place.ts';
import type { ServedRoute } from '../../mapping/routes/published-apis.ts';
import type { VariableSource } from '../../mapping/variables/variables.ts';
import type { JsonObject } from '../../model/content-type.ts';
import {
  assertReadsRelease,
  authorizeRequest,
  chooseRelease,
  credentialHeaders,
  uncached,
} from '../credentials/authenticate.ts';
import { headersOf, statusOf } from '../error-map.ts';
import {
  createOperationRunner,
  findStoreFailure,
  type GraphqlBody,
  type ServingContext,
  statusOfBody,
  toFailureBody,
  toGraphqlBody,
} from '../graphql/run-operation.ts';
import { assertWithinRequestLimit } from '../request/limit-requests.ts';
import { createVariablesReader } from '../request/read-body.ts';
import {
  disconnectSignal,
  queryText,
  type Request,
  type RequestHandler,
  type RequestLocals,
  type Response,
  readOrigin,
} from '../request/request-head.ts';
import { logFailedRequest, noteFailures } from '../request/request-telemetry.ts';
import {
  addVary,
  applyCors,
  createCodingChooser,
  createCompressingSender,
  sendData,
  sendResponse,
} from '../response/send-response.ts';
import { toChangeHeader } from '../response/streamed-body.ts';
import type { RouteAnswer, RouteAnswerer, RouteOutcome } from './route-answers.ts';

/** Creates the handler of all mapped routes; `answerGet` answers GET requests of queries. It passes requests for other paths to the next handler. */
export function serveRoutes(services: ServingContext, answerGet: RouteAnswerer): RequestHandler {
  const { publishedApis, authenticator, requests, limits, origins, rateLimiter, logger } = services;
  const runOperation = createOperationRunner({ requests, logger });
  const chooseCoding = createCodingChooser();
  const readBody = createVariablesReader(limits);
  const sendCompressed = createCompressingSender();

  async function sendOutcome(response: Response, { status, headers, text }: RouteOutcome): Promise<void> {
    await sendCompressed(response, {
      status,
      headers: { ...headers, 'Cache-Control': uncached(response) },
      text,
    });
  }

  async function answer(
    request: Request,
    response: Response,
    { route, path }: { route: ServedRoute; path: PathParameters },
  ): Promise<void> {
    assertWithinRequestLimit(response);
    if (route.access !== 'ANYONE') addVary(response, credentialHeaders);
    const { access, preview, sourceId: endpointId } = route;
    const authorized = await authorizeRequest(request, response, { access, endpointId, authenticator });
    const chosen = { access, preview, client: authorized, services };
    const client = await chooseRelease(request, response, chosen);
    rateLimiter?.assertWithin(response, originOf(request, response));
    if (route.operation === undefined) throw brokenMapping(route.name);
    assertReadsRelease(response, route.operation);
    if (isGet(request) && route.cacheControl !== undefined && client.release === undefined)
      await answerCacheable(request, response, { route, client, path });
    else await sendOutcome(response, await runWithBody(request, response, { route, client, path }));
  }

  async function answerCacheable(
    request: Request,
    response: Response,
    { route, client, path }: RouteCall,
  ): Promise<void> {
    const variables = route.readVariables({ ...path, query: queryText(request) });
    const { 'if-none-match': ifNoneMatch, 'accept-encoding': acceptEncoding } = request.headers;
    const coding = chooseCoding(acceptEncoding?.toString());
    const asked = { route, variables, sites: client.sites, ifNoneMatch, coding };
    const answer = await answerGet(asked, () =>
      run(request, response, {
        route,
        client,
        variables,
        origin: originOf(request, response),
        cacheTags: route.cacheTags,
      }),
    );
    if ('text' in answer) await sendOutcome(response, answer);
    else sendAnswer(response, answer, route);
  }

  async function runWithBody(
    request: Request,
    response: Response,
    { route, client, path }: RouteCall,
  ): Promise<RouteOutcome> {
    // Checked before the body is read.
    const origin = originOf(request, response);
    const body = isGet(request) ? {} : await readBody(request, response);
    const variables = route.readVariables({ ...path, query: queryText(request), ...body });
    return run(request, response, { route, client, variables, origin });
  }

  async function run(
    request: Request,
    response: Response,
    { route, client, variables, origin, cacheTags }: RouteRun,
  ): Promise<RouteOutcome> {
    const caller: Caller = { ...client, signal: disconnectSignal(response) };
    const withSources = cacheTags !== undefined;
    const { method } = request;
    const { path } = response.locals as RequestLocals;
    let sources: GraphqlResponse['sources'];
    const result = await origins.runAs(origin, () =>
      runOperation(
        { request, response },
        {
          operation: route.operation,
          route: `${method} ${path}`,
          // Variables are read from JSON or text.
          parameters: variables as JsonObject,
          input: { variables, caller, withSources },
          toResult(ran) {
            ({ sources } = ran);
            noteFailures(response, { result: ran, operation: route.operation });
            return { ...toRouteResult(ran, route.places), ...(ran.isLarge && { isLarge: true }) };
          },
        },
      ),
    );
    const outcome = await toOutcome(result);
    return cacheTags && sources ? { ...outcome, tags: cacheTags.of(sources) } : outcome;
  }

  function fail(response: Response, error: unknown): void {
    logFailedRequest(logger, response, error);
    const { headers, status, body } = toFailedResult(error);
    sendResponse(response, { status, body, headers: { ...headers, 'Cache-Control': 'no-store' } });
  }

  return (request, response, next) => {
    // The application sets these members.
    const locals = response.locals as RequestLocals;
    const { path } = locals;
    const routes = publishedApis.findRoutes(path);
    if (!routes) {
      const prefix = publishedApis.findPrefix(path);
      if (!prefix) next();
      else if (!applyCors(request, response, { cors: prefix.cors, methods: [] }))
        fail(response, routeNotFound(path));
      return;
    }
    locals.route = routes.path;
    const { cors, allowed: methods, parameters } = routes;
    if (applyCors(request, response, { cors, methods })) return;
    const route = routes.byMethod.get(request.method);
    if (!route) {
      fail(response, methodNotAllowed(request.method, routes.allowed));
      return;
    }
    answer(request, response, { route, path: parameters ? { path: parameters } : {} })
      .catch((error: unknown) => fail(response, error))
      .catch(next);
  };
}

/** A route that can run, and what is known of who called it. */
interface ClientAtRoute {
  readonly route: ReadyRoute;
  readonly client: Omit<Caller, 'signal'>;
}

/** The parameters of the path of a request, as a source of variables. */
type PathParameters = Pick<VariableSource, 'path'>;

/** A request to a route that can run. */
interface RouteCall extends ClientAtRoute {
  readonly path: PathParameters;
}

/** One run of the operation of a route. */
interface RouteRun extends ClientAtRoute {
  readonly variables: Readonly<Record<string, unknown>>;
  readonly origin: RequestOrigin;
  /** The cache tags of the response, if it may be cached. */
  readonly cacheTags?: ReadyRoute['cacheTags'];
}

/** Errors: those of `readOrigin`. The application sets the locals. */
const originOf = (request: Request, response: Response) =>
  readOrigin(request, response.locals as RequestLocals);

const isGet = ({ method }: Request) => method === 'GET' || method === 'HEAD';

async function toOutcome({
  body,
  isLarge,
  ...outcome
}: RouteResult & { readonly isLarge?: boolean }): Promise<RouteOutcome> {
  return { ...outcome, text: isLarge ? await printInTurns(body) : JSON.stringify(body) };
}

function sendAnswer(
  response: Response,
  { status, headers, body }: RouteAnswer,
  { cacheControl }: Pick<ReadyRoute, 'cacheControl'>,
): void {
  const all = { ...headers, ...(cacheControl === undefined ? {} : { 'Cache-Control': cacheControl }) };
  if (body) sendData(response, { status, headers: all, ...body });
  else sendResponse(response, { status, headers: all });
}

// Converts what the operation of a mapped route has returned to the response of the route: its status, its own headers and its body.
//
// The body is that of GraphQL, unless the mapping names the place of its result: then a response with status 200 is the value there.

/** The response of a route, without headers for caches. */
export interface RouteResult {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** Whether the operation had errors, which it also may with status 200. */
  readonly hasErrors: boolean;
}

/** Converts the result of an operation that has run; `places` are those of its mapping. */
export function toRouteResult(result: GraphqlResponse, places: ReadyRoute['places']): RouteResult {
  const failure = findStoreFailure(result);
  const body = toGraphqlBody(result);
  const hasErrors = body.errors !== undefined;
  if (failure) {
    const headers = { ...headersOf(failure), ...changeHeaderOf(result) };
    return { status: statusOf(failure), headers, body, hasErrors };
  }
  const status = isNotFound(body, places.notFound?.path) ? 404 : statusOfBody(body);
  const headers = changeHeaderOf(result);
  if (status !== 200 || !places.result) return { status, headers, body, hasErrors };
  const { path } = places.result;
  const unfit = errorsAt(body, path).length;
  const unfitHeader = unfit > 0 ? { 'X-Unfit': String(unfit) } : {};
  return { status, headers: { ...headers, ...unfitHeader }, body: readPlace(body.data, path), hasErrors };
}

/** Whether the value of a place is null although no error made it so. */
function isNotFound(body: GraphqlBody, place: DataPath | undefined): boolean {
  if (!place || !body.data) return false;
  return readPlace(body.data, place) === null && errorsAt(body, place).length === 0;
}

/** Lists the errors of the value of a place, and of what contains it. */
const errorsAt = ({ errors = [] }: GraphqlBody, place: DataPath) =>
  errors.filter(({ path }) => path && concernsPlace(path, place));

/** Converts an error that occurred before the operation ran. */
export function toFailedResult(error: unknown): RouteResult {
  return { status: statusOf(error), headers: headersOf(error), body: toFailureBody(error), hasErrors: true };
}

/** Names the change of a route that has written once; the body names several. */
function changeHeaderOf({ changes = [] }: GraphqlResponse): { readonly 'X-Change'?: string } {
  const [change] = changes;
  return change !== undefined && changes.length === 1 ? toChangeHeader({ change }) : {};
}
