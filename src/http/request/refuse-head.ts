/**
 * Refuses the head of a request before any of it is parsed: without a Host or with several, or with a list so long that parsing it would
 * delay other requests. `app/server/server.ts` bounds the head as a whole.
 */
import { invalidParameter } from '../../base/errors.ts';
import { type HttpResponse, toErrorResponse } from '../error-map.ts';
import type { Request } from './http-request.ts';

/** The maximum length of a header that is a list. */
export const maxListBytes = 4096;

/** The maximum length of the cookies, as other servers have it. */
const maxCookieBytes = 16_384;

/** The maximum number of parameters in a query string. */
const maxParameters = 10_000;

/** Headers that are lists, or have parameters, and that this server or one of its libraries takes apart. */
const lists = [
  ...['accept', 'accept-charset', 'accept-encoding', 'accept-language', 'access-control-request-headers'],
  ...['cache-control', 'connection', 'content-encoding', 'content-type', 'expect', 'forwarded', 'if-match'],
  ...[
    'if-none-match',
    'if-range',
    'range',
    'te',
    'transfer-encoding',
    'upgrade',
    'via',
    'x-forwarded-for',
    'x-forwarded-host',
  ],
  'x-forwarded-proto',
];

/** Returns the response to a head that is refused. */
export function refuseHead({ httpVersion, headers, rawHeaders, url }: Request): HttpResponse | undefined {
  if (headers.host === undefined && httpVersion === '1.1') return refuse('Host', 'is required by HTTP/1.1');
  if (isRepeated(rawHeaders, 'host')) return refuse('Host', 'is given more than once');
  if (hasMore(url, '&', maxParameters - 1))
    return refuse('The query string', `has more than ${maxParameters} parameters`);
  if ((headers.cookie?.length ?? 0) > maxCookieBytes) return refuseLong('cookie', maxCookieBytes);
  const long = lists.find((name) => (headers[name]?.length ?? 0) > maxListBytes);
  return long === undefined ? undefined : refuseLong(long, maxListBytes);
}

const refuseLong = (header: string, maxBytes: number): HttpResponse => ({
  ...refuse(`The header ${header}`, `is larger than ${maxBytes} bytes`),
  status: 431,
});

const refuse = (name: string, reason: string) => toErrorResponse(invalidParameter(name, reason));

/** Returns whether a header occurs more than once; `headers` of Node.js has only the first one. */
function isRepeated(rawHeaders: readonly string[], name: string): boolean {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const written = rawHeaders[at];
    if (written?.length === name.length && written.toLowerCase() === name) count++;
  }
  return count > 1;
}

/** Returns whether a text contains a character more often than `count` times. */
function hasMore(text: string, character: string, count: number): boolean {
  if (text.length <= count) return false;
  let [found, at] = [0, text.indexOf(character)];
  for (; at >= 0 && found <= count; found++) at = text.indexOf(character, at + 1);
  return found > count;
}
