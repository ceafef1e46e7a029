/**
 * Sends requests by plain `fetch`, so that it can send what a typed client never would, and reads answers whole.
 */
import type { Json } from '../model/content-type.ts';
import type { ReceivedAnswer } from './judge.ts';

/** Who sends a request. */
export interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** One request; `body` is sent as JSON, `raw` as it is. */
export interface ContractRequest {
  readonly method: string;
  /** From the server's address, such as `/api/rest/cma/contents`. */
  readonly path: string;
  /** A name may come several times. */
  readonly query?: readonly (readonly [name: string, value: string])[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Json;
  readonly raw?: string | Uint8Array<ArrayBuffer>;
  /** Without it, those of the run; null for none. */
  readonly credentials?: Credentials | null;
}

/** Sends a request and reads its answer. Fails when there is none. */
export type Sender = (request: ContractRequest) => Promise<ReceivedAnswer>;

/** The headers that carry credentials. */
export function toHeaders({ clientId, clientSecret }: Credentials): Record<string, string> {
  return { 'X-Client-Id': clientId, 'X-Client-Secret': clientSecret };
}

/** Makes the sender to one server, with the credentials of a run. */
export function createSender({
  origin,
  credentials,
  timeoutMs,
}: {
  origin: string;
  credentials: Credentials;
  timeoutMs: number;
}): Sender {
  return async (request) => {
    const { body = null, type } = bodyOf(request);
    const sender = request.credentials === undefined ? credentials : request.credentials;
    const response = await fetch(origin + targetOf(request), {
      method: request.method,
      headers: { ...(sender ? toHeaders(sender) : {}), ...type, ...request.headers },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await response.text();
    const headers = Object.fromEntries(response.headers);
    return { status: response.status, headers, body: readBody(text, headers['content-type']) };
  };
}

/** The path of a request with its query string. */
export function targetOf({ path, query = [] }: ContractRequest): string {
  const pairs = query.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`;
}

function bodyOf({ body, raw }: ContractRequest) {
  if (raw !== undefined) return { body: raw, type: {} };
  if (body === undefined) return { type: {} };
  return { body: JSON.stringify(body), type: { 'Content-Type': 'application/json' } };
}

function readBody(text: string, type = ''): unknown {
  if (text === '') return undefined;
  if (!/[/+]json/.test(type)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
