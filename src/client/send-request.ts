/**
 * Sends a request, retries it where that is safe, and reads the response.
 *
 * After 429 nothing was done, so any request is retried. After a lost connection, a timeout, 502, 503 or 504 the server may have
 * done it, so only a repeatable request is retried. The waits between attempts grow exponentially with jitter, so that many
 * clients do not retry at the same moment.
 */

import { randomFraction, sleep } from './clock-and-random.ts';
import { type Connection, type FetchOptions, longestTimerMs, type RetryWaits } from './connection.ts';
import { ColophonError, ConnectionError, TimeoutError } from './errors.ts';
import { type RawResponse, readResponse, type SuccessResponse } from './read-response.ts';
import { createFileFetch, type SentFile, uploadMs } from './upload-file.ts';

export interface ServerRequest {
  readonly method: string;
  /** Begins with `/`; a query is part of it. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON, of the media type that `headers` names, or else `application/json`. */
  readonly body?: unknown;
  /** Sent unchanged in place of `body`; text is JSON unless `headers` say otherwise. */
  readonly content?: NonNullable<RequestInit['body']> | undefined;
  /** A file to send in place of `body`, of the media type that it names. */
  readonly file?: SentFile | undefined;
  readonly fetchOptions?: FetchOptions | undefined;
  /** Whether it is safe to run twice. */
  readonly repeatable: boolean;
  /** Whether a success consists of a JSON value, which the response then has as the `data` of its body. */
  readonly isValue?: boolean;
  /** The media types of a success, whose body is then returned as `bytes`. */
  readonly mediaTypes?: readonly string[] | undefined;
  /** Which errors are worth another attempt, besides those that always are. */
  readonly isTransient?: (error: ColophonError) => boolean;
  /** Ends the request. */
  readonly signal?: AbortSignal | undefined;
  /** Ends the waiting between two attempts, and lets an attempt under way finish. */
  readonly retrySignal?: AbortSignal | undefined;
}

/** Sends a request. Throws a ColophonError, or the reason of a signal. */
export async function sendRequest(connection: Connection, request: ServerRequest): Promise<SuccessResponse> {
  const send = prepare(connection, request);
  const { signal, retrySignal = signal } = request;

  async function attemptOnce(): Promise<SuccessResponse> {
    signal?.throwIfAborted();
    try {
      return await send();
    } catch (error) {
      // When the caller has aborted, the error is the caller's reason.
      signal?.throwIfAborted();
      throw error;
    }
  }

  return retry(attemptOnce, {
    retries: connection.retries,
    waits: connection.waits,
    signal: retrySignal,
    secondsToWait(error) {
      const isWorthIt = error instanceof ColophonError && mayRepeat(request, error);
      return isWorthIt ? (error.retryAfterSeconds ?? 0) : undefined;
    },
  });
}

/** Prepares the parts that all attempts share. */
function prepare(connection: Connection, request: ServerRequest): () => Promise<SuccessResponse> {
  const { method, path, signal } = request;
  const what = `${method} ${path.replace(/\?.*/, '')}`;
  const headers = new Headers({ Accept: 'application/json', ...connection.headers, ...request.headers });
  const body = request.content ?? (request.body === undefined ? undefined : JSON.stringify(request.body));
  const type = request.file ? request.file.blob.type || 'application/octet-stream' : 'application/json';
  const isTyped = headers.has('Content-Type') || (!request.file && typeof body !== 'string');
  if (!isTyped) headers.set('Content-Type', type);
  // Following a redirect could send the credentials to another server and turn a POST into a GET.
  const content = body === undefined ? {} : { body };
  const init = { ...request.fetchOptions, method, headers, redirect: 'manual', ...content } as const;
  const url = connection.baseUrl + path;
  const sender = request.file ? withFile(connection, request.file) : connection;
  const { isValue = false, mediaTypes } = request;
  return async () =>
    readResponse(await attempt(sender, { url, init, what, signal }), { what, isValue, mediaTypes });
}

/** A connection whose requests have the bytes of a file as their body, and time to send them. */
function withFile(connection: Connection, file: SentFile): Connection {
  const timeoutMs = Math.min(connection.timeoutMs + uploadMs(file), longestTimerMs);
  return { ...connection, timeoutMs, fetch: createFileFetch(file, connection.fetch) };
}

interface Attempt {
  readonly url: string;
  readonly init: RequestInit;
  readonly what: string;
  readonly signal: AbortSignal | undefined;
}

async function attempt(
  { fetch, timeoutMs, baseUrl }: Connection,
  { url, init, what, signal }: Attempt,
): Promise<RawResponse> {
  const ending = new AbortController();
  const timer = setTimeout(() => ending.abort(), timeoutMs);
  const abort = () => ending.abort();
  signal?.addEventListener('abort', abort, { once: true });
  try {
    const response = await fetch(url, { ...init, signal: ending.signal });
    return { response, bytes: await response.arrayBuffer() };
  } catch (cause) {
    if (ending.signal.aborted) {
      throw new TimeoutError(`${what} got no response from ${baseUrl} within ${timeoutMs} ms`, {
        code: 'timeout',
        cause,
      });
    }
    throw new ConnectionError(`${what} got no response from ${baseUrl}: ${reasonOf(cause)}`, {
      code: 'connection_failed',
      cause,
    });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

/** Gets the root cause of a failure: Node.js reports every one as "fetch failed". */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause !== undefined) return reasonOf(error.cause);
  return error.message === '' && 'code' in error ? String(error.code) : error.message;
}

function mayRepeat({ repeatable, isTransient }: ServerRequest, error: ColophonError): boolean {
  if (isPutOff(error) || isTransient?.(error)) return true;
  const isLost = error instanceof ConnectionError || error instanceof TimeoutError;
  return repeatable && (isLost || [502, 503, 504].includes(error.status ?? 0));
}

/** Whether the server did nothing and asks for a retry. */
const isPutOff = ({ status }: ColophonError) => status === 429;

/** The waits of a client that sets none. */
const defaultWaits: RetryWaits = {
  firstWaitMs: 250,
  longestWaitMs: 10_000,
  longestRetryAfterSeconds: 60,
};

/** When to repeat an attempt. */
export interface RetryRules {
  /** How often to repeat at most. */
  readonly retries: number;
  readonly waits?: RetryWaits | undefined;
  /** The seconds that the server asks to wait, 0 when it does not ask; `undefined` when the error is final. */
  secondsToWait(error: unknown): number | undefined;
  /** Ends a wait with the signal's reason; a running attempt continues. */
  readonly signal?: AbortSignal | undefined;
}

/** Repeats `attempt` until it succeeds. Throws the last attempt's error, or the signal's reason. */
export async function retry<Result>(attempt: () => Promise<Result>, rules: RetryRules): Promise<Result> {
  const { retries, waits = defaultWaits, signal } = rules;
  for (let repeats = 0; ; repeats++) {
    try {
      return await attempt();
    } catch (error) {
      const retryAfterSeconds = rules.secondsToWait(error);
      if (retryAfterSeconds === undefined || repeats >= retries) throw error;
      await pause(waitMs(repeats, retryAfterSeconds, waits), signal);
    }
  }
}

/** Waits. Throws the signal's reason. */
export async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  await sleep(ms, signal);
}

/** How long to wait before the next attempt: as long as the server asks, plus a random time up to a limit that doubles. */
export function waitMs(repeats: number, retryAfterSeconds = 0, waits: RetryWaits = defaultWaits): number {
  const asked = Math.min(retryAfterSeconds, waits.longestRetryAfterSeconds) * 1000;
  return asked + randomFraction() * Math.min(waits.firstWaitMs * 2 ** repeats, waits.longestWaitMs);
}
