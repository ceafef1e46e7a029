/**
 * Sends a request, again where that is safe, and reads its answer.
 *
 * 429 says that nothing was done, so any request is repeated. After a lost connection, a timeout, 502, 503 or 504 it may have been
 * done, or a part of it, so only a request that may be carried out twice is. In between it waits longer and longer, by chance, so
 * that many clients do not come back at the same moment.
 */

import type { Connection } from './connection.ts';
import { ColophonError, ConnectionError, TimeoutError } from './errors.ts';
import { type Answer, type RawAnswer, readAnswer } from './read-answer.ts';
import { retry } from './retry.ts';

/** What is asked of a server. */
export interface ServerRequest {
  readonly method: string;
  /** Begins with `/`; a query is part of it. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** JSON text to send unchanged, in place of `body`. */
  readonly text?: string;
  /** Whether it may be carried out twice. */
  readonly repeatable: boolean;
  /** Which errors are worth another attempt, besides those that always are. */
  readonly isTransient?: (error: ColophonError) => boolean;
  /** Whether what is not there is what was asked for, once an earlier attempt may have been carried out. */
  readonly deletes?: boolean;
  /** Ends the request. */
  readonly signal?: AbortSignal | undefined;
  /** Ends the waiting between two attempts, and lets an attempt under way finish. */
  readonly retrySignal?: AbortSignal | undefined;
}

/** Sends a request. Throws a ColophonError, or the reason of a signal. */
export async function sendRequest(connection: Connection, request: ServerRequest): Promise<Answer> {
  const send = prepare(connection, request);
  const { signal, retrySignal = signal } = request;
  let mayBeDone = false;

  async function attemptOnce(): Promise<Answer> {
    signal?.throwIfAborted();
    try {
      return await send();
    } catch (error) {
      // However the attempt failed when its caller ended it: the reason is the caller's, and says nothing of the server.
      signal?.throwIfAborted();
      if (!(error instanceof ColophonError)) throw error;
      if (mayBeDone && request.deletes && error.code === 'not_found') return isGone;
      mayBeDone ||= !isPutOff(error);
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

const isGone: Answer = { status: 404, headers: new Headers(), body: { result: null } };

/** Prepares all that is the same for every attempt. */
function prepare(connection: Connection, request: ServerRequest): () => Promise<Answer> {
  const { method, path, signal } = request;
  const what = `${method} ${path.replace(/\?.*/, '')}`;
  const headers = new Headers({ Accept: 'application/json', ...connection.headers, ...request.headers });
  const body = request.text ?? (request.body === undefined ? undefined : JSON.stringify(request.body));
  if (body !== undefined) headers.set('Content-Type', 'application/json');
  // Followed, a redirection would carry the credentials to another server and turn a POST into a GET.
  const init = { method, headers, redirect: 'manual', ...(body === undefined ? {} : { body }) } as const;
  const url = connection.baseUrl + path;
  return async () => readAnswer(await attempt(connection, { url, init, what, signal }), what);
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
): Promise<RawAnswer> {
  const ending = new AbortController();
  const timer = setTimeout(() => ending.abort(), timeoutMs);
  const abort = () => ending.abort();
  signal?.addEventListener('abort', abort, { once: true });
  try {
    const response = await fetch(url, { ...init, signal: ending.signal });
    return { response, text: await response.text() };
  } catch (cause) {
    if (ending.signal.aborted) {
      throw new TimeoutError(`${what} got no answer from ${baseUrl} within ${timeoutMs} ms`, {
        code: 'timeout',
        cause,
      });
    }
    throw new ConnectionError(`${what} got no answer from ${baseUrl}: ${reasonOf(cause)}`, {
      code: 'connection_failed',
      cause,
    });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

/** What lies at the root of a failure: Node says "fetch failed" of every one, and why in its cause. */
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

/** Whether the server did nothing and wants to be asked again. */
const isPutOff = ({ status }: ColophonError) => status === 429;
