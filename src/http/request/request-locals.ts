/**
 * What is known of a request beside what it says: the middleware in front leaves it here for what comes after, and for the log.
 */
import type { ApiClient } from '../../access/clients/api-clients.ts';
import type { HttpAnswer } from '../error-map.ts';

/** What Express keeps in `response.locals` of each request. */
export interface RequestLocals {
  requestId: string;
  /** The network address the request comes from, past trusted proxies; absent when its connection is gone already. */
  clientAddress: string | undefined;
  /** The program that sends it, by its own words. */
  userAgent: string | undefined;
  /** Whether the request arrived when the limit of concurrent requests was reached. */
  isOverRequestLimit: boolean;
  /** Who sends it, once that is known. */
  client?: ApiClient;
  userId?: string;
  /** The members that every handler of the API gets beside those of the request. */
  sender?: object;
  /** How the API answers an error, if it has a form of its own. */
  toErrorAnswer?: (error: unknown) => HttpAnswer;
}
