/**
 * Follows a feed: reads pages until nothing more is there, then the live feed; after a lost connection both again, from the last
 * cursor on.
 */

import type { FeedChange, FeedPage } from './cma-client.ts';
import type { Connection } from './connection.ts';
import { ColophonError, ConnectionError, TimeoutError } from './errors.ts';
import { readResponse } from './read-response.ts';
import { pause, waitMs } from './send-request.ts';

/** Where the pages of a feed come from. An absent cursor begins. */
interface FeedSource<Found> {
  readPage(cursor: string | undefined): Promise<FeedPage<Found>>;
  readLive(cursor: string | undefined): AsyncGenerator<FeedPage<Found>, void, undefined>;
}

/** Where to begin, and how to wait. */
interface FollowOptions {
  readonly cursor: string | undefined;
  readonly waits: Connection['waits'];
  readonly signal: AbortSignal | undefined;
  /** Called when the snapshot is complete. */
  readonly onSnapshot: (() => void | Promise<void>) | undefined;
}

/** Yields the changes of a feed, without end. Throws a ColophonError that waiting does not help, or the signal's reason. */
export async function* followChanges<Found>(
  source: FeedSource<Found>,
  { cursor: first, waits, signal, onSnapshot }: FollowOptions,
): AsyncGenerator<FeedChange<Found>, void, undefined> {
  let cursor = first;
  let hasBegun = false;
  let isSnapshot = first === undefined;
  for (let failures = 0; ; failures++) {
    try {
      for await (const page of readPages(source, cursor)) {
        failures = 0;
        hasBegun = true;
        if (page.phase === 'changes' && isSnapshot) await onSnapshot?.();
        isSnapshot = page.phase === 'snapshot';
        yield* toChanges(page, cursor);
        cursor = page.cursor;
      }
      // The server has ended the live feed, maybe because it stops.
      await pause(waitMs(0, 0, waits), signal);
    } catch (error) {
      signal?.throwIfAborted();
      if (!hasBegun || !isTransient(error)) throw error;
      await pause(waitMs(failures, error.retryAfterSeconds, waits), signal);
    }
  }
}

/** Yields pages until nothing more is there, and then those of the live feed, until that ends. */
async function* readPages<Found>(
  source: FeedSource<Found>,
  begin: string | undefined,
): AsyncGenerator<FeedPage<Found>, void, undefined> {
  const toNew = createCursorCheck();
  let cursor = begin;
  for (;;) {
    const page = await source.readPage(cursor);
    yield page;
    cursor = page.more ? toNew(page.cursor) : page.cursor;
    if (!page.more) break;
  }
  yield* source.readLive(cursor);
}

/** Yields the changes of a page, each with a cursor behind it: that of the page behind the last one, else that before the page. */
function* toChanges<Found>(
  { items, phase, cursor }: FeedPage<Found>,
  before: string | undefined,
): Generator<FeedChange<Found>, void, undefined> {
  const last = items.length - 1;
  for (const [n, item] of items.entries()) yield { ...item, phase, cursor: n === last ? cursor : before };
}

/** Whether the same request may succeed later. */
function isTransient(error: unknown): error is ColophonError {
  if (!(error instanceof ColophonError)) return false;
  const isLost = error instanceof ConnectionError || error instanceof TimeoutError;
  return isLost || [429, 502, 503, 504].includes(error.status ?? 0);
}

/** A stream to open. */
export interface EventsRequest {
  /** Begins with `/`; a query is part of it. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal | undefined;
}

/** The server sends something every 15 seconds. */
const silenceMs = 45_000;

/** Yields the data of each event, parsed as JSON, until the server ends the stream. Throws a ColophonError, or the signal's reason. */
export async function* readEvents<Data>(
  connection: Connection,
  request: EventsRequest,
): AsyncGenerator<Data, void, undefined> {
  const { signal } = request;
  const ending = new AbortController();
  const abort = () => ending.abort();
  signal?.addEventListener('abort', abort, { once: true });
  try {
    signal?.throwIfAborted();
    const chunks = watched(readChunks(connection, request, ending.signal), abort);
    // The server documents what the data of this stream is.
    for await (const data of splitEvents(chunks)) yield JSON.parse(data) as Data;
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof ColophonError) throw error;
    const what = `The live feed of ${connection.baseUrl}`;
    if (ending.signal.aborted)
      throw new TimeoutError(`${what} was silent for ${silenceMs} ms`, { code: 'timeout', cause: error });
    throw new ConnectionError(`${what} was interrupted`, { code: 'connection_failed', cause: error });
  } finally {
    signal?.removeEventListener('abort', abort);
    ending.abort();
  }
}

async function* readChunks(
  { fetch, baseUrl, headers }: Connection,
  request: EventsRequest,
  signal: AbortSignal,
): AsyncGenerator<string, void, undefined> {
  const response = await fetch(baseUrl + request.path, {
    headers: { ...headers, ...request.headers, Accept: 'text/event-stream' },
    redirect: 'manual',
    signal,
  });
  const isStream = response.headers.get('Content-Type')?.startsWith('text/event-stream') ?? false;
  if (!response.ok || !isStream || !response.body) {
    const what = `GET ${request.path.replace(/\?.*/, '')}`;
    readResponse({ response, bytes: await response.arrayBuffer() }, { what });
    throw new ColophonError(`${what} was not answered with a stream of events`, {
      code: 'unexpected_answer',
      status: response.status,
    });
  }
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield decoder.decode(value, { stream: true });
  }
}

/** Yields the same, and calls `onSilence` if nothing comes for too long. */
async function* watched(
  chunks: AsyncGenerator<string, void, undefined>,
  onSilence: () => void,
): AsyncGenerator<string, void, undefined> {
  for (;;) {
    const timer = setTimeout(onSilence, silenceMs);
    const { done, value } = await chunks.next().finally(() => clearTimeout(timer));
    if (done) return;
    yield value;
  }
}

/** Yields the data of each event. Colophon writes each as one line, and ends lines with a line feed. */
async function* splitEvents(
  chunks: AsyncGenerator<string, void, undefined>,
): AsyncGenerator<string, void, undefined> {
  let parts: string[] = [];
  for await (const chunk of chunks) {
    const lines = chunk.split('\n');
    for (const [n, line] of lines.entries()) {
      parts.push(line);
      if (n === lines.length - 1) continue;
      const whole = parts.join('');
      parts = [];
      if (whole.startsWith('data:')) yield whole.slice('data:'.length);
    }
  }
}

/**
 * Creates the check of the cursors of one reading: a function that returns a new cursor unchanged, and throws `toError` of a message for
 * one that it was called with before.
 */
export function createCursorCheck(
  toError: (message: string) => Error = unexpectedAnswer,
): (cursor: string) => string {
  const seen = new Set<string>();
  return (cursor) => {
    if (seen.has(cursor))
      throw toError(
        `The cursor ${JSON.stringify(cursor)} was returned before, so the pages would repeat without end`,
      );
    seen.add(cursor);
    return cursor;
  };
}

const unexpectedAnswer = (message: string) =>
  new ColophonError(message, { code: 'unexpected_answer', status: 200 });
