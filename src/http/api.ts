/**
 * Serves the operations of an OpenAPI document through openapi-backend: routing, credentials, validation, handlers.
 *
 * It runs strict, and every fallback is registered, for a missing one would let a request pass. Handlers are plain functions
 * from a request to an answer; neither Express nor openapi-backend is seen by them.
 */
import type { RequestHandler, Response } from 'express';
import { type Context, type Document, OpenAPIBackend } from 'openapi-backend';
import { methodNotAllowed, routeNotFound, unauthorized } from '../base/errors.ts';
import type { OpenApiDocument } from '../documents/openapi-document.ts';
import type { HttpAnswer } from './error-map.ts';
import { prepareApi } from './openapi/prepare-api.ts';
import { toValidationError } from './openapi/validation-error.ts';
import { signalOf } from './request/client-disconnect.ts';
import type { RequestLocals } from './request/request-locals.ts';
import { type SenderFacts, senderFacts } from './request/request-log.ts';
import { requestPath } from './request/request-path.ts';
import { sendAnswer, sendStream } from './response/send-response.ts';
import type { StreamedBody } from './response/streamed-body.ts';

/** What the generated types say of one operation. */
interface OperationTypes {
  readonly path: unknown;
  readonly query: unknown;
  readonly headers: unknown;
  readonly body: unknown;
  readonly responses: object;
}

/** Parameters as they arrive: texts, and for a list one text or several. */
type Texts<Parameters> = {
  readonly [Name in keyof Parameters]: Parameters[Name] extends readonly unknown[] | undefined
    ? string | readonly string[] | Extract<Parameters[Name], undefined>
    : string | Extract<Parameters[Name], undefined>;
};

/** Headers are looked up by lower-case name. */
type HeaderTexts<Headers> = { readonly [Name in keyof Headers as Lowercase<Name & string>]?: string };

/** A validated request of one operation, with what the API's authentication says of its sender. */
export type OperationRequest<Operation extends OperationTypes, Sender extends object> = Sender & {
  /** Who sends it, for lines of the log. */
  readonly logFacts: SenderFacts;
  /** Is aborted when the sender leaves before the answer is complete. */
  readonly signal: AbortSignal;
  readonly path: Texts<Operation['path']>;
  readonly query: Texts<NonNullable<Operation['query']>>;
  readonly headers: HeaderTexts<NonNullable<Operation['headers']>>;
  /** Checked against the document only; what its members may be is for the service behind the handler to say. */
  readonly body: Operation['body'];
};

/** An answer the document has for an operation. */
export type OperationAnswer<Operation extends OperationTypes> = {
  [Status in keyof Operation['responses'] & number]: {
    readonly status: Status;
    readonly headers?: HttpAnswer['headers'];
    readonly body?: Unchanged<Operation['responses'][Status]>;
    /** In place of a body, one that is as the document has it and is read while it is sent. */
    readonly stream?: StreamedBody;
  };
}[keyof Operation['responses'] & number];

/** The same value for readers alone: an answer is only sent. */
type Unchanged<Body> = Body extends object ? { readonly [Name in keyof Body]: Unchanged<Body[Name]> } : Body;

/** The handlers of a document's operations, by operation ID. */
export type OperationHandlers<
  Operations extends { [Id in keyof Operations]: OperationTypes },
  Sender extends object,
> = {
  readonly [Id in keyof Operations]: (
    request: OperationRequest<Operations[Id], Sender>,
  ) => Promise<OperationAnswer<Operations[Id]>>;
};

/**
 * Makes the middleware that serves a document's operations.
 *
 * `readBody` puts a request's body into `request.body`, for operations that have one. Fails when an operation has no
 * handler.
 */
export async function createApi<
  Operations extends { [Id in keyof Operations]: OperationTypes },
  Sender extends object,
>({
  document,
  handlers,
  readBody,
}: {
  document: OpenApiDocument;
  readBody: RequestHandler;
  handlers: OperationHandlers<Operations, Sender>;
}): Promise<RequestHandler> {
  // By name from here on: the document says what each handler is called with.
  const byName = new Map(Object.entries<AnyHandler>(handlers as unknown as Record<string, AnyHandler>));
  const api = new OpenAPIBackend({
    // A document of ours, which the tests hold against OpenAPI 3.1; the library would take it for 3.0.
    definition: document as unknown as Document,
    quick: true,
    strict: true,
    // Formats are checked with the fields' types, by the content service; the document itself, by the tests.
    ajvOpts: { strict: false, validateSchema: false, allErrors: true, validateFormats: false },
    handlers: { ...fallbacks, ...Object.fromEntries([...byName].map(adapt)) },
  });
  await api.init();
  const missing = api.router.getOperations().filter(({ operationId = '' }) => !byName.has(operationId));
  if (missing.length > 0) throw new Error(`no handler for ${missing.map(({ path }) => path).join(', ')}`);
  prepareApi(api);

  return (request, response, next) => {
    const path = requestPath(request);
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    // Node gives lower-case names, and a list for set-cookie alone, which no request has.
    const headers = request.headers as Record<string, string>;
    // Express types locals as anything; the middleware in front fills it with these.
    const locals = response.locals as RequestLocals;
    const handle = (error?: unknown) => {
      if (error) return next(error);
      const { body } = request;
      const query = request.query as Record<string, string>; // Or lists of texts, which it takes as well.
      api
        .handleRequest({ method, path, query, headers, body }, { ...locals, response })
        .then((answer: ApiAnswer) => send(response, answer))
        // Also what goes wrong while an answer is sent.
        .catch(next);
    };
    // A body is read once it is known to belong to an operation that has one.
    const hasBody = method !== 'GET' && api.router.matchOperation({ method, path, headers })?.requestBody;
    if (hasBody) readBody(request, response, handle);
    else handle();
  };
}

type ApiAnswer = HttpAnswer & { readonly stream?: StreamedBody };

function send(response: Response, { stream, ...answer }: ApiAnswer): void | Promise<void> {
  return stream ? sendStream(response, { ...answer, stream }) : sendAnswer(response, answer);
}

/** What a handler is called with beside its request. */
type ServedLocals = RequestLocals & { readonly response: Response };

type AnyHandler = (request: object) => Promise<ApiAnswer>;

function adapt([operationId, handler]: [string, AnyHandler]) {
  const adapted = ({ request }: Context, { response, ...locals }: ServedLocals) => {
    const { sender } = locals;
    if (!sender) throw unauthorized('Credentials are needed');
    const { params: path, query, headers, requestBody: body } = request;
    return handler({
      ...sender,
      logFacts: senderFacts(locals),
      path,
      query,
      headers,
      body,
      // Made for the handlers that ask for it, since most requests are too short to be left.
      get signal() {
        return signalOf(response);
      },
    });
  };
  return [operationId, adapted] as const;
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

const fallbacks = {
  notFound: ({ request }: Context) => {
    throw routeNotFound(request.path);
  },
  methodNotAllowed: ({ api, request }: Context) => {
    const allowed = methods.filter((method) => api.router.matchOperation({ ...request, method }));
    const withHead = allowed.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
    throw methodNotAllowed(request.method.toUpperCase(), withHead);
  },
  unauthorizedHandler: () => {
    throw unauthorized('Credentials are needed');
  },
  notImplemented: ({ operation }: Context) => {
    throw new Error(`operation ${operation.operationId} has no handler`);
  },
  validationFail: ({ validation }: Context) => {
    throw toValidationError(validation.errors ?? []);
  },
};
