/**
 * The path and the query string of a request as the client sent them; routers of Express remove parts from `request.path`.
 */
import type { IncomingMessage } from 'node:http';
import type { Request } from './http-request.ts';

type Urls = Pick<Request, 'originalUrl' | 'url'>;

/** Returns the percent-encoded path without the query, also for a complete URL, which proxies may send. */
export function requestPath(request: Urls): string {
  const url = wholeUrl(request);
  const path = url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?]*/i, '');
  const end = path.indexOf('?');
  return end < 0 ? path : path.slice(0, end);
}

/** Returns the part of the URL after `?`, undecoded. */
export function queryText(request: Urls): string {
  const url = wholeUrl(request);
  const start = url.indexOf('?');
  return start < 0 ? '' : url.slice(start + 1);
}

/**
 * Creates the function that removes the path of the public URL from the URL of a request, so that all other code works with the paths of
 * the server itself. A proxy may have removed it already.
 */
export function createBasePathRemover(basePath: string): (request: IncomingMessage) => void {
  if (basePath === '') return () => {};
  return (request) => {
    const url = request.url ?? '/';
    const [origin = ''] = url.startsWith('/') ? [] : (/^https?:\/\/[^/?]*/i.exec(url) ?? []);
    if (!url.startsWith(basePath, origin.length)) return;
    const rest = url.slice(origin.length + basePath.length);
    if (rest === '' || rest.startsWith('?')) request.url = `${origin}/${rest}`;
    else if (rest.startsWith('/')) request.url = origin + rest;
  };
}

const wholeUrl = ({ originalUrl, url }: Urls) => originalUrl ?? url;
