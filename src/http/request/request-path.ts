/**
 * The path of a request as it was sent, whatever part of it a router has taken away.
 */
import type { Request } from 'express';

/** The path, percent-encoded, without the query; of a whole URL, as proxies may send one, its path. */
export function requestPath({ originalUrl }: Request): string {
  const [path = ''] = originalUrl.replace(/^https?:\/\/[^/?]*/i, '').split('?', 1);
  return path;
}
