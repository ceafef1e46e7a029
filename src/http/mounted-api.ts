/**
 * Mounts an API: authenticates each request, hands it to the API's handler, and sends the answer.
 */

import type { CorsSettings } from '../access/allowed-origins.ts';
import type { RequestOrigins } from '../base/request-origin.ts';
import type { ApiHandler, ApiRequest } from './api.ts';
import type { HttpResponse } from './error-map.ts';
import {
  disconnectSignal,
  type Request,
  type RequestHandler,
  type RequestLocals,
  type Response,
} from './request/http-request.ts';
import { assertWithinRequestLimit, type RateLimiter } from './request/limit-requests.ts';
import type { BodyReader } from './request/read-body.ts';
import { parseQuery, queryText, readOrigin } from './request/request-head.ts';
import { sendEvents } from './response/event-stream.ts';
import {
  addHeader,
  applyCors,
  createCompressingSender,
  type SendableResponse,
  sendPlain,
} from './response/send-response.ts';

/** An API that requires authentication, served under a base path. */
export interface MountedApi {
  readonly basePath: string;
  /**
   * Returns what the handlers receive about the sender. Sets the identity in `locals` as soon as it is known, so that the
   * log has it even if the request is then rejected. Errors: unauthorized, forbidden.
   */
  readonly authenticate: (request: Request, locals: RequestLocals) => object | Promise<object>;
  readonly handle: ApiHandler;
  readonly toErrorResponse: (error: unknown) => HttpResponse;
  /** Which requests have long responses compressed; see `response/send-response.ts`. Absent means none. */
  readonly isCompressed?: (request: Request) => boolean;
  /** The origins whose pages may call the API; absent means none. */
  readonly cors?: CorsSettings | undefined;
  /** Set on every response, errors included. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Those of all operations together: which ones a path has, its response says. */
const allMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** What all APIs share. `origins` records the senders of requests; `basePath` is the path of the public URL, or empty. */
interface MountContext {
  readonly origins: RequestOrigins;
  readonly basePath: string;
  readonly rateLimiter?: RateLimiter | undefined;
}

export function mountApi(api: MountedApi, { origins, basePath, rateLimiter }: MountContext): RequestHandler {
  const headers = Object.entries(api.headers ?? {});
  const anyRoute = `${api.basePath}/*`;
  const sendCompressed = createCompressingSender();
  return async (request, response) => {
    for (const [name, value] of headers) addHeader(response, name, value);
    // The application sets these members.
    const locals = response.locals as RequestLocals;
    locals.toErrorResponse = api.toErrorResponse;
    locals.route = anyRoute;
    if (applyCors(request, response, { cors: api.cors, methods: allMethods })) return;
    assertWithinRequestLimit(response);
    // Authentication runs before the server reads anything else, including the query string and the body.
    locals.sender = await api.authenticate(request, locals);
    const origin = readOrigin(request, locals);
    rateLimiter?.assertWithin(response, origin);
    const query = parseQuery(queryText(request));
    const apiRequest = new MountedRequest(request, response, query);
    const answer = await origins.runAs(origin, () => api.handle(apiRequest));
    if (answer.usedTypes) locals.usedTypes = answer.usedTypes;
    if (answer.live) return sendEvents(response, { ...answer, live: answer.live });
    const send = api.isCompressed?.(request) ? sendCompressed : sendPlain;
    await send(response, basePath === '' ? answer : withPublicLocation(answer, basePath));
  };
}

/** Puts the path of the public URL before the `Location`, which the handlers name as the server itself serves it. */
function withPublicLocation(answer: SendableResponse, basePath: string): SendableResponse {
  const { Location } = answer.headers ?? {};
  return typeof Location === 'string'
    ? { ...answer, headers: { ...answer.headers, Location: basePath + Location } }
    : answer;
}

/**
 * A request of Node.js as an API receives it. It is a class, because a literal with accessors would keep the garbage of many requests
 * alive until V8 collects the whole heap.
 */
class MountedRequest implements ApiRequest {
  readonly #request: Request;
  readonly #response: Response;
  readonly method: string;
  readonly path: string;
  readonly query: ApiRequest['query'];
  readonly headers: ApiRequest['headers'];
  readonly locals: RequestLocals;

  constructor(request: Request, response: Response, query: ApiRequest['query']) {
    this.#request = request;
    this.#response = response;
    this.method = request.method === 'HEAD' ? 'GET' : request.method;
    this.query = query;
    // Node returns lower-case names, and a list only for set-cookie, which requests do not have.
    this.headers = request.headers as Record<string, string>;
    // The application sets these members.
    this.locals = response.locals as RequestLocals;
    this.path = this.locals.path;
  }

  readBody<Body>(read: BodyReader<Body>): Promise<Body> {
    return read(this.#request, this.#response);
  }

  /** Created on first use, because most handlers do not need it. */
  get signal(): AbortSignal {
    return disconnectSignal(this.#response);
  }
}

/** Handlers by the path above their requests. */
export class Mounts {
  readonly #mounts: { readonly path: string; readonly handler: RequestHandler }[] = [];

  /** Adds the handler of the requests to `path` and below it. */
  use(path: string, handler: RequestHandler): void {
    this.#mounts.push({ path, handler });
  }

  /** Finds the handler of a request by its path, percent-encoded and without the query. */
  find(path: string): RequestHandler | undefined {
    return this.#mounts.find((mount) => isAtOrBelow(path, mount.path))?.handler;
  }
}

/** Tests whether a path is another one or below it. */
export function isAtOrBelow(path: string, above: string): boolean {
  return path.startsWith(above) && (path.length === above.length || path[above.length] === '/');
}
