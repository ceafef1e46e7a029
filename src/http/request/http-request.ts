/**
 * Requests and responses as the handlers of APIs use them: those of Node.js, with the facts about a request that are kept for the handlers after
 * it and for the log. Pages receive the same objects from Express, which adds members to them.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AuthenticatedClient } from '../../access/authenticator.ts';
import type { User } from '../../access/users/users.ts';
import { isAbort } from '../../base/runtime.ts';
import type { RequestSpan } from '../../base/tracing.ts';
import type { Work } from '../../base/work-meter.ts';
import type { HttpResponse } from '../error-map.ts';

/** A request of a server. */
export interface Request extends IncomingMessage {
  readonly method: string;
  readonly url: string;
  /** Set by Express, which removes mount paths from `url`. */
  readonly originalUrl?: string;
}

/** A response of a server. `locals` are `RequestLocals`. */
export interface Response extends ServerResponse<Request> {
  locals: object;
}

/** Answers a request, or calls `next` if the request is not for it. Errors that it throws or passes to `next` are answered. */
export type RequestHandler = (
  request: Request,
  response: Response,
  next: (error?: unknown) => void,
) => void | Promise<void>;

/** The content of `response.locals`. */
export interface RequestLocals {
  requestId: string;
  /** The path as the client sent it, percent-encoded, without the path of the public URL and without the query. */
  path: string;
  /**
   * The path of the operation, endpoint or mapping that handles the request, with parameters in braces, as far as it is known; of
   * requests that no operation handles, the path above it, such as /admin/*.
   */
  route?: string;
  /** The headers of the response so far, alternating names and values; see `addHeader`. */
  readonly headers: string[];
  /** The ID of the distributed trace that the request belongs to, from the header `traceparent` or its span. */
  traceId: string | undefined;
  /** The span of the request; absent without an SDK of OpenTelemetry. */
  span?: RequestSpan;
  /** The network address of the client behind trusted proxies; absent if the connection is already closed. */
  clientAddress: string | undefined;
  /** The header `User-Agent`. */
  userAgent: string | undefined;
  /** Whether the maximum number of requests was already in progress. */
  exceedsRequestLimit: boolean;
  /** Ends the request for that limit, before its response ends; it may be called several times. */
  leaveRequestLimit: () => void;
  /** The work of the request so far, and the function that says that it continues; absent without rate limits. */
  work?: Work;
  continueWork?: () => void;
  /** The sender that the work is charged to. */
  rateLimited?: string;
  /** The parameter by which the request names a release, if the endpoint reads it. */
  releaseParameter?: 'release' | 'preview';
  /** Class names of the content types that it has used; they are counted for API clients. */
  usedTypes?: readonly string[];
  /** What went wrong, for the log: the code of the first error, and the path of the field without an index that made a search too costly. */
  failed?: { readonly code: string; readonly unindexed: string | undefined };
  /** The name of the GraphQL operation that has run, if it has one. */
  operation?: string;
  /** The sender, after authentication. */
  client?: AuthenticatedClient;
  user?: User;
  /** Members that every handler of the API receives in addition to those of the request. */
  sender?: object;
  /** Converts an error to a response, if the API has its own form of errors. */
  toErrorResponse?: (error: unknown) => HttpResponse;
}

/** Creates a signal that aborts when the connection closes before the response is complete. */
export function disconnectSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  if (response.destroyed) controller.abort();
  return controller.signal;
}

/** Tells whether an error was only caused by the disconnection of the client. */
export const isClientDisconnect = (response: ServerResponse, error: unknown) =>
  response.destroyed && isAbort(error);
