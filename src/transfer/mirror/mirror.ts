/**
 * Keeps a target equal to a source: the snapshot of each feed, the changes since, then the live feeds.
 *
 * Pages are applied one at a time. While pages arrive late, a page may be older than what the target has already; the feed then reports
 * every later change again, so that the target ends with the present state.
 */
import { isDomainError, transferFailed } from '../../base/errors.ts';
import { isAbort } from '../../base/runtime.ts';
import { pause } from '../../client/send-request.ts';
import type { Asset } from '../../model/content-type.ts';
import { checkCursors } from '../target/check-cursors.ts';
import type { MirrorFiles } from './mirror-files.ts';
import type { MirrorSource, SourcePage } from './mirror-source.ts';
import type { FeedState, IdRange, MirrorTarget, PageChange } from './mirror-target.ts';

/** What a mirror has done so far. */
export interface MirrorCounts {
  /** Assets created or changed in the target. */
  written: number;
  /** Assets removed from the target. */
  removed: number;
  /** How often an expired cursor made a feed begin again. */
  restarts: number;
}

/** A mirror to run. */
export interface MirrorOrder {
  readonly source: MirrorSource;
  readonly target: MirrorTarget;
  /** Copies the files that assets name; absent when they are not copied. */
  readonly files?: MirrorFiles | undefined;
  /** The class names of the types to follow; one at least. */
  readonly feeds: readonly string[];
  /** Whether to end when every feed was read to its end. */
  readonly isOnce: boolean;
  readonly signal: AbortSignal;
  readonly counts: MirrorCounts;
  /** Ends every request to the source. */
  stop(): void;
  onProgress(): void;
  /** Is called when all feeds have been read to their end for the first time. */
  onCaughtUp(): void;
  /** Tells the user something. */
  report(message: string): void;
}

/**
 * Runs a mirror: with `isOnce` until it has caught up, otherwise until the signal is aborted. Errors: transfer_failed; with `isOnce` also
 * when it was stopped before; those of the target.
 */
export async function runMirror(order: MirrorOrder): Promise<void> {
  const { target, isOnce, signal, onCaughtUp, stop } = order;
  const followed = order.feeds.map((name) => createFollowed(name, order));
  const isCaughtUp = () => followed.every((feed) => feed.isAtEnd());
  const inTurn = createTurns();
  try {
    await catchUpAll(followed, inTurn);
    await target.settle({ isLast: isOnce });
    onCaughtUp();
    if (!isOnce) await followAll(followed, { ...order, inTurn, isCaughtUp });
  } catch (error) {
    if (!signal.aborted || !isStop(error, signal)) throw error;
    if (isOnce) throw transferFailed('stopped; run the same command again to go on');
    await inTurn(async () => (isCaughtUp() ? target.settle({ isLast: true }) : undefined));
  } finally {
    stop();
    // What is under way is finished before the target is closed.
    await inTurn(async () => {});
  }
}

/** Whether an error only says that the signal was aborted. */
const isStop = (error: unknown, signal: AbortSignal) =>
  error === signal.reason ||
  isAbort(error) ||
  (isDomainError(error, 'transfer_failed') && error.message === transferFailed('stopped').message);

/** A feed that is followed. */
interface Followed {
  readonly name: string;
  /** Reads and applies a page. Returns whether more is there now. */
  step(inTurn: InTurn): Promise<boolean>;
  /** Applies a page of the live feed. */
  apply(page: SourcePage): Promise<void>;
  cursor(): string | undefined;
  isAtEnd(): boolean;
}

function createFollowed(
  name: string,
  { source, target, files, counts, onProgress, report, signal }: MirrorOrder,
): Followed {
  let state: FeedState | undefined = target.stateOf(name);
  let isAtEnd = false;
  /** Checks the cursors up to the end of the feed; the next reading may begin with the last of them. */
  let toNew = checkCursors();

  async function apply(page: SourcePage): Promise<void> {
    signal.throwIfAborted();
    const change = toChange(name, page, state);
    await files?.keep(change.puts);
    const { written, removed } = await target.apply(change);
    state = change.state;
    isAtEnd = !page.more && page.phase === 'changes';
    counts.written += written;
    counts.removed += removed;
    onProgress();
  }

  return {
    name,
    async step(inTurn) {
      const page = await source.readPage(name, state?.cursor);
      if ('expired' in page || !page.more) toNew = checkCursors();
      else toNew(page.cursor);
      if ('expired' in page) {
        report(
          `${name}: ${page.expired}. Beginning again with a snapshot, which replaces what the target has`,
        );
        counts.restarts++;
        state = undefined;
        isAtEnd = false;
        return true;
      }
      await inTurn(() => apply(page));
      return page.more;
    },
    apply,
    cursor: () => state?.cursor,
    isAtEnd: () => isAtEnd,
  };
}

/** Turns a page into changes of the target, with the part of the snapshot that it is. */
function toChange(
  feed: string,
  { items, cursor, phase }: SourcePage,
  before: FeedState | undefined,
): PageChange {
  const puts: Asset[] = [];
  const removals: string[] = [];
  for (const item of items) {
    if (item.op === 'put') puts.push(item.asset);
    else removals.push(item.id);
  }
  if (phase === 'changes') {
    // The snapshot is complete: what lies behind its last asset is not in it.
    const isTurn = before?.phase !== 'changes';
    return { feed, puts, removals, state: { cursor, phase }, ...(isTurn && { range: behind(before) }) };
  }
  const upTo = puts.at(-1)?._id ?? before?.after;
  assertInOrder(feed, puts, before?.after);
  const state = { cursor, phase, ...(upTo !== undefined && { after: upTo }) };
  const range = { ...behind(before), ...(upTo !== undefined && { upTo }) };
  return { feed, puts, removals, state, ...(puts.length > 0 && { range }) };
}

const behind = (before: FeedState | undefined): IdRange =>
  before?.after === undefined ? {} : { after: before.after };

/** What the snapshot does not contain is removed part by part, which is right only in the order of the `_id`. */
function assertInOrder(feed: string, puts: readonly Asset[], after = ''): void {
  let last = after;
  for (const { _id } of puts) {
    if (_id <= last)
      throw transferFailed(`The snapshot of ${feed} is not in the order of the _id, at ${_id}`);
    last = _id;
  }
}

/** Reads all feeds to their end. A pass takes time, so it is repeated until each feed was at its end with one page. */
async function catchUpAll(followed: readonly Followed[], inTurn: InTurn): Promise<void> {
  for (let isLate = true; isLate; ) {
    isLate = false;
    for (const feed of followed) {
      while (await feed.step(inTurn)) isLate = true;
    }
  }
}

/** How often the target may settle while nothing is left to read. */
const settleMs = 1_000;

/** Follows the live feeds until the signal is aborted. Throws its reason, or the first error. */
async function followAll(
  followed: readonly Followed[],
  order: MirrorOrder & { readonly inTurn: InTurn; readonly isCaughtUp: () => boolean },
): Promise<void> {
  const { source, target, signal, inTurn, isCaughtUp } = order;

  async function follow(feed: Followed): Promise<never> {
    for (;;) {
      while (await feed.step(inTurn)) {}
      for await (const page of source.readLive(feed.name, feed.cursor())) {
        await inTurn(() => feed.apply(page));
      }
      signal.throwIfAborted();
    }
  }

  async function keepSettled(): Promise<never> {
    for (;;) {
      await pause(settleMs, signal);
      await inTurn(async () => (isCaughtUp() ? target.settle({ isLast: false }) : undefined));
    }
  }

  // The first failure ends the command, and with it the other feeds.
  await Promise.race([...followed.map(follow), keepSettled(), aborted(signal)]);
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}

/** Runs work after the work before it. */
type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>;

function createTurns(): InTurn {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work);
    last = next.catch(() => undefined);
    return next;
  };
}
