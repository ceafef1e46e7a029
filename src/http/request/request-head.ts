/**
 * The head of a request: what is refused before any of it is parsed, its path and query, the network address of its client, and its sender.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIP, SocketAddress } from 'node:net';
import type { AuthenticatedClient } from '../../access/authenticator.ts';
import type { User } from '../../access/users/users.ts';
import { decodeQuery } from '../../base/decode-query.ts';
import { invalidParameter } from '../../base/errors.ts';
import { createBareObject } from '../../base/own-members.ts';
import { type Actor, type RequestOrigin, runNamePattern } from '../../base/request-origin.ts';
import { isAbort } from '../../base/runtime.ts';
import type { RequestSpan } from '../../base/tracing.ts';
import type { Work } from '../../base/work-meter.ts';
import { type HttpResponse, toErrorResponse } from '../error-map.ts';

/** The maximum length of a header that is a list. */
const maxListBytes = 4096;

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

// Reads a query string into an object that inherits no member, so that every name is allowed.
//
// Results are not kept: to read a query string takes a microsecond, and to keep one that does not come again takes longer.

/**
 * Parses the part of a URL after `?`. The value of a name that occurs once is a string, of a repeated name an array of strings.
 *
 * Errors: invalid_parameter.
 */
export function parseQuery(text: string): Record<string, string | string[]> {
  const query = createBareObject<string | string[]>();
  for (const [name, value = ''] of decodeQuery(text)) {
    const earlier = query[name];
    if (earlier === undefined) query[name] = value;
    else if (typeof earlier === 'string') query[name] = [earlier, value];
    else earlier.push(value);
  }
  return query;
}

// The network address of a client: the address nearest to the server that does not belong to a trusted proxy.
//
// Without trusted proxies the result is the address of the peer of the connection.

/** Tells whether the sender with this address is a trusted proxy; the peer of the connection has the number 0. */
export type TrustProxy = (address: string, hop: number) => boolean;

/**
 * Reads the address of the client in canonical form; an IPv4 address that was mapped into IPv6 is returned as IPv4.
 * Returns `undefined` if the connection is already closed.
 */
export function readClientAddress(request: Request, isTrusted: TrustProxy): string | undefined {
  // A trusted proxy may report something else than an address, such as "unknown"; then the address of the reporter is used.
  for (const reported of listSenders(request, isTrusted).reverse()) {
    const address = toAddress(reported);
    if (address !== undefined) return address;
  }
  return undefined;
}

/** Lists the peer of the connection, then the senders before it, up to the first that is not trusted. */
function listSenders({ socket, headers }: Request, isTrusted: TrustProxy): string[] {
  const peer = socket.remoteAddress ?? '';
  const forwarded = headers['x-forwarded-for']?.toString();
  // A longer list is refused.
  if (forwarded === undefined || forwarded.length > maxListBytes) return [peer];
  const reported = forwarded.split(',').map((text) => text.trim());
  const senders = [peer, ...reported.filter((text) => text !== '').reverse()];
  const client = senders.findIndex((sender, hop) => !isTrusted(sender, hop));
  return client < 0 ? senders : senders.slice(0, client + 1);
}

/** Reads `192.0.2.1`, `192.0.2.1:4711`, `2001:db8::1` and `[2001:db8::1]:4711`. */
function toAddress(text: string): string | undefined {
  const isPlain = isIP(text) === 4;
  const bare = isPlain
    ? text
    : (/^\[(.*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text);
  const family = isPlain ? 4 : isIP(bare);
  if (family === 0) return undefined;
  if (family === 4) return bare;
  const { address } = new SocketAddress({ address: bare, family: 'ipv6' });
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(address)?.[1] ?? address;
}

/** The number of proxies in front of the server, or the networks that they are in. */
export type TrustedProxies = number | readonly string[];

/** The names that Express has for networks: `127.0.0.1/8` and `::1/128`, `169.254.0.0/16` and `fe80::/10`, the private networks. */
const networkNames = ['loopback', 'linklocal', 'uniquelocal'];

/** More proxies than any installation has. */
const maxHops = 32;

/** Parses the setting; a returned string is the reason why it is invalid. */
export function readTrustedProxies(text: string): { readonly value: TrustedProxies } | string {
  if (/^\d+$/.test(text)) {
    const hops = Number(text);
    return hops <= maxHops ? { value: hops } : `must be at most ${maxHops} hops`;
  }
  const networks = text.split(',').map((network) => network.trim());
  const wrong = networks.find((network) => !isNetwork(network));
  if (wrong === undefined) return { value: networks };
  const names = networkNames.join(', ');
  return `must be a number of hops, or a list of IP addresses, networks such as 10.0.0.0/8, and ${names}; "${wrong}" is none of these, and no value trusts everybody`;
}

/** Tells whether a text is a network that can be trusted; the network of all addresses is not. */
function isNetwork(text: string): boolean {
  if (networkNames.includes(text)) return true;
  const [address = '', length, ...more] = text.split('/');
  const family = address.includes('%') ? 0 : isIP(address);
  if (family === 0 || more.length > 0) return false;
  if (length === undefined) return true;
  return /^\d{1,3}$/.test(length) && Number(length) >= 1 && Number(length) <= (family === 4 ? 32 : 128);
}

/**
 * Reads the origin of a request whose sender is known. Reading requests belong to no run.
 *
 * Errors: invalid_parameter when X-Run is malformed, or sent without credentials.
 */
export function readOrigin(request: Request, locals: RequestLocals): RequestOrigin {
  const { requestId, clientAddress, continueWork } = locals;
  const work = continueWork && { continueWork };
  const run = isReading(request) ? undefined : request.headers['x-run']?.toString();
  const by = toActor(locals);
  if (run === undefined)
    return by.kind === 'anonymous'
      ? { by, requestId, address: clientAddress, ...work }
      : { by, requestId, ...work };
  if (by.kind === 'anonymous') throw invalidParameter('X-Run', 'needs credentials, which are not used here');
  if (!runNamePattern.test(run)) {
    throw invalidParameter(
      'X-Run',
      'must be 1 to 64 characters: letters, digits, ".", "_" and "-", but not "." or ".."',
    );
  }
  return { by, run, requestId, ...work };
}

function toActor({ client, user }: RequestLocals): Actor {
  if (client) return { kind: 'client', id: client.clientId, name: client.name };
  if (user) return { kind: 'user', id: user.id, name: user.email };
  return { kind: 'anonymous' };
}

const isReading = ({ method }: Request) => method === 'GET' || method === 'HEAD';

// Requests and responses as the handlers of APIs use them: those of Node.js, with the facts about a request that are kept for the handlers after
// it and for the log. Pages receive the same objects from Express, which adds members to them.

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
