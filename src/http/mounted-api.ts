/**
 * Mounts an API: authenticates each request, hands it to the API's handler, and sends the answer.
 */
import type { RequestOrigins } from '../base/request-origin.ts';
import type { ApiHandler, ApiRequest } from './api.ts';
import type { HttpResponse } from './error-map.ts';
import { disconnectSignal } from './request/client-disconnect.ts';
import type { Request, RequestHandler, Response } from './request/http-request.ts';
import type { ParseQuery } from './request/parse-query.ts';
import type { BodyReader } from './request/read-body.ts';
import { assertWithinRequestLimit } from './request/request-limit.ts';
import type { RequestLocals } from './request/request-locals.ts';
import { readOrigin } from './request/request-origin.ts';
import { queryText } from './request/request-path.ts';
import { addHeader } from './response/response-headers.ts';
import { createCompressingSender, sendPlain } from './response/send-compressed.ts';

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
  /** Whether long responses are compressed; see `send-compressed.ts`. Absent means that they are not. */
  readonly isCompressed?: boolean;
  /** Set on every response, errors included. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Creates the handler of the requests to an API. `origins` records their senders. */
export function mountApi(
  api: MountedApi,
  { origins, parseQuery }: { origins: RequestOrigins; parseQuery: ParseQuery },
): RequestHandler {
  const headers = Object.entries(api.headers ?? {});
  const send = api.isCompressed ? createCompressingSender() : sendPlain;
  return async (request, response) => {
    for (const [name, value] of headers) addHeader(response, name, value);
    // The application sets these members.
    const locals = response.locals as RequestLocals;
    locals.toErrorResponse = api.toErrorResponse;
    assertWithinRequestLimit(response);
    // Authentication runs before the server reads anything else, including the query string and the body.
    locals.sender = await api.authenticate(request, locals);
    const query = parseQuery(queryText(request));
    const apiRequest = new MountedRequest(request, response, query);
    const answer = await origins.runAs(readOrigin(request, locals), () => api.handle(apiRequest));
    await send(response, answer);
  };
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
