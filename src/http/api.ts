/**
 * Serves the operations of an OpenAPI document through openapi-backend: routing, credentials, validation, handlers.
 *
 * It runs strict, and every fallback is registered, for a missing one would let a request pass. Handlers are plain functions
 * from a request to an answer; neither Express nor openapi-backend is seen by them.
 */
import type { RequestHandler } from 'express';
import { type Context, type Document, OpenAPIBackend } from 'openapi-backend';
import type { ApiClient } from '../access/api-clients.ts';
import {
  invalidBody,
  invalidParameter,
  methodNotAllowed,
  routeNotFound,
  unauthorized,
} from '../base/errors.ts';
import type { HttpAnswer } from './error-map.ts';
import type { OpenApiDocument } from './openapi-document.ts';
import { prepareRouter } from './prepare-router.ts';
import { sendAnswer } from './send-answer.ts';

/** A validated request of one operation, with the client it comes from. */
export interface OperationRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: unknown;
  readonly client: ApiClient;
}

/** The handlers of a document's operations, by operation ID. */
export type OperationHandlers<Operation extends string> = Readonly<
  Record<Operation, (request: OperationRequest) => Promise<HttpAnswer>>
>;

/** What the middleware before an API leaves for it in `response.locals`. */
export interface RequestLocals {
  requestId: string;
  client?: ApiClient;
}

/**
 * Makes the middleware that serves a document's operations.
 *
 * `readBody` puts a request's body into `request.body`, for operations that have one. The document must be a valid OpenAPI document and have a handler for every operation; otherwise this fails.
 */
export async function createApi({
  document,
  handlers,
  readBody,
}: {
  document: OpenApiDocument;
  readBody: RequestHandler;
  handlers: OperationHandlers<string>;
}): Promise<RequestHandler> {
  const api = new OpenAPIBackend({
    // Strict initialization checks that it is one.
    definition: document as unknown as Document,
    strict: true,
    // Formats are checked with the fields' types, by the content service.
    ajvOpts: { strict: false, allErrors: true, validateFormats: false },
    handlers: { ...fallbacks, ...Object.fromEntries(Object.entries(handlers).map(adapt)) },
  });
  await api.init();
  const missing = api.router.getOperations().filter(({ operationId = '' }) => !handlers[operationId]);
  if (missing.length > 0) throw new Error(`no handler for ${missing.map(({ path }) => path).join(', ')}`);
  for (const scheme of Object.keys(document.components.securitySchemes ?? {})) {
    api.registerSecurityHandler(scheme, (_: Context, locals: RequestLocals) => locals.client);
  }

  prepareRouter(api.router);

  return (request, response, next) => {
    const [path = ''] = request.originalUrl.split('?', 1);
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
        .handleRequest({ method, path, query, headers, body }, locals)
        .then((answer: HttpAnswer) => sendAnswer(response, answer), next);
    };
    // A body is read once it is known to belong to an operation that has one.
    const hasBody = method !== 'GET' && api.router.matchOperation({ method, path, headers })?.requestBody;
    if (hasBody) readBody(request, response, handle);
    else handle();
  };
}

type Handler = (request: OperationRequest) => Promise<HttpAnswer>;

function adapt([operationId, handler]: [string, Handler]) {
  const adapted = ({ request }: Context, { client }: RequestLocals) => {
    if (!client) throw unauthorized('Credentials are needed');
    const { params, query, headers, requestBody } = request;
    // The document's schemas have said that parameters are texts or lists of texts.
    return handler({ params, query, headers, body: requestBody, client } as OperationRequest);
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
    throw toParameterError(validation.errors?.[0]);
  },
};

interface SchemaError {
  readonly instancePath?: string;
  readonly message?: string;
  readonly params?: { readonly missingProperty?: string; readonly additionalProperty?: string };
}

/** Errors of the validator point into `{path, query, header, requestBody}`. */
function toParameterError({
  instancePath = '',
  message = 'is not valid',
  params = {},
}: SchemaError = {}): Error {
  const [, place = '', ...names] = instancePath.split('/');
  const { missingProperty, additionalProperty } = params;
  if (additionalProperty) return invalidParameter(additionalProperty, 'is no parameter of this operation');
  const reason = missingProperty ? 'is required' : message;
  const path = [...names, ...(missingProperty ? [missingProperty] : [])].join('.');
  return place === 'requestBody' ? invalidBody([{ path, message: reason }]) : invalidParameter(path, reason);
}
