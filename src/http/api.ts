/**
 * Serves the operations of an OpenAPI document through openapi-backend: routing, credentials, validation, handlers.
 *
 * It runs strict, and every fallback is registered, for a missing one would let a request pass. Handlers are plain functions
 * from a request to an answer; neither Express nor openapi-backend is seen by them.
 */
import type { Request, RequestHandler, Response } from 'express';
import type { Context, Document } from 'openapi-backend';
import type { DeepReadonly } from '../base/deep-readonly.ts';
import { methodNotAllowed, routeNotFound, unauthorized } from '../base/errors.ts';
import type { OpenApiDocument } from '../documents/openapi-document.ts';
import type { CheckedBody } from '../model/checked-body.ts';
import type { HttpAnswer } from './error-map.ts';
import { PreparedApi } from './openapi/prepared-api.ts';
import { RequestRouter } from './openapi/request-router.ts';
import { RequestValidator, type RequestValidators } from './openapi/request-validator.ts';
import { isInBody, toProblems, toValidationError } from './openapi/validation-error.ts';
import { signalOf } from './request/client-disconnect.ts';
import type { BodyReader } from './request/read-body.ts';
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
export type OperationRequest<
  Operation extends OperationTypes,
  Sender extends object,
  Body = Operation['body'],
> = Sender & {
  /** Who sends it, for lines of the log. */
  readonly logFacts: SenderFacts;
  /** Is aborted when the sender leaves before the answer is complete. */
  readonly signal: AbortSignal;
  readonly path: Texts<Operation['path']>;
  readonly query: Texts<NonNullable<Operation['query']>>;
  readonly headers: HeaderTexts<NonNullable<Operation['headers']>>;
  /** Checked against the document only; what its members may be is for the service behind the handler to say. */
  readonly body: Body;
};

/** An answer the document has for an operation. */
export type OperationAnswer<Operation extends OperationTypes> = {
  [Status in keyof Operation['responses'] & number]: {
    readonly status: Status;
    readonly headers?: HttpAnswer['headers'];
    readonly body?: DeepReadonly<Operation['responses'][Status]>;
    /** In place of a body, one that is as the document has it and is read while it is sent. */
    readonly stream?: StreamedBody;
  };
}[keyof Operation['responses'] & number];

/**
 * The handlers of a document's operations, by operation ID. Those that are `Gathering` get their body with what is wrong with it, for
 * their services answer that together with what they find themselves.
 */
export type OperationHandlers<
  Operations extends { [Id in keyof Operations]: OperationTypes },
  Sender extends object,
  Gathering extends keyof Operations = never,
> = {
  readonly [Id in keyof Operations]: (
    request: OperationRequest<
      Operations[Id],
      Sender,
      Id extends Gathering ? CheckedBody : Operations[Id]['body']
    >,
  ) => Promise<OperationAnswer<Operations[Id]>>;
};

/**
 * Makes the middleware that serves a document's operations.
 *
 * `validators` are those generated from the document; `readBody` reads the bodies of operations that have one; the operations in
 * `gathering` are handled although something is wrong with their body. Fails when an operation has no handler.
 */
export async function createApi<
  Operations extends { [Id in keyof Operations]: OperationTypes },
  Sender extends object,
  Gathering extends keyof Operations & string,
>({
  document,
  validators,
  handlers,
  gathering,
  readBody,
}: {
  document: OpenApiDocument;
  validators: RequestValidators;
  handlers: OperationHandlers<Operations, Sender, Gathering>;
  gathering: readonly Gathering[];
  readBody: BodyReader;
}): Promise<RequestHandler> {
  // By name from here on: the document says what each handler is called with.
  const byName = new Map(Object.entries<AnyHandler>(handlers as unknown as Record<string, AnyHandler>));
  const gathers = new Set<string>(gathering);
  // A document of ours, which the tests hold against OpenAPI 3.1; the library would take it for 3.0.
  const router = new RequestRouter(document as unknown as Document);
  const missing = router.getOperations().filter(({ operationId = '' }) => !byName.has(operationId));
  if (missing.length > 0) throw new Error(`no handler for ${missing.map(({ path }) => path).join(', ')}`);
  const operations = [...byName].map(([id, handler]) => [id, adapt(handler, gathers.has(id))] as const);
  const api = new PreparedApi({
    router,
    validator: new RequestValidator({ router, validators }),
    handlers: {
      ...createFallbacks({
        router,
        readBody,
        gathering: new Map(operations.filter(([id]) => gathers.has(id))),
      }),
      ...Object.fromEntries(operations),
    },
  });
  await api.init();

  return (incoming, response, next) => {
    const request = {
      method: incoming.method === 'HEAD' ? 'GET' : incoming.method,
      path: requestPath(incoming),
      // Texts and lists of texts, as the application parses a query string.
      query: incoming.query as Record<string, string | string[]>,
      // Node gives lower-case names, and a list for set-cookie alone, which no request has.
      headers: incoming.headers as Record<string, string>,
      params: {},
      cookies: {},
    };
    // Express types locals as anything; the middleware in front fills it with these.
    const locals = response.locals as RequestLocals;
    api
      .handleRequest(request, { ...locals, incoming, response })
      .then((answer: ApiAnswer) => send(response, answer))
      // Also what goes wrong while an answer is sent.
      .catch(next);
  };
}

type ApiAnswer = HttpAnswer & { readonly stream?: StreamedBody };

function send(response: Response, { stream, ...answer }: ApiAnswer): void | Promise<void> {
  return stream ? sendStream(response, { ...answer, stream }) : sendAnswer(response, answer);
}

/** What a handler is called with beside its request. */
type ServedLocals = RequestLocals & { readonly incoming: Request; readonly response: Response };

type AnyHandler = (request: object) => Promise<ApiAnswer>;

type AdaptedHandler = (context: Context, locals: ServedLocals) => Promise<ApiAnswer>;

function adapt(handler: AnyHandler, isGathering: boolean): AdaptedHandler {
  return async ({ request, validation }, { incoming: _, response, ...locals }) => {
    const { sender } = locals;
    if (!sender) throw unauthorized('Credentials are needed');
    const { params: path, query, headers, requestBody } = request;
    return handler({
      ...sender,
      logFacts: senderFacts(locals),
      path,
      query,
      headers,
      body: isGathering ? { body: requestBody, problems: toProblems(validation.errors ?? []) } : requestBody,
      // Made for the handlers that ask for it, since most requests are too short to be left.
      get signal() {
        return signalOf(response);
      },
    });
  };
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

function createFallbacks({
  router,
  readBody,
  gathering,
}: {
  router: RequestRouter;
  readBody: BodyReader;
  gathering: ReadonlyMap<string, AdaptedHandler>;
}) {
  return {
    /** Reads a body once it is known to belong to an operation that has one. */
    async postRoutingHandler({ operation, request }: Partial<Context>, { incoming, response }: ServedLocals) {
      if (request && operation?.requestBody) request.requestBody = await readBody(incoming, response);
    },
    notFound({ request }: Context) {
      throw routeNotFound(request.path);
    },
    methodNotAllowed({ request }: Context) {
      const known = router.methodsOf(request.path);
      const allowed = methods.filter((method) => known.includes(method));
      const withHead = allowed.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
      throw methodNotAllowed(request.method.toUpperCase(), withHead);
    },
    unauthorizedHandler() {
      throw unauthorized('Credentials are needed');
    },
    notImplemented({ operation }: Context) {
      throw new Error(`operation ${operation.operationId} has no handler`);
    },
    validationFail(context: Context, locals: ServedLocals) {
      const findings = context.validation.errors ?? [];
      const handler = gathering.get(context.operation.operationId ?? '');
      if (handler && findings.every(isInBody)) return handler(context, locals);
      throw toValidationError(findings);
    },
  };
}
