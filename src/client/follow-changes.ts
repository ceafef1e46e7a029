/**
 * Follows a feed: reads pages until nothing more is there, then the live feed; after a lost connection both again, from the last
 * cursor on.
 */

import type { Connection } from './connection.ts';
import { createCursorCheck } from './cursor-check.ts';
import { ColophonError, ConnectionError, TimeoutError } from './errors.ts';
import type { FeedChange, FeedPage } from './feed-types.ts';
import { pause, waitMs } from './retry.ts';

/** Where the pages of a feed come from. An absent cursor begins. */
export interface FeedSource<Found> {
  readPage(cursor: string | undefined): Promise<FeedPage<Found>>;
  /** The pages of the live feed. */
  readLive(cursor: string | undefined): AsyncGenerator<FeedPage<Found>, void, undefined>;
}

/** Where to begin, and how to wait. */
export interface FollowOptions {
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
