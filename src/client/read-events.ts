/**
 * Reads a stream of server-sent events with `fetch`, which unlike `EventSource` can send credentials in headers.
 */
import type { Connection } from './connection.ts';
import { ColophonError, ConnectionError, TimeoutError } from './errors.ts';
import { readResponse } from './read-response.ts';

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
