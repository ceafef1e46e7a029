/**
 * The path of a request as the client sent it; routers of Express remove parts from `request.path`.
 */
import type { Request } from 'express';

/** Returns the percent-encoded path without the query, also for a complete URL, which proxies may send. */
export function requestPath({ originalUrl }: Request): string {
  const [path = ''] = originalUrl.replace(/^https?:\/\/[^/?]*/i, '').split('?', 1);
  return path;
}
