/**
 * Facts about a request that middleware stores for the handlers after it and for the log.
 */
import type { ApiClient } from '../../access/clients/api-clients.ts';
import type { User } from '../../access/users/users.ts';
import type { HttpResponse } from '../error-map.ts';

/** The content of `response.locals`. */
export interface RequestLocals {
  requestId: string;
  /** The path as the client sent it, percent-encoded and without the query. */
  path: string;
  /** The headers of the response so far, names and values by turns; see `response-headers.ts`. */
  readonly headers: string[];
  /** The network address of the client behind trusted proxies; absent if the connection is already closed. */
  clientAddress: string | undefined;
  /** The header `User-Agent`. */
  userAgent: string | undefined;
  /** Whether the maximum number of requests was already in progress. */
  exceedsRequestLimit: boolean;
  /** The sender, after authentication. */
  client?: ApiClient;
  user?: User;
  /** Members that every handler of the API receives in addition to those of the request. */
  sender?: object;
  /** Converts an error to a response, if the API has its own form of errors. */
  toErrorResponse?: (error: unknown) => HttpResponse;
}
