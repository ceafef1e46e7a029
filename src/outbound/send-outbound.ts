/**
 * Sends a request to a URL that a user has chosen.
 *
 * The address is checked when it is connected to: every address that a name resolves to at that moment, and addresses in the URL.
 * So a name that resolves differently the second time gains nothing. Redirects are not followed. A request ends after 10 s, and 64 KiB
 * of the response are read. Each request has its own connection, because one that was kept may have been closed meanwhile.
 */
import { lookup as lookupWithSystem } from 'node:dns';
import { type ClientRequest, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { findForbiddenKind } from './find-forbidden-kind.ts';

export interface OutboundRequest {
  /** The default is POST. */
  readonly method?: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Ends the request early. */
  readonly signal?: AbortSignal;
}

/** A response, whatever its status. */
export interface OutboundResponse {
  readonly kind: 'answered';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The beginning of the body as text, at most 64 KiB. */
  readonly body: string;
}

/** No response: the address is forbidden, the connection failed, or the time ran out. */
export interface OutboundFailure {
  readonly kind: 'failed';
  /** A sentence without a full stop. */
  readonly reason: string;
}

/** Sends requests. Never rejects. */
export type SendOutbound = (request: OutboundRequest) => Promise<OutboundResponse | OutboundFailure>;

/** How a name is resolved; the signature is that of `node:dns`. */
export type ResolveName = typeof lookupWithSystem;

/** How long a request may take, with the response. */
const outboundTimeoutMs = 10_000;
/** How much of a response is read. */
export const maxResponseBytes = 65_536;

/** How many responses with a status of 1xx may come before the final one. */
const maxInterim = 20;

/** The error of an address that must not be connected to. */
class ForbiddenAddress extends Error {}

/** Creates the function. `allowsPrivate` permits all addresses. */
export function createOutbound({
  allowsPrivate,
  resolveName = lookupWithSystem,
  timeoutMs = outboundTimeoutMs,
}: {
  allowsPrivate: boolean;
  resolveName?: ResolveName;
  timeoutMs?: number;
}): SendOutbound {
  const lookup = allowsPrivate ? undefined : guardLookup(resolveName);
  return async ({ method = 'POST', url, headers, body, signal }) => {
    const target = new URL(url);
    const literal = target.hostname.replace(/^\[|\]$/g, '');
    if (!allowsPrivate && isIP(literal) !== 0) {
      const kind = findForbiddenKind(literal);
      if (kind !== undefined) return { kind: 'failed', reason: forbiddenMessage(literal, kind) };
    }
    const timeout = AbortSignal.timeout(timeoutMs);
    const signals = signal ? AbortSignal.any([timeout, signal]) : timeout;
    const send = target.protocol === 'https:' ? requestHttps : requestHttp;
    const request = send(target, {
      method,
      agent: false,
      signal: signals,
      headers: { ...headers, 'Content-Length': Buffer.byteLength(body) },
      ...(lookup && { lookup }),
    });
    return readResponse(request, { body, timeout, timeoutMs });
  };
}

/** Resolves a name and refuses it if one of its addresses is forbidden: which one is connected to is not up to this function. */
function guardLookup(resolveName: ResolveName): LookupFunction {
  return (hostname, options, callback) => {
    resolveName(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '', 0);
      for (const { address } of addresses) {
        const kind = findForbiddenKind(address);
        if (kind !== undefined) {
          return callback(new ForbiddenAddress(forbiddenMessage(`${hostname} (${address})`, kind)), '', 0);
        }
      }
      const [first] = addresses;
      if (options.all) return callback(null, addresses);
      callback(null, first?.address ?? '', first?.family ?? 0);
    });
  };
}

const forbiddenMessage = (address: string, kind: string) =>
  `${address} is ${kind} address; set COLOPHON_WEBHOOK_PRIVATE=true to allow such receivers`;

function readResponse(
  request: ClientRequest,
  { body, timeout, timeoutMs }: { body: string; timeout: AbortSignal; timeoutMs: number },
): Promise<OutboundResponse | OutboundFailure> {
  return new Promise((resolve) => {
    let finish: (() => void) | undefined;
    let interim = 0;
    request.on('information', () => {
      if (++interim > maxInterim)
        request.destroy(new Error(`more than ${maxInterim} responses of 1xx came first`));
    });
    request.on('error', (error) => {
      // The status is known, so a body that ends early or arrives too slowly changes nothing.
      if (finish) return finish();
      const reason = timeout.aborted ? `There was no response within ${timeoutMs / 1000} s` : describe(error);
      resolve({ kind: 'failed', reason });
    });
    request.on('response', (response) => {
      const chunks: Buffer[] = [];
      let byteLength = 0;
      finish = () => {
        const text = Buffer.concat(chunks).subarray(0, maxResponseBytes).toString('utf8');
        const status = response.statusCode ?? 0;
        resolve({ kind: 'answered', status, headers: firstValues(response.headers), body: text });
        request.destroy();
      };
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        byteLength += chunk.byteLength;
        if (byteLength >= maxResponseBytes) finish?.();
      });
      response.on('error', finish);
      response.on('close', finish);
    });
    request.end(body);
  });
}

function firstValues(headers: Readonly<Record<string, string | string[] | undefined>>) {
  const entries = Object.entries(headers).map(([name, value]) => [name, [value ?? ''].flat()[0] ?? '']);
  return Object.fromEntries(entries) as Record<string, string>;
}

const messages: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The connection was refused',
  ECONNRESET: 'The connection was closed without a response',
  ENOTFOUND: 'The name of the host is unknown',
  EAI_AGAIN: 'The name of the host could not be resolved',
  EHOSTUNREACH: 'The host cannot be reached',
  ENETUNREACH: 'The network cannot be reached',
  ETIMEDOUT: 'The connection could not be opened in time',
};

function describe(error: Error & { code?: string }): string {
  if (error instanceof ForbiddenAddress) return error.message;
  if (error.name === 'AbortError') return 'The request was ended because the sender stops';
  const known = messages[error.code ?? ''];
  // With several addresses there is one error for each.
  const inner = error instanceof AggregateError ? (error.errors[0] as Error & { code?: string }) : undefined;
  return (
    known ?? messages[inner?.code ?? ''] ?? `The request failed: ${error.message || error.code || error.name}`
  );
}
