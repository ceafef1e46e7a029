/**
 * The groups of live streams that have read everything: those of equal queries get the same pages, which are made once.
 *
 * All groups stand at one entry of the change log. A round asks the log for what follows, reads the assets that it is about once, and
 * matches them with the query of each group. Rounds are short, and the pause after one is several times as long as its work, so that
 * streams take up a limited share of the process however much is written.
 */

import type { Logger } from '../../../base/runtime.ts';
import type { ContentStore } from '../../../store/port.ts';
import type { FeedPosition, FeedQuery } from '../feed-query.ts';
import { FeedItems, type MatchedChanges, matchChanges } from '../match-changes.ts';
import type { FeedPage } from '../read-feed.ts';

/** A stream as the groups see it. */
export interface GroupedStream {
  readonly query: FeedQuery;
  readonly position: FeedPosition;
  /** Takes a page. Returns false if it could not; then the stream has left the group. */
  take(page: FeedPage): boolean;
  /** Notes that its follower has everything up to here, because nothing of it concerns the query. */
  advance(page: Pick<FeedPage, 'position'>): void;
  end(): void;
}

/** The groups, which all stand at the same entry. */
export type LiveGroups = ReturnType<typeof createLiveGroups>;

const entriesAtOnce = 500;
const limits = { items: entriesAtOnce, bytes: 1_048_576 };
/** The pause after a round that failed. */
const retryMs = 1_000;

interface Group {
  readonly query: FeedQuery;
  readonly streams: Set<GroupedStream>;
}

/** What a round has found. */
interface Round extends MatchedChanges {
  readonly groups: readonly Group[];
  readonly more: boolean;
}

/** Creates the groups. `runAlone` runs work on behalf of Colophon itself, and not of the request during which it begins. */
export function createLiveGroups({
  store,
  logger,
  runAlone,
  timing: { roundMs, pauseFactor },
}: {
  store: Pick<ContentStore, 'texts' | 'changes'>;
  logger: Logger;
  runAlone: (work: () => void) => void;
  timing: RoundTiming;
}) {
  const { changes } = store;
  const groups = new Map<string, Group>();
  let place: { seq: number; sentStateSeq: number; epoch?: string } | undefined;
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let hasFailed = false;

  /** Reads and matches the entries after `seq`; `undefined` if there are none. */
  async function readRound(seq: number, sentStateSeq: number): Promise<Round | undefined> {
    const { epoch, trimmedTo, last } = await changes.position();
    if (place) place.epoch ??= epoch;
    if (place?.epoch !== epoch || seq < trimmedTo) {
      endAll();
      return undefined;
    }
    if (last <= seq) return undefined;
    const members = [...groups.values()];
    const types = [...new Set(members.flatMap(({ query }) => [...query.types]))];
    const request = { order: 'oldest first', from: seq, limit: entriesAtOnce, filter: { types } } as const;
    const page = await changes.read(request);
    const through = page.next ?? Math.max(last, page.entries.at(-1)?.seq ?? seq);
    const queries = members.map(({ query }) => query);
    const matched = await matchChanges(
      store,
      { entries: page.entries, through, sentStateSeq },
      { queries, limits },
    );
    return { ...matched, groups: members, more: matched.seq < through || page.next !== undefined };
  }

  /** Sends what a round has found. No stream joins or leaves meanwhile, but those that cannot take more. */
  function deliver({ groups: members, items, seq, sentStateSeq, more }: Round): void {
    const position = { phase: 'changes', seq, sentStateSeq } as const;
    if (place) Object.assign(place, { seq, sentStateSeq });
    for (const [n, { streams }] of members.entries()) {
      const page = { items: new FeedItems(items[n] ?? []), phase: 'changes', position, more } as const;
      for (const stream of streams) {
        if (page.items.items.length === 0) stream.advance(page);
        else if (!stream.take(page)) remove(stream);
      }
    }
  }

  async function round(): Promise<void> {
    if (!place) return;
    const found = await readRound(place.seq, place.sentStateSeq);
    if (found) deliver(found);
  }

  /** Runs a round; returns how long to pause after it. */
  async function runRound(): Promise<number> {
    const startMs = performance.now();
    try {
      await round();
      hasFailed = false;
      return Math.max(roundMs, (performance.now() - startMs) * pauseFactor);
    } catch (err) {
      if (!hasFailed) logger.warn({ err }, 'Live feeds could not be read; it will be tried again');
      hasFailed = true;
      return Math.max(roundMs, retryMs);
    }
  }

  function schedule(waitMs: number): void {
    timer = setTimeout(() => {
      running = runRound().then((pauseMs) => {
        running = undefined;
        if (place) schedule(pauseMs);
      });
    }, waitMs);
    timer.unref();
  }

  function remove(stream: GroupedStream): void {
    const group = groups.get(stream.query.result);
    if (!group?.streams.delete(stream) || group.streams.size > 0) return;
    groups.delete(stream.query.result);
    if (groups.size > 0) return;
    place = undefined;
    if (!running) clearTimeout(timer);
  }

  function endAll(): void {
    for (const { streams } of [...groups.values()]) {
      for (const stream of [...streams]) {
        remove(stream);
        stream.end();
      }
    }
  }

  return {
    /** The entry at which the groups stand; `undefined` while there are none. */
    seq: () => place?.seq,
    /** Resolves when no round is in progress. */
    async untilIdle(): Promise<void> {
      while (running) await running;
    },
    /**
     * Adds a stream that stands where the groups do, or the first one. Call it while no round is in progress. Returns the query of its
     * group, which is equal to its own.
     */
    add(stream: GroupedStream): FeedQuery {
      const { position } = stream;
      const { seq } = position;
      if (!place) {
        place = { seq, sentStateSeq: seq };
        runAlone(() => schedule(roundMs));
      }
      // More than necessary for other streams, until the groups have passed it.
      if (position.phase === 'changes')
        place.sentStateSeq = Math.max(place.sentStateSeq, position.sentStateSeq);
      const group = groups.get(stream.query.result) ?? { query: stream.query, streams: new Set() };
      groups.set(stream.query.result, group);
      group.streams.add(stream);
      return group.query;
    },
    remove,
    async stop(): Promise<void> {
      endAll();
      await running;
    },
  };
}

/** How often the log is asked, and how many times as long as a round the pause after it is at least. */
interface RoundTiming {
  readonly roundMs: number;
  readonly pauseFactor: number;
}

/** When streams are looked after. */
export interface LiveTiming extends RoundTiming {
  /** The longest time without anything sent. */
  readonly heartbeatMs: number;
  /** How often streams are checked: whether they are still allowed, are read, and need a heartbeat. */
  readonly checkMs: number;
  /** How long a follower may read nothing. */
  readonly unreadMs: number;
}

/** The times of servers. */
export const usualTiming: LiveTiming = {
  roundMs: 100,
  pauseFactor: 5,
  heartbeatMs: 15_000,
  checkMs: 200,
  unreadMs: 30_000,
};
