/**
 * Sends requests with plain `fetch`, because a typed client refuses invalid ones, and reads whole responses within limits
 * of size and time. After 429 it waits as long as the server asks.
 */
import { setTimeout } from 'node:timers/promises';
import type { Json } from '../../model/content-type.ts';
import type { ReceivedResponse } from './response-validator.ts';
import { type ContinueRequest, sendAfterContinue } from './send-after-continue.ts';

export interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** One request; `body` is sent as JSON, `raw` as it is. */
export interface ContractRequest {
  readonly method: string;
  /** From the server's address, such as `/api/rest/cma/contents`. */
  readonly path: string;
  /** Names may repeat. */
  readonly query?: readonly (readonly [name: string, value: string])[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Json;
  readonly raw?: string | Uint8Array<ArrayBuffer>;
  /** Default: those of the run; null sends none. */
  readonly credentials?: Credentials | null;
}

/** Sends a request and reads its response. Errors: `NoResponse`. */
export type Sender = (request: ContractRequest) => Promise<ReceivedResponse>;

/** Says that a request got no complete response, and why. */
export class NoResponse extends Error {
  readonly request: ContractRequest;
  constructor(reason: string, request: ContractRequest) {
    super(`no response: ${reason}`);
    this.request = request;
  }
}

/** The headers that carry credentials. */
function toHeaders({ clientId, clientSecret }: Credentials): Record<string, string> {
  return { 'X-Client-Id': clientId, 'X-Client-Secret': clientSecret };
}

/** How to reach a server. */
export interface SenderSetup {
  readonly origin: string;
  readonly credentials: Credentials;
  readonly timeoutMs: number;
}

/** Creates the sender for one server, with the credentials of a run. */
export function createSender(setup: SenderSetup): Sender {
  return async (request) => {
    for (let pause = 0; ; pause++) {
      const received = await exchange(setup, request).catch((error: unknown) => {
        throw new NoResponse(reasonOf(error, setup), request);
      });
      const waitSeconds = Number(received.headers['retry-after'] ?? Number.NaN);
      const isWorthWaiting = received.status === 429 && waitSeconds <= maxWaitSeconds && pause < maxPauses;
      if (!isWorthWaiting) return received;
      await setTimeout(waitSeconds * 1000);
    }
  };
}

const maxWaitSeconds = 30;
const maxPauses = 5;
/** Far more than any response to the suite. */
const maxAnswerBytes = 32 * 1024 ** 2;

async function exchange(setup: SenderSetup, request: ContractRequest): Promise<ReceivedResponse> {
  const { body, type } = bodyOf(request);
  const sender = request.credentials === undefined ? setup.credentials : request.credentials;
  const sent = {
    url: setup.origin + targetOf(request),
    method: request.method,
    headers: { ...(sender ? toHeaders(sender) : {}), ...type, ...request.headers },
    timeoutMs: setup.timeoutMs,
  };
  const isLarge = body !== undefined && body.length > continueBytes;
  const received = isLarge
    ? await exchangeAfterContinue({ ...sent, body })
    : await exchangeByFetch({ ...sent, body });
  return { ...received, body: readBody(received.text, received.headers['content-type']) };
}

/** Larger bodies wait for `100 Continue`. */
const continueBytes = 1024 ** 2;

type ReadResponse = Pick<ReceivedResponse, 'status' | 'headers' | 'cookies'> & { readonly text: string };

async function exchangeByFetch({
  url,
  body,
  timeoutMs,
  ...init
}: Omit<ContinueRequest, 'body'> & { readonly body: ContractRequest['raw'] }): Promise<ReadResponse> {
  const signal = AbortSignal.timeout(timeoutMs);
  const response = await fetch(url, { ...init, body: body ?? null, redirect: 'manual', signal });
  const isEndless = response.headers.get('Content-Type')?.startsWith('text/event-stream') === true;
  const text = await readText(response.body ?? [], isEndless);
  const cookies = response.headers.getSetCookie();
  return { status: response.status, headers: Object.fromEntries(response.headers), cookies, text };
}

async function exchangeAfterContinue(request: ContinueRequest): Promise<ReadResponse> {
  const received = await sendAfterContinue(request);
  const headers = Object.entries(received.headers).map(([name, value]) => [name, String(value)]);
  const { statusCode: status = 0 } = received;
  const text = await readText(received);
  return {
    status,
    headers: Object.fromEntries(headers),
    cookies: received.headers['set-cookie'] ?? [],
    text,
  };
}

/** Reads a body as text; of a stream of events, the part up to the first event with data. */
async function readText(
  body: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  isEndless = false,
): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > maxAnswerBytes) throw new Error(`it is larger than ${maxAnswerBytes} bytes`);
    text += decoder.decode(chunk, { stream: true });
    if (isEndless && /^data:.*\n\n/m.test(text)) break;
  }
  return text + decoder.decode();
}

function reasonOf(error: unknown, { timeoutMs }: SenderSetup): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return `it did not finish within ${timeoutMs / 1000} s`;
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}

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
