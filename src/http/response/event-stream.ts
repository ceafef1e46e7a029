/**
 * Sends live feeds as server-sent events: one event for each page, with its cursor as `id`.
 *
 * The items of a page are the same bytes for all streams that get it; only the lines around them are made for each stream.
 */
import type { FeedSink } from '../../content/feed/live/live-stream.ts';
import type { FeedPage } from '../../content/feed/read-feed.ts';
import type { HttpResponse } from '../error-map.ts';
import type { RequestLocals, Response } from '../request/request-head.ts';
import { listHeaders } from './send-response.ts';

/** A stream that is ready to begin. */
export interface LiveBody {
  /** Begins to send. */
  start(sink: FeedSink): void;
  /** Gives up a stream that was not started. */
  cancel(): void;
}

const eventStreamType = 'text/event-stream; charset=utf-8';

/** How long a browser waits before it connects again. */
const reconnectMs = 2_000;

/** Sends a response that goes on until one side ends it. It does not count as a request in progress. */
export function sendEvents(
  response: Response,
  { status, headers, live }: Omit<HttpResponse, 'body'> & { readonly live: LiveBody },
): void {
  const own = { ...headers, ...streamHeaders };
  response.writeHead(status, listHeaders(response, { headers: own }));
  if (response.req.method === 'HEAD') {
    live.cancel();
    response.end();
    return;
  }
  // The application sets the locals before any handler runs.
  (response.locals as RequestLocals).leaveRequestLimit();
  response.write(`retry: ${reconnectMs}\n\n`);
  live.start(createSink(response));
}

const streamHeaders = {
  'Content-Type': eventStreamType,
  'Cache-Control': 'no-store, no-transform',
  // Proxies such as nginx would collect events otherwise.
  'X-Accel-Buffering': 'no',
};

function createSink(response: Response): FeedSink {
  const ended = new AbortController();
  response.once('close', () => ended.abort());
  if (response.destroyed) ended.abort();
  const isRead = () => !response.writableNeedDrain;
  return {
    send({ items, more, phase }: FeedPage, cursor) {
      response.cork();
      response.write(`id: ${cursor}\ndata: {"items":`);
      response.write(items.toJson());
      response.write(`,"cursor":"${cursor}","more":${more},"phase":"${phase}"}\n\n`);
      response.uncork();
      return isRead();
    },
    beat(cursor) {
      // An event without data is not reported to the follower, but its `id` counts.
      response.write(`: heartbeat\nid: ${cursor}\n\n`);
      return isRead();
    },
    unreadBytes: () => response.writableLength,
    onceRead: (callback) => response.once('drain', callback),
    end: () => response.end(),
    destroy: () => response.destroy(),
    signal: ended.signal,
  };
}
