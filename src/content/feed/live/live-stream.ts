/**
 * One live stream: catches up page by page, then takes the pages of its group.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import type { FeedPosition, FeedQuery } from '../feed-query.ts';
import type { FeedPage, FeedReader, OpenFeed } from '../read-feed.ts';
import type { GroupedStream, LiveGroups, LiveTiming } from './live-groups.ts';

/** Where a stream sends its pages. */
export interface FeedSink {
  /** Sends a page. Returns false if the follower has not read what was sent, so that nothing more can be sent yet. */
  send(page: FeedPage, cursor: string): boolean;
  /** Sends a sign of life, and where the follower stands. Returns the same. */
  beat(cursor: string): boolean;
  /** The number of bytes that were sent and not read. */
  unreadBytes(): number;
  /** Calls back once the follower has read what was sent. */
  readonly onceRead: (callback: () => void) => void;
  /** Ends the stream after what was sent. */
  end(): void;
  /** Ends the stream at once. */
  destroy(): void;
  /** Aborted when the stream has ended, on either side. */
  readonly signal: AbortSignal;
}

/** What a stream needs. */
interface StreamParts {
  readonly feed: OpenFeed;
  /** The most items of a page while the stream catches up. */
  readonly limit: number;
  readonly isAllowed: () => boolean;
  readonly sink: FeedSink;
  readonly reader: FeedReader;
  readonly groups: LiveGroups;
  readonly times: LiveTiming;
  /** The room of unread pages, which all streams of the client share. */
  readonly room: UnreadRoom;
  /** Runs work on behalf of the client that follows. */
  readonly runForClient: (work: () => void) => void;
  readonly onEnd: () => void;
  readonly onError: (error: unknown) => void;
}

/** The size of the pages that a stream reads by itself, so that many unread ones need little memory. */
const pageBytes = 131_072;

/** A stream. It ends by itself when its sink does. */
export class LiveStream implements GroupedStream {
  readonly #parts: Omit<StreamParts, 'feed'> & Pick<OpenFeed, 'encode'>;
  #query: FeedQuery;
  #position: FeedPosition;
  #isEnded = false;
  /** Whether a page of changes was sent, by which the follower knows that the snapshot is complete. */
  #hasSentChanges = false;
  #lastSentMs = performance.now();
  /** When the follower had not read what was sent; `undefined` once it has. */
  #fullSinceMs: number | undefined;
  /** How much of the room of unread pages it holds. */
  #unreadBytes = 0;

  constructor({ feed, ...parts }: StreamParts) {
    // Without the feed, whose query is replaced by that of the group.
    this.#parts = { ...parts, encode: feed.encode };
    this.#query = feed.query;
    this.#position = feed.position;
  }

  get query(): FeedQuery {
    return this.#query;
  }

  get position(): FeedPosition {
    return this.#position;
  }

  /** Begins to send. */
  start(): void {
    const { signal } = this.#parts.sink;
    signal.addEventListener('abort', () => this.#finish(), { once: true });
    if (signal.aborted) this.#finish();
    this.#goOn();
  }

  take(page: FeedPage): boolean {
    const { room, sink } = this.#parts;
    // What is not sent now is read again, once the follower reads on and there is room.
    if (this.#fullSinceMs !== undefined) sink.onceRead(() => this.#goOn());
    else if (room.isFull) this.#goOn();
    else {
      this.#send(page);
      return true;
    }
    return false;
  }

  advance({ position }: Pick<FeedPage, 'position'>): void {
    this.#position = position;
  }

  /** Sends a heartbeat if it is time, and ends the stream if its client may not read any more, or does not. */
  check(nowMs: number): void {
    const { isAllowed, sink, times } = this.#parts;
    const fullMs = this.#fullSinceMs === undefined ? 0 : nowMs - this.#fullSinceMs;
    if (!isAllowed() || fullMs > times.unreadMs) this.end();
    else if (this.#fullSinceMs === undefined && nowMs - this.#lastSentMs >= times.heartbeatMs)
      this.#noteSent(sink.beat(this.#cursor()));
  }

  end(): void {
    if (this.#isEnded) return;
    this.#finish();
    // What was not read would keep the connection open.
    if (this.#fullSinceMs === undefined) this.#parts.sink.end();
    else this.#parts.sink.destroy();
  }

  #goOn(): void {
    this.#parts.runForClient(() => {
      this.#catchUp().catch((error: unknown) => {
        if (!this.#isEnded) this.#parts.onError(error);
        this.end();
      });
    });
  }

  /** Reads and sends pages until the stream stands where the groups do. */
  async #catchUp(): Promise<void> {
    const { groups, times, sink, room } = this.#parts;
    for (let isCurrent = false; !this.#isEnded; room.wakeNext()) {
      await this.#untilRead();
      await room.untilRoom(sink.signal);
      await groups.untilIdle();
      if (this.#isEnded || this.#join(isCurrent)) return;
      const upTo = groups.seq();
      // The cursor may be from a process that has read further.
      if (upTo !== undefined && upTo < this.#position.seq)
        await sleep(times.roundMs, undefined, { signal: sink.signal });
      else isCurrent = await this.#sendNext(upTo);
    }
  }

  /** Reads and sends one page. Returns whether nothing follows. */
  async #sendNext(upTo: number | undefined): Promise<boolean> {
    const { reader, limit, sink, room } = this.#parts;
    const page = await reader.read({
      query: this.query,
      position: this.#position,
      limits: { items: limit, bytes: pageBytes },
      ...(upTo !== undefined && { upTo }),
      signal: sink.signal,
    });
    if (this.#isEnded) return true;
    // Others have filled it meanwhile, so this page is read again.
    if (room.isFull) return false;
    const isPhaseChange = page.phase === 'changes' && !this.#hasSentChanges;
    if (page.items.items.length > 0 || isPhaseChange) this.#send(page);
    else this.#position = page.position;
    return !page.more;
  }

  /** Joins the group of the query if the stream stands where the groups do, or is the first. */
  #join(isCurrent: boolean): boolean {
    const { groups } = this.#parts;
    const seq = groups.seq();
    const fits = seq === undefined ? isCurrent : seq === this.#position.seq;
    if (!fits || !this.#hasSentChanges) return false;
    // One query for all streams of a group needs less memory than one for each.
    this.#query = groups.add(this);
    return true;
  }

  #send(page: FeedPage): void {
    this.#position = page.position;
    this.#hasSentChanges ||= page.phase === 'changes';
    this.#noteSent(this.#parts.sink.send(page, this.#cursor()));
  }

  #noteSent(isRead: boolean): void {
    this.#lastSentMs = performance.now();
    if (isRead || this.#fullSinceMs !== undefined) return;
    const { sink, room } = this.#parts;
    this.#fullSinceMs = this.#lastSentMs;
    this.#unreadBytes = sink.unreadBytes();
    room.hold(this.#unreadBytes);
    sink.onceRead(() => {
      this.#fullSinceMs = undefined;
      this.#leaveRoom();
    });
  }

  #leaveRoom(): void {
    this.#parts.room.release(this.#unreadBytes);
    this.#unreadBytes = 0;
  }

  /** Resolves when the follower has read what was sent; never if the sink ends before. */
  async #untilRead(): Promise<void> {
    if (this.#fullSinceMs !== undefined) await new Promise<void>(this.#parts.sink.onceRead);
  }

  #cursor(): string {
    return this.#parts.encode(this.#position);
  }

  #finish(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#leaveRoom();
    this.#parts.groups.remove(this);
    this.#parts.onEnd();
  }
}

// The memory that unread pages hold, of all live streams of a client together. A stream sends while there is room; the others wait, in
// their order, and read their pages once they may send them.

/** How many bytes may be unread before further streams wait. A page of one large asset may exceed it. */
const maxBytes = 16_777_216;

/** The room of one client. */
export class UnreadRoom {
  #held = 0;
  readonly #waiting = new Set<() => void>();

  get isFull(): boolean {
    return this.#held >= maxBytes;
  }

  hold(bytes: number): void {
    this.#held += bytes;
  }

  release(bytes: number): void {
    this.#held -= bytes;
    this.wakeNext();
  }

  /** Lets the stream go on that has waited longest, if there is room. Each stream does so once it has sent. */
  wakeNext(): void {
    if (this.isFull) return;
    const [first] = this.#waiting;
    first?.();
  }

  /** Resolves when there is room, or when the stream ends. */
  async untilRoom(signal: AbortSignal): Promise<void> {
    while (this.isFull && !signal.aborted) {
      await new Promise<void>((resolve) => {
        const goOn = () => {
          this.#waiting.delete(goOn);
          signal.removeEventListener('abort', goOn);
          resolve();
        };
        this.#waiting.add(goOn);
        signal.addEventListener('abort', goOn);
      });
    }
  }
}
