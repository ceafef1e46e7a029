/**
 * The record of a mirror in the store that it fills: what it mirrors, up to where each feed was read, and which process fills it.
 *
 * Every page is written together with the record, on condition that the record is as this process has left it. So another process that
 * takes over ends this one at its next write.
 */
import { hostname } from 'node:os';
import { systemPrefix } from '../../access/system-types.ts';
import { type DomainError, isDomainError, transferFailed } from '../../base/errors.ts';
import type { Clock, IdSource } from '../../base/runtime.ts';
import { toHashedUuid } from '../../base/uuid.ts';
import type { Asset, Json } from '../../model/content-type.ts';
import type { ChangeOrigin } from '../../store/changes.ts';
import type { AssetWrite, ContentStore, StoredAsset, WriteOutcome } from '../../store/port.ts';
import { type RetryPolicy, withStoreRetries } from '../target/retry-policy.ts';
import { assertSameTerms, type FeedState, type MirrorTerms, printTerms } from './mirror-target.ts';

const recordType = `${systemPrefix}Mirror`;
const recordId = toHashedUuid('the mirror that fills this store');

/** A store, and who mirrors what into it. */
export interface MirrorRecordOptions {
  readonly store: ContentStore;
  /** The store's location, as people read it. */
  readonly name: string;
  readonly terms: MirrorTerms;
  /** Whether to begin again, and to replace what the store has of the types of the mirror. */
  readonly isReplacing: boolean;
  readonly policy: RetryPolicy;
  readonly clock: Clock;
  readonly ids: IdSource;
}

/** The record, held by this process. */
export interface MirrorRecord {
  /** Where each feed stands. */
  readonly feeds: ReadonlyMap<string, FeedState>;
  /** Every entry of the store's change log up to this one is known not to be of somebody else. */
  checkedSeq(): number;
  /**
   * Applies writes together with the new state of a feed or the new `checkedSeq`. Returns the error of a unique value that another asset
   * has; nothing is written then. Errors: transfer_failed, those of the store.
   */
  save(
    writes: readonly AssetWrite[],
    changes: { readonly feed?: readonly [string, FeedState]; readonly checkedSeq?: number },
  ): Promise<DomainError | undefined>;
  /** Shows that this process is still there. */
  renew(): Promise<void>;
  /** Lets another process fill the store at once. */
  release(): Promise<void>;
}

/** A process that has not renewed the record for this long no longer fills the store. */
const leaseMs = 30_000;
const renewalMs = 10_000;

/** Who wrote, in the change log of the store. Nobody else writes content in this name. */
const mirrorActor = { kind: 'system', name: 'mirror' } as const;

/**
 * Takes the store for a mirror. Errors: transfer_failed when it holds other content, is another mirror, or when another process fills it.
 */
export async function openMirrorRecord(options: MirrorRecordOptions): Promise<MirrorRecord> {
  const { store, name, terms, isReplacing, policy, clock, ids } = options;
  const { transactions: atomic, changes: hasLog } = store.capabilities;
  const origin = (): ChangeOrigin => ({ by: mirrorActor, atMs: clock.nowMs() });
  const nowMs = async () => (await store.readClock()) ?? clock.nowMs();
  const present = await withStoreRetries(policy, () => store.get(recordId));
  if (present) assertFree(name, present.asset, await nowMs());
  if (!isReplacing) await assertOwn(present?.asset, options);
  const isResumed = present && !isReplacing;
  const feeds = new Map(Object.entries(isResumed ? readFeeds(present.asset) : {}));
  let checkedSeq = isResumed ? Number(present.asset.checkedSeq) : await findLastSeq();
  let version = await acquire(present);
  let renewedAtMs = performance.now();

  async function findLastSeq(): Promise<number> {
    return hasLog ? store.changes.settle() : 0;
  }

  async function holding(): Promise<Record<string, Json>> {
    const seenAt = await nowMs();
    return { holder: hostname(), processId: process.pid, seenAt, 'cms.content.updateDate': clock.nowMs() };
  }

  async function acquire(found: StoredAsset | undefined): Promise<string> {
    const next = ids.version();
    const identity = { source: terms.source, terms: printTerms(terms) };
    const set = { ...identity, feeds: printFeeds(feeds), checkedSeq, ...(await holding()) };
    try {
      if (found) {
        const patch = { id: recordId, type: recordType, set, unset: [], version: next };
        const patched = await store.patch({ ...patch, ifVersion: found.version }, origin());
        if (!patched) throw takenOver(name);
      } else {
        const asset: Asset = {
          _id: recordId,
          _type: recordType,
          'cms.content.publishDate': clock.nowMs(),
          ...set,
        };
        await store.insert({ asset, version: next }, origin());
      }
    } catch (error) {
      if (isDomainError(error, 'precondition_failed') || isDomainError(error, 'id_in_use'))
        throw takenOver(name);
      throw error;
    }
    return next;
  }

  /** Writes once; a repeated attempt first looks whether the one before was carried out without an acknowledgement. */
  async function write(
    writes: readonly AssetWrite[],
    set: Readonly<Record<string, Json>>,
    unset: readonly string[] = [],
  ): Promise<DomainError | undefined> {
    const next = ids.version();
    const patch = { id: recordId, type: recordType, set, unset, version: next, ifVersion: version } as const;
    let mayBeDone = false;
    const outcomes = await withStoreRetries(policy, async () => {
      if (mayBeDone || !atomic) {
        const found = await store.get(recordId);
        if (found?.version === next) return [];
        if (found?.version !== version) throw takenOver(name);
      }
      const fence = { kind: 'patch', ...patch } as const;
      if (!atomic) {
        // The record may only tell of writes that are done.
        const done = await store.write(writes, { origin: origin() });
        if (done.some(({ kind }) => kind === 'failed')) return done;
      }
      mayBeDone = true;
      return store.write(atomic ? [...writes, fence] : [fence], { atomic, origin: origin() });
    });
    const failure = findFailure(outcomes);
    if (failure) return failure;
    version = next;
    renewedAtMs = performance.now();
    return undefined;
  }

  function findFailure(outcomes: readonly WriteOutcome[]): DomainError | undefined {
    for (const outcome of outcomes) {
      if (outcome.kind === 'failed') {
        if (isDomainError(outcome.error, 'value_in_use')) return outcome.error;
        if (isDomainError(outcome.error, 'precondition_failed')) throw takenOver(name);
        if (isDomainError(outcome.error, 'id_in_use')) throw writtenMeanwhile(name);
        throw outcome.error;
      }
      // Without transactions, a page may be repeated of which a part was deleted already.
      if (outcome.kind === 'absent' && atomic) throw writtenMeanwhile(name);
    }
    return undefined;
  }

  return {
    feeds,
    checkedSeq: () => checkedSeq,
    async save(writes, { feed, checkedSeq: seq = checkedSeq }) {
      const next = new Map(feed ? [...feeds, feed] : feeds);
      const set = { feeds: printFeeds(next), checkedSeq: seq, ...(await holding()) };
      const failure = await write(writes, set);
      if (failure) return failure;
      if (feed) feeds.set(...feed);
      checkedSeq = seq;
      return undefined;
    },
    async renew() {
      if (performance.now() - renewedAtMs >= renewalMs) await write([], await holding());
    },
    async release() {
      try {
        await write([], {}, ['holder', 'processId', 'seenAt']);
      } catch (error) {
        // Another process has taken over, or the store is out of reach: it is free for others after a while.
        if (!isDomainError(error)) throw error;
      }
    },
  };
}

/** Errors: transfer_failed while another process fills the store. */
function assertFree(name: string, { holder, processId, seenAt }: Asset, nowMs: number): void {
  if (holder === undefined || typeof seenAt !== 'number') return;
  const waitMs = seenAt + leaseMs - nowMs;
  const isGone = holder === hostname() && !isRunning(Number(processId));
  if (waitMs <= 0 || isGone) return;
  throw transferFailed(
    `another mirror fills ${name}: process ${processId} on ${holder}. If that process has ended, try again in ${Math.ceil(waitMs / 1000)} seconds`,
  );
}

/** Whether another process with this number runs on this machine. */
function isRunning(processId: number): boolean {
  if (processId === process.pid) return false;
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    // It runs as another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Errors: transfer_failed when the store is not this mirror and not empty. */
async function assertOwn(
  record: Asset | undefined,
  { store, name, terms, policy }: MirrorRecordOptions,
): Promise<void> {
  if (record) {
    assertSameTerms(name, { source: String(record.source), terms: String(record.terms) }, terms);
    return;
  }
  const types = [...terms.feeds];
  const request = { types, offset: 0, limit: 1, withCount: false };
  const { items } = await withStoreRetries(policy, () => store.find(request));
  const [found] = items;
  if (!found) return;
  throw transferFailed(
    `${name} already has content, such as the ${found.asset._type} ${found.asset._id}, and is no mirror. Nothing was written. --replace makes its content equal to that of the source`,
  );
}

function readFeeds({ feeds }: Asset): Record<string, FeedState> {
  // Written by `printFeeds`.
  return JSON.parse(String(feeds)) as Record<string, FeedState>;
}

const printFeeds = (feeds: ReadonlyMap<string, FeedState>) => JSON.stringify(Object.fromEntries(feeds));

const takenOver = (name: string) =>
  transferFailed(`another mirror has begun to fill ${name}, so this one ends`);

const writtenMeanwhile = (name: string) =>
  transferFailed(
    `${name} was written to by somebody else at the same moment. A mirror needs its target for itself; --replace makes both equal again`,
  );
