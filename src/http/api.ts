/**
 * An API of an OpenAPI document: its handlers, by operation, behind one path of the server.
 */

import type { Document, ParsedRequest } from 'openapi-backend';
import type { CorsSettings } from '../access/allowed-origins.ts';
import { unauthorized } from '../base/errors.ts';
import type { RequestOrigins } from '../base/request-origin.ts';
import { readRequestBody } from '../documents/document-parts.ts';
import type { OpenApiDocument } from '../documents/openapi-document.ts';
import type { HttpResponse } from './error-map.ts';
import {
  createRepeatableUpdates,
  getOperation,
  RequestRouter,
  RequestValidator,
  type RequestValidators,
} from './openapi/request-router.ts';
import { isInBody, toProblems, toValidationError } from './openapi/validation-error.ts';
import type { OperationHandlers, OperationTypes, UsedTypes } from './operation-handlers.ts';
import { assertWithinRequestLimit, type RateLimiter } from './request/limit-requests.ts';
import type { ApiBodyReader, BodyReader } from './request/read-body.ts';
import {
  disconnectSignal,
  parseQuery,
  queryText,
  type Request,
  type RequestHandler,
  type RequestLocals,
  type Response,
  readOrigin,
} from './request/request-head.ts';
import { type SenderFields, toSenderFields } from './request/request-telemetry.ts';
import { type LiveBody, sendEvents } from './response/event-stream.ts';
import {
  addHeader,
  applyCors,
  createCompressingSender,
  type SendableResponse,
  sendPlain,
} from './response/send-response.ts';
import type { StreamedBody } from './response/streamed-body.ts';

/** A request as an API receives it, without any web framework. */
export interface ApiRequest {
  /** In upper case; HEAD counts as GET. */
  readonly method: string;
  /** The whole path, percent-encoded. */
  readonly path: string;
  readonly query: Readonly<Record<string, string | readonly string[]>>;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly locals: RequestLocals;
  /** Reads the body with the given reader, at most once. Errors: those of the reader. */
  readBody<Body>(read: BodyReader<Body>): Promise<Body>;
  /** Aborted when the client disconnects before the response is complete. */
  readonly signal: AbortSignal;
}

/** A response of an API, with one body at most: `body` as a value, `text` as JSON text, `stream` or `live`. */
export interface ApiAnswer extends HttpResponse {
  readonly text?: string;
  readonly stream?: StreamedBody;
  readonly live?: LiveBody;
  readonly usedTypes?: UsedTypes;
}

/** Answers a request whose sender is in `locals`. Errors: those of the operations, and of routing and validation. */
export type ApiHandler = (request: ApiRequest) => Promise<ApiAnswer>;

/**
 * Creates the handler of a document's operations.
 *
 * `validators` are generated from the document. `readBody` reads the bodies of operations that have one. The operations in
 * `invalidBodyOperations` are handled even if their body is invalid. Fails if an operation has no handler.
 */
export function createApi<
  Operations extends { [Id in keyof Operations]: OperationTypes },
  Sender extends object,
  InvalidBody extends keyof Operations & string,
>({
  document,
  validators,
  handlers,
  invalidBodyOperations,
  readBody,
  authorize = () => {},
}: {
  document: OpenApiDocument;
  validators: RequestValidators;
  handlers: OperationHandlers<Operations, Sender, InvalidBody>;
  invalidBodyOperations: readonly InvalidBody[];
  readBody: ApiBodyReader;
  /** Requires of the sender what an operation needs, before the request is validated. Errors: forbidden. */
  authorize?: (operationId: string, sender: Sender, query: ApiRequest['query']) => void;
}): ApiHandler {
  // Untyped from here on: the document determines the argument of each handler.
  const byName = new Map(Object.entries<AnyHandler>(handlers as unknown as Record<string, AnyHandler>));
  const takeInvalidBodies = new Set<string>(invalidBodyOperations);
  // Our own document, which a test validates as OpenAPI 3.1. The library's type is for 3.0.
  const router = new RequestRouter(document as unknown as Document);
  const missing = router.getOperations().filter(({ operationId = '' }) => !byName.has(operationId));
  if (missing.length > 0) throw new Error(`no handler for ${missing.map(({ path }) => path).join(', ')}`);
  const validator = new RequestValidator({ router, validators });
  const updates = createRepeatableUpdates(document, router.getOperations());
  const bodyReaders = new Map(
    router.getOperations().flatMap((operation): [string, BodyReader<unknown>][] => {
      const body = readRequestBody(document, operation.requestBody);
      if (!body) return [];
      return [[operation.operationId ?? '', (request, response) => readBody(request, response, body)]];
    }),
  );

  const handlerOf = (operationId: string) => {
    const handler = byName.get(operationId);
    if (!handler) throw new Error(`operation ${operationId} has no handler`);
    return handler;
  };

  return async (served) => {
    const { locals, method, path, query, headers } = served;
    if (!locals.sender) throw unauthorized('Credentials are needed');
    const parsed = { method, path, query, headers, params: {}, cookies: {}, requestBody: undefined };
    // The library only reads the query, although its type could be written to.
    const request = parsed as Omit<typeof parsed, 'query'> & Pick<ParsedRequest, 'query' | 'requestBody'>;
    const operation = getOperation(router, request);
    locals.route = operation.path;
    const { operationId = '' } = operation;
    // Set by the API's own authentication.
    authorize(operationId, locals.sender as Sender, query);
    router.parseRequest(request, operation);
    const bodyReader = bodyReaders.get(operationId);
    if (bodyReader) request.requestBody = await served.readBody(bodyReader);
    const update = updates.find(operationId, request);
    if (update) {
      authorize(update.readId, locals.sender as Sender, query);
      const read = new OperationCall(served, request.params, undefined);
      request.requestBody = update.remove(await handlerOf(update.readId)(read));
    }
    const findings = validator.validateRequest(request, operation).errors ?? [];
    const takesInvalidBody = takeInvalidBodies.has(operationId);
    if (findings.length > 0 && !(takesInvalidBody && findings.every(isInBody)))
      throw toValidationError(findings);
    const body = takesInvalidBody
      ? { body: request.requestBody, problems: toProblems(findings) }
      : request.requestBody;
    return handlerOf(operationId)(new OperationCall(served, request.params, body));
  };
}

type AnyHandler = (request: object) => Promise<ApiAnswer>;

/**
 * A request as its handler receives it, with the members of the sender. It is a class, because a literal with accessors would keep the
 * garbage of many requests alive until V8 collects the whole heap.
 */
class OperationCall {
  readonly #served: ApiRequest;
  readonly path: ParsedRequest['params'];
  readonly query: ApiRequest['query'];
  readonly headers: ApiRequest['headers'];
  readonly body: unknown;

  constructor(served: ApiRequest, path: ParsedRequest['params'], body: unknown) {
    this.#served = served;
    this.path = path;
    this.query = served.query;
    this.headers = served.headers;
    this.body = body;
    Object.assign(this, served.locals.sender);
  }

  get contentType(): string {
    return this.#served.headers['content-type'] ?? '';
  }

  // Both are created on first use, because most handlers need neither.
  get senderFields(): SenderFields {
    return toSenderFields(this.#served.locals);
  }

  get signal(): AbortSignal {
    return this.#served.signal;
  }
}

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
