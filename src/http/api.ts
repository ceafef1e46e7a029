/**
 * Serves the operations of an OpenAPI document: our router, the generated validators, then the operation's handler.
 *
 * Of openapi-backend they have the list of a document's operations and the types of both, because its own handling of a request takes
 * longer than all else. An API and its handlers are plain functions from a request to a response, independent of Express.
 */
import type { Document, ParsedRequest } from 'openapi-backend';
import type { DeepReadonly } from '../base/deep-readonly.ts';
import { unauthorized } from '../base/errors.ts';
import type { OpenApiDocument } from '../documents/openapi-document.ts';
import { readRequestBody } from '../documents/request-parts.ts';
import type { CheckedBody } from '../model/values/checked-body.ts';
import type { HttpResponse } from './error-map.ts';
import { getOperation } from './openapi/get-operation.ts';
import { createRepeatableUpdates } from './openapi/repeatable-updates.ts';
import { RequestRouter } from './openapi/request-router.ts';
import { RequestValidator, type RequestValidators } from './openapi/request-validator.ts';
import { isInBody, toProblems, toValidationError } from './openapi/validation-error.ts';
import type { ApiBodyReader, BodyReader } from './request/read-body.ts';
import type { RequestLocals } from './request/request-locals.ts';
import { type SenderFields, toSenderFields } from './request/request-log.ts';
import type { UploadBody } from './request/upload-body.ts';
import type { LiveBody } from './response/event-stream.ts';
import type { StreamedBody } from './response/streamed-body.ts';

/** The generated types of one operation. */
interface OperationTypes {
  readonly path: unknown;
  readonly query: unknown;
  readonly headers: unknown;
  readonly body: unknown;
  readonly responses: object;
  readonly responseHeaders: object;
}

/** Parameters as received: strings, and for a list one string or several. */
type Texts<Parameters> = {
  readonly [Name in keyof Parameters]: Parameters[Name] extends readonly unknown[] | undefined
    ? string | readonly string[] | Extract<Parameters[Name], undefined>
    : string | Extract<Parameters[Name], undefined>;
};

/** Headers by lower-case name. */
type HeaderTexts<Headers> = { readonly [Name in keyof Headers as Lowercase<Name & string>]?: string };

/** The body of an operation as its handler receives it: one that the document calls binary is not read yet. */
type BodyOf<Types extends OperationTypes> = UploadsIn<Types['body']>;
type UploadsIn<Body> = Body extends Blob ? UploadBody : Body;

/** A validated request of one operation, with the members that authentication adds about its sender. */
export type OperationRequest<
  Operation extends OperationTypes,
  Sender extends object,
  Body = BodyOf<Operation>,
> = Sender & {
  /** Identifies the sender in log lines. */
  readonly senderFields: SenderFields;
  /** Aborted when the client disconnects before the response is complete. */
  readonly signal: AbortSignal;
  readonly path: Texts<Operation['path']>;
  readonly query: Texts<NonNullable<Operation['query']>>;
  readonly headers: HeaderTexts<NonNullable<Operation['headers']>>;
  /** The header Content-Type, which no document lists as a parameter; empty for a request without one. */
  readonly contentType: string;
  /** Validated against the document only. The service behind the handler checks the members. */
  readonly body: Body;
};

/**
 * A response that the document defines for an operation. `HeaderNames` are those of all responses of the document: one that this response
 * lacks does not compile, nor does a body that is absent or that the document does not have.
 */
export type OperationResponse<Operation extends OperationTypes, HeaderNames extends string = never> = {
  [Status in keyof Operation['responses'] & number]: {
    readonly status: Status;
    readonly headers?: HeadersOf<Operation['responseHeaders'], Status, HeaderNames>;
    readonly usedTypes?: UsedTypes;
  } & ContentOf<Operation['responses'][Status]>;
}[keyof Operation['responses'] & number];

/** The headers that the document has for a status, and none of the others in `Names`. It is one type, as the compiler requires a common member then. */
type HeadersOf<Headers, Status, Names extends string> = {
  readonly [Name in Documented<Headers, Status> | Names]?: Name extends Documented<Headers, Status>
    ? string | string[]
    : never;
};

/** What the content is, and what the server chose it by, belong to the content: the document does not list these headers. */
type Documented<Headers, Status> =
  | Extract<Status extends keyof Headers ? Headers[Status] : never, string>
  | 'Content-Type'
  | 'Vary';

/** The body of a response, in one of its forms. */
type ContentOf<Body> =
  // A response without a body may have the text that the same response with one has, which decides its headers.
  | ([Body] extends [undefined]
      ? { readonly body?: undefined; readonly text?: string }
      : { readonly body: DeepReadonly<Exclude<Body, Blob>> })
  /** The body as JSON text. It has the same form. */
  | { readonly body?: undefined; readonly text: string }
  /** A body that is read while it is sent. It has the same form. */
  | { readonly body?: undefined; readonly stream: StreamedBody }
  /** A live feed, in another media type. */
  | { readonly body?: undefined; readonly live: LiveBody };

/**
 * The handlers of a document's operations, by operation ID. Handlers in `InvalidBody` also receive the problems of an invalid
 * body, so that their services can report these together with the problems that they find.
 */
export type OperationHandlers<
  Operations extends { [Id in keyof Operations]: OperationTypes },
  Sender extends object,
  InvalidBody extends keyof Operations = never,
> = {
  readonly [Id in keyof Operations]: (
    request: OperationRequest<
      Operations[Id],
      Sender,
      Id extends InvalidBody ? CheckedBody : BodyOf<Operations[Id]>
    >,
  ) => Promise<OperationResponse<Operations[Id], HeaderNamesOf<Operations[keyof Operations]>>>;
};

type HeaderNamesOf<Operation extends OperationTypes> = Operation extends unknown
  ? Extract<Operation['responseHeaders'][keyof Operation['responseHeaders']], string>
  : never;

/** Class names of the content types that a request has read or written, as far as they are counted. */
export type UsedTypes = readonly string[];

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
