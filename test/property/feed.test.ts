/**
 * Generated changes, page sizes and resumptions: a follower of a feed has exactly what its query finds, also if others write while a
 * page is read; it is told to remove only what matched or was erased; and live streams arrive at the same.
 */
import fc from 'fast-check';
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { createRequestOrigins } from '../../src/base/request-origin.ts';
import { silentLogger } from '../../src/base/runtime.ts';
import { createLiveFeeds } from '../../src/content/feed/live/live-feeds.ts';
import type { FeedSink } from '../../src/content/feed/live/live-stream.ts';
import { createFeedReader, type FeedReader } from '../../src/content/feed/read-feed.ts';
import type { Asset } from '../../src/model/content-type.ts';
import type { ContentStore } from '../../src/store/port.ts';
import { libraryCatalog } from '../support/catalog.ts';
import { openStoreAt } from '../support/content.ts';
import {
  arbitraryFeedWrite,
  FeedFollower,
  type FeedWrite,
  FeedWriter,
  feedIds,
  feedSites,
} from '../support/feed-follower.ts';
import { roundsOf } from '../support/rounds.ts';
import { describeOnEachStore } from '../support/stores.ts';

const catalog = libraryCatalog();
const terms = { from: 'library.Book', where: 'pages >= ?', values: ['2'] };
const [site = ''] = feedSites;
const callers = [{ clientId: 'free' }, { clientId: 'held', sites: [site] }];

type Caller = (typeof callers)[number];

/** What a follower must have. */
function isWanted({ _type, pages, 'cms.site.owner': owner }: Asset, { sites }: Caller): boolean {
  const isSeen = sites === undefined || JSON.stringify(owner)?.includes(site) === true;
  return _type === 'library.Book' && Number(pages) >= 2 && isSeen;
}

/** One read of a page, and the writes before it and during it. */
const arbitraryStep = fc.record({
  before: fc.array(arbitraryFeedWrite, { maxLength: 5 }),
  during: fc.oneof(
    { weight: 2, arbitrary: fc.constant<FeedWrite[]>([]) },
    { weight: 1, arbitrary: fc.array(arbitraryFeedWrite, { maxLength: 3 }) },
  ),
  items: fc.constantFrom(1, 2, 500),
  bytes: fc.constantFrom(1, 1_000_000),
});

const put = (at: number, pages: number): FeedWrite => ({ kind: 'put', at, pages, site: 0 });
const whole = { items: 500, bytes: 1_000_000 } as const;
const snapshot: Step = { before: [], during: [], ...whole };

interface Step {
  readonly before: FeedWrite[];
  readonly during: FeedWrite[];
  readonly items: 1 | 2 | 500;
  readonly bytes: 1 | 1_000_000;
}

/** Cases that are rarely generated. */
const hardCases = callers.flatMap((caller): [Caller, FeedWrite[], Step[]][] => [
  // An asset that is created while the snapshot is read, and deleted before the changes are.
  [
    caller,
    [put(0, 3)],
    [
      { before: [], during: [put(2, 0), put(1, 3)], ...whole },
      { ...snapshot, before: [{ kind: 'delete', at: 1 }] },
    ],
  ],
  // An asset that becomes one of another type and is erased before its deletion is read.
  [
    caller,
    [put(0, 3)],
    [
      snapshot,
      snapshot,
      {
        ...snapshot,
        before: [
          { kind: 'retype', at: 0 },
          { kind: 'erase', at: 0 },
        ],
      },
    ],
  ],
  // An asset that ceases to match, and changes again after the log was read and before the asset is.
  [caller, [put(0, 3)], [snapshot, { before: [put(0, 0)], during: [put(1, 0), put(0, 1)], ...whole }]],
]);

describeOnEachStore('generated feeds', (locations) => {
  let store: ContentStore;
  let writer: FeedWriter;
  /** What is written while a page is read, one write at each call of the store. */
  let during: FeedWrite[] = [];
  let reader: FeedReader;
  const runs = () => (store.system === 'sqlite' ? roundsOf({ usual: 60, long: 3_000 }) : 4);

  beforeAll(async () => {
    store = await openStoreAt(locations(), catalog);
    reader = createFeedReader({ catalog, store: interruptible(store) });
  });
  beforeEach(() => {
    writer = new FeedWriter(store);
  });
  afterEach(() => clear());

  /** Lets other writes happen before the calls by which a page is read. */
  function interruptible(inner: ContentStore): ContentStore {
    const interrupt = async () => {
      const write = during.shift();
      if (write) await writer.write(write);
    };
    const { texts, changes } = inner;
    return {
      ...inner,
      texts: {
        ...texts,
        getChunk: (ids) => interrupt().then(() => texts.getChunk(ids)),
        find: (request) => interrupt().then(() => texts.find(request)),
      },
      changes: {
        ...changes,
        read: (request) => interrupt().then(() => changes.read(request)),
        waitUntilNumbered: () => interrupt().then(changes.waitUntilNumbered),
      },
    };
  }

  async function clear(): Promise<void> {
    for (const { _id: id, _type: type } of writer.present.values()) await store.delete({ id, type });
  }

  it('give followers exactly what the query finds', async () => {
    let ahead = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...callers),
        fc.array(arbitraryFeedWrite, { maxLength: 8 }),
        fc.array(arbitraryStep, { maxLength: 8 }),
        async (caller, first, steps) => {
          await clear();
          writer = new FeedWriter(store);
          for (const write of first) await writer.write(write);
          const follower = new FeedFollower();
          let cursor: string | undefined;
          const readPage = async (limits: { items: number; bytes: number }) => {
            // Each page continues from a cursor alone, as after a lost connection.
            const feed = await reader.open(terms, cursor, caller);
            const page = await reader.read({ ...feed, limits });
            follower.apply(page);
            cursor = feed.encode(page.position);
            if (page.position.phase === 'changes' && page.position.sentStateSeq > page.position.seq) ahead++;
            return page;
          };
          for (const { before, during: amid, ...limits } of steps) {
            for (const write of before) await writer.write(write);
            during = [...amid];
            await readPage(limits);
            for (const write of during.splice(0)) await writer.write(write);
          }
          if (store.system === 'mongodb') await store.changes.waitUntilNumbered();
          for (let more = true, pages = 0; more; pages++) {
            ({ more } = await readPage({ items: 3, bytes: 1_000_000 }));
            expect(pages, 'ends').toBeLessThan(200);
          }
          const wanted = [...writer.present.values()].filter((asset) => isWanted(asset, caller));
          expect(new Map([...follower.copy].toSorted())).toEqual(
            new Map(wanted.map((asset) => [asset._id, asset] as const).toSorted()),
          );
          const everWanted = new Set(writer.states.filter((s) => isWanted(s, caller)).map(({ _id }) => _id));
          for (const { id } of follower.removals)
            expect(everWanted.has(id) || writer.erased.has(id)).toBe(true);
        },
      ),
      { numRuns: runs(), examples: hardCases },
    );
    // Without states that are sent ahead of the cursor, half of the rules would not be tested.
    if (store.system === 'sqlite') expect(ahead).toBeGreaterThan(0);
  });

  it('tell followers to remove only what they have, if nobody writes while a page is read', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(arbitraryFeedWrite, { maxLength: 6 }), { maxLength: 6 }),
        async (rounds) => {
          await clear();
          writer = new FeedWriter(store);
          const follower = new FeedFollower();
          const { query, position: first } = await reader.open(terms, undefined, { clientId: 'free' });
          let position = first;
          for (const writes of [[], [], ...rounds]) {
            for (const write of writes) await writer.write(write);
            await store.changes.waitUntilNumbered();
            const page = await reader.read({ query, position, limits: { items: 500, bytes: 1_000_000 } });
            follower.apply(page);
            position = page.position;
          }
          for (const { id, isKnown } of follower.removals)
            expect(isKnown || writer.erased.has(id), id).toBe(true);
        },
      ),
      { numRuns: runs() },
    );
  });

  it('reach live followers, also slow ones and those that connect again', async () => {
    const warnings: object[] = [];
    const logger = { ...silentLogger, warn: (facts: object) => warnings.push(facts) };
    const live = createLiveFeeds({
      store,
      reader,
      logger,
      origins: createRequestOrigins(),
      maxStreams: 50,
      timing: { roundMs: 2, pauseFactor: 0, checkMs: 5, heartbeatMs: 5 },
    });
    const followers = callers.flatMap((caller) =>
      [0, 0.2, 0.7].map((slowness) => new LiveFollower({ live, reader, caller, slowness })),
    );
    const writes = fc.sample(arbitraryFeedWrite, {
      numRuns: store.system === 'sqlite' ? roundsOf({ usual: 150, long: 5_000 }) : 30,
      seed: 1,
    });
    await Promise.all(followers.map((follower) => follower.connect()));
    for (const [n, write] of writes.entries()) {
      await writer.write(write);
      if (n % 7 === 0) await followers[n % followers.length]?.connect();
    }
    for (const follower of followers) follower.readOn();
    expect(warnings).toEqual([]);
    await expect
      .poll(() => followers.map(({ follower: { copy } }) => [...copy.keys()].toSorted()), { timeout: 60_000 })
      .toEqual(
        followers.map(({ caller }) =>
          feedIds.filter((id) => isWanted(writer.present.get(id) ?? { _id: id, _type: '' }, caller)),
        ),
      );
    await expect
      .poll(() =>
        followers.every(({ follower: { copy }, caller }) =>
          [...copy.values()].every(
            (asset) => isWanted(asset, caller) && writer.present.get(asset._id)?.pages === asset.pages,
          ),
        ),
      )
      .toBe(true);
    expect(warnings).toEqual([]);
    await live.stop();
    expect(live.count()).toBe(0);
  });
});

/** A follower of a live feed whose connection is full at random, and which connects again with its last cursor. */
class LiveFollower {
  readonly follower = new FeedFollower();
  readonly caller: Caller;
  readonly #parts: { live: ReturnType<typeof createLiveFeeds>; reader: FeedReader };
  #slowness: number;
  #cursor: string | undefined;
  #waiting: (() => void)[] = [];
  #connection: AbortController | undefined;

  constructor({
    caller,
    slowness,
    ...parts
  }: {
    live: ReturnType<typeof createLiveFeeds>;
    reader: FeedReader;
    caller: Caller;
    slowness: number;
  }) {
    this.caller = caller;
    this.#slowness = slowness;
    this.#parts = parts;
  }

  async connect(): Promise<void> {
    this.#connection?.abort();
    this.#waiting = [];
    const connection = new AbortController();
    this.#connection = connection;
    const { live, reader } = this.#parts;
    const feed = await reader.open(terms, this.#cursor, this.caller);
    const request = { feed, clientId: this.caller.clientId, limit: 2, isAllowed: () => true };
    live.reserve(request).start(this.#sink(connection));
  }

  /** Reads everything from now on. */
  readOn(): void {
    this.#slowness = 0;
    this.#drain();
  }

  #drain(): void {
    for (const callback of this.#waiting.splice(0)) callback();
  }

  #sink(connection: AbortController): FeedSink {
    const isRead = () => {
      if (Math.random() >= this.#slowness) return true;
      setTimeout(() => this.#drain(), Math.random() * 10);
      return false;
    };
    return {
      send: (page, cursor) => {
        if (connection.signal.aborted) return true;
        this.follower.apply(page);
        this.#cursor = cursor;
        return isRead();
      },
      beat: (cursor) => {
        if (!connection.signal.aborted) this.#cursor = cursor;
        return isRead();
      },
      // More than the room of the client, so that its streams wait for each other.
      unreadBytes: () => 20_000_000,
      onceRead: (callback) => this.#waiting.push(callback),
      end: () => connection.abort(),
      destroy: () => connection.abort(),
      signal: connection.signal,
    };
  }
}
