/**
 * The headers that a response has whatever its handler returns. They are kept as a list until the head is written, because Node.js
 * checks and copies a header that is set twice: when it is set, and when the head is written.
 */
import type { HttpResponse } from '../error-map.ts';
import type { Response } from '../request/http-request.ts';
import type { RequestLocals } from '../request/request-locals.ts';

/** Adds a header. The header of a handler with the same name replaces it; for `Vary` see `addVary`. */
export function addHeader(response: Response, name: string, value: string): void {
  headersOf(response).push(name, value);
}

/** Adds request headers to `Vary`, beside those that were added before. A handler's `Vary` is added, too. */
export function addVary(response: Response, names: string): void {
  const headers = headersOf(response);
  const found = headers.indexOf('Vary');
  if (found < 0) headers.push('Vary', names);
  else headers[found + 1] += `, ${names}`;
}

/** Sets the added headers on the response, for code that knows only those. */
export function setAddedHeaders(response: Response): void {
  const headers = headersOf(response).splice(0);
  for (let n = 0; n + 1 < headers.length; n += 2) response.setHeader(headers[n] ?? '', headers[n + 1] ?? '');
}

/** Lists the added headers and those of a handler: names and values by turns. The headers of the handler have priority. */
export function listHeaders(
  response: Response,
  {
    headers = {},
    contentType,
    byteLength,
  }: {
    headers?: HttpResponse['headers'];
    contentType?: string;
    byteLength?: number;
  },
): (string | string[])[] {
  const list: (string | string[])[] = [];
  const added = headersOf(response);
  for (let n = 0; n + 1 < added.length; n += 2) {
    const [name = '', value = ''] = [added[n], added[n + 1]];
    const own = headers[name];
    if (own === undefined) list.push(name, value);
    else if (name === 'Vary') list.push(name, `${value}, ${own}`);
  }
  if (contentType !== undefined && headers['Content-Type'] === undefined)
    list.push('Content-Type', contentType);
  if (byteLength !== undefined) list.push('Content-Length', String(byteLength));
  for (const name in headers)
    if (name !== 'Vary' || !added.includes(name)) list.push(name, headers[name] ?? '');
  return list;
}

/** The application sets the locals before any handler runs. */
const headersOf = ({ locals }: Response) => (locals as RequestLocals).headers;
