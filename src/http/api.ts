/**
 * Serves the operations of an OpenAPI document: our router, the generated validators, then the operation's handler.
 *
 * Of openapi-backend they have the list of a document's operations and the types of both, because its own handling of a request takes
 * longer than all else. An API and its handlers are plain functions from a request to a response, independent of Express.
 */
import type { Document, ParsedRequest } from 'openapi-backend';
import { unauthorized } from '../base/errors.ts';
import { readRequestBody } from '../documents/document-parts.ts';
import type { OpenApiDocument } from '../documents/openapi-document.ts';
import type { HttpResponse } from './error-map.ts';
import { createRepeatableUpdates } from './openapi/repeatable-updates.ts';
import { getOperation, RequestRouter } from './openapi/request-router.ts';
import { RequestValidator, type RequestValidators } from './openapi/request-validator.ts';
import { isInBody, toProblems, toValidationError } from './openapi/validation-error.ts';
import type { OperationHandlers, OperationTypes, UsedTypes } from './operation-handlers.ts';
import type { RequestLocals } from './request/http-request.ts';
import type { ApiBodyReader, BodyReader } from './request/read-body.ts';
import { type SenderFields, toSenderFields } from './request/request-telemetry.ts';
import type { LiveBody } from './response/event-stream.ts';
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
