/**
 * Live feeds: streams that send the pages of a feed as they come up.
 *
 * A stream first reads pages by itself, until it has read everything; then it joins the group of its query (`live-groups.ts`). If its
 * follower does not read, nothing is kept for it: it leaves the group, and reads pages by itself again when its follower reads on. A
 * follower that does not read for long is let go; the cursor of the last page that it has read continues the feed.
 */
import { tooManyStreams } from '../../../base/errors.ts';
import type { RequestOrigins } from '../../../base/request-origin.ts';
import { isAbort, type Logger } from '../../../base/runtime.ts';
import type { ContentStore } from '../../../store/port.ts';
import type { FeedReader, OpenFeed } from '../read-feed.ts';
import { createLiveGroups, type LiveTiming, usualTiming } from './live-groups.ts';
import { type FeedSink, LiveStream, UnreadRoom } from './live-stream.ts';

/** What a stream is for. */
export interface LiveRequest {
  readonly feed: OpenFeed;
  readonly clientId: string;
  /** The most items of a page while the stream catches up. */
  readonly limit: number;
  /** Whether the client may still read what it reads. */
  readonly isAllowed: () => boolean;
}

/** A stream that counts among those of its client, until it ends. */
export interface ReservedStream {
  /** Begins to send. */
  start(sink: FeedSink): void;
  /** Gives up a stream that was not started. */
  cancel(): void;
}

/** The live feeds of a process. */
export type LiveFeeds = ReturnType<typeof createLiveFeeds>;

interface ClientStreams {
  count: number;
  readonly room: UnreadRoom;
}

/** Creates the live feeds of a process. */
export function createLiveFeeds({
  store,
  reader,
  origins,
  logger,
  maxStreams,
  timing = {},
}: {
  store: ContentStore;
  reader: FeedReader;
  origins: RequestOrigins;
  logger: Logger;
  /** For each client. */
  maxStreams: number;
  timing?: Partial<LiveTiming> | undefined;
}) {
  const times = { ...usualTiming, ...timing };
  const runAlone = (work: () => void) => origins.runAs({ by: { kind: 'system' } }, work);
  const groups = createLiveGroups({ store, logger, runAlone, timing: times });
  const streams = new Set<LiveStream>();
  const byClient = new Map<string, ClientStreams>();
  let checking: NodeJS.Timeout | undefined;
  let isStopped = false;

  function check(): void {
    const nowMs = performance.now();
    for (const stream of streams) stream.check(nowMs);
  }

  function release(clientId: string): void {
    const own = byClient.get(clientId);
    if (own && --own.count === 0) byClient.delete(clientId);
  }

  function start({ clientId, feed, limit, isAllowed }: LiveRequest, room: UnreadRoom, sink: FeedSink): void {
    const onEnd = () => {
      streams.delete(stream);
      release(clientId);
      if (streams.size > 0) return;
      clearInterval(checking);
      checking = undefined;
    };
    const onError = (err: unknown) => {
      if (!isAbort(err)) logger.warn({ err }, 'A live feed was ended');
    };
    const origin = origins.current();
    const runForClient = (work: () => void) => origins.runAs(origin, work);
    const context = { reader, groups, times, room, runForClient, onEnd, onError };
    const stream = new LiveStream({ feed, limit, isAllowed, sink, ...context });
    streams.add(stream);
    runAlone(() => {
      checking ??= setInterval(check, times.checkMs).unref();
    });
    if (isStopped) stream.end();
    else stream.start();
  }

  return {
    /** Reserves a stream. Errors: too_many_streams. */
    reserve(request: LiveRequest): ReservedStream {
      const { clientId } = request;
      const own = byClient.get(clientId) ?? { count: 0, room: new UnreadRoom() };
      if (own.count >= maxStreams) throw tooManyStreams(maxStreams);
      own.count++;
      byClient.set(clientId, own);
      return { start: (sink) => start(request, own.room, sink), cancel: () => release(clientId) };
    },
    /** The number of streams. */
    count: () => streams.size,
    /** Ends all streams, and from now on every new one at once. */
    async stop(): Promise<void> {
      isStopped = true;
      for (const stream of [...streams]) stream.end();
      await groups.stop();
    },
  };
}
