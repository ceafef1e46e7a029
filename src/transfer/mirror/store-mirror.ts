/**
 * The mirror in a store, which is opened directly: the assets have the same IDs, dates and values as at the source. The source has
 * validated them. Servers may read the store at the same time.
 */
import { transferFailed } from '../../base/errors.ts';
import type { Asset, Catalog } from '../../model/content-type.ts';
import { createKeysOf } from '../../query/unique-values.ts';
import type { ChangeEntry } from '../../store/changes.ts';
import type { ContentStore } from '../../store/port.ts';
import { withStoreRetries } from '../target/retry-policy.ts';
import { type MirrorRecordOptions, openMirrorRecord } from './mirror-record.ts';
import type { MirrorSource } from './mirror-source.ts';
import { findMoved, type IdRange, type MirrorTarget, type PageChange } from './mirror-target.ts';
import { planWrites, type WantedAssets } from './plan-writes.ts';
import { readAll } from './read-all.ts';
import { includeOwners } from './unique-owners.ts';

/** A store to fill, with its content types; closed by the caller. */
export interface StoreMirrorOptions extends MirrorRecordOptions {
  readonly catalog: Catalog;
  readonly source: MirrorSource;
}

/** How many assets are searched at once for those that a snapshot does not contain. */
const rangeItems = 500;

/** How often the change log is searched for writes of others. */
const checkMs = 10_000;

/** Takes a store for a mirror. Errors: transfer_failed, those of the store. */
export async function openStoreMirror(options: StoreMirrorOptions): Promise<MirrorTarget> {
  const { store, name, terms, policy, ids, catalog, source, isReplacing } = options;
  const record = await openMirrorRecord(options);
  const keysOf = createKeysOf(catalog);
  const types = [...terms.feeds];
  let checkedAtMs = performance.now();
  if (!isReplacing) await checkWriters();

  /** Errors: transfer_failed when somebody else has written assets of the mirror. */
  async function checkWriters(): Promise<number> {
    if (!store.capabilities.changes) return 0;
    const from = record.checkedSeq();
    const { foreign, last } = await withStoreRetries(policy, () => findForeignEntry(store, { types, from }));
    if (!foreign) return last;
    const { by, asset, atMs } = foreign;
    const who = [by.kind, by.name ?? by.id].filter((word) => word !== undefined).join(' ');
    throw transferFailed(
      `${name} was written to by somebody else: by the ${who} at ${new Date(atMs).toISOString()}, asset ${asset}. A mirror needs its target for itself; --replace makes both equal again`,
    );
  }

  async function findPresent(wanted: readonly string[]): Promise<Map<string, Asset>> {
    const present = new Map<string, Asset>();
    for (let rest: readonly string[] | undefined = wanted; rest && rest.length > 0; ) {
      const { found, rest: next } = await store.getMany(rest);
      for (const { asset } of found.values()) present.set(asset._id, asset);
      rest = next;
    }
    return present;
  }

  /** Finds the assets of the type in a part of the snapshot. */
  async function findRange(type: string, { after, upTo }: IdRange): Promise<string[]> {
    const inRange: string[] = [];
    for (let last = after; ; ) {
      const keyset = last === undefined ? {} : { after: [last] };
      const page = { types: [type], offset: 0, limit: rangeItems, keyset, withCount: false };
      const first = await store.find(page);
      for (const { _id } of await readAll(store, first)) {
        if (upTo !== undefined && _id > upTo) return inRange;
        inRange.push(_id);
      }
      const next = first.next?.at(-1);
      if (typeof next !== 'string') return inRange;
      last = next;
    }
  }

  /** Decides on the states that the assets of a page get. */
  async function readWanted({ feed, puts, removals, range }: PageChange) {
    const removed = new Set([...removals, ...(range ? await findRange(feed, range) : [])]);
    for (const { _id } of puts) removed.delete(_id);
    const present = await findPresent([...removed, ...puts.map(({ _id }) => _id)]);
    const wanted = new Map<string, Asset | undefined>(puts.map((asset) => [asset._id, asset]));
    // An asset of another type is that of another feed, which reports its deletion.
    for (const id of removed) if (present.get(id)?._type === feed) wanted.set(id, undefined);
    const others = new Map<string, string>();
    for (const { _id } of puts) {
      const type = present.get(_id)?._type;
      if (type !== undefined && type !== feed) others.set(_id, type);
    }
    const moved = others.size > 0 ? await findMoved(source, { feed, others }) : new Map();
    for (const [id, found] of moved) wanted.set(id, found?.asset);
    return { wanted, present };
  }

  async function write(wanted: WantedAssets, present: ReadonlyMap<string, Asset>, change: PageChange) {
    const writes = planWrites(wanted, present, { keysOf, ids });
    const failure = await record.save(writes, { feed: [change.feed, change.state] });
    const count = (isRemoval: boolean) =>
      [...wanted].filter(([id, asset]) => (asset === undefined && present.has(id)) === isRemoval);
    const isWritten = new Set(
      writes.flatMap((each) => (each.kind === 'insert' ? [each.asset._id] : [each.id])),
    );
    const written = count(false).filter(([id]) => isWritten.has(id)).length;
    return { failure, applied: { written, removed: count(true).length } };
  }

  return {
    name,
    stateOf: (feed) => record.feeds.get(feed),
    async apply(change) {
      const { wanted, present } = await withStoreRetries(policy, () => readWanted(change));
      const first = await write(wanted, present, change);
      if (!first.failure) return first.applied;
      const settled = await includeOwners(wanted, { store, source, keysOf });
      const { failure, applied } = await write(settled, await findPresent([...settled.keys()]), change);
      if (failure) throw transferFailed(`${failure.message}. Somebody else writes to ${name}`);
      return applied;
    },
    async settle({ isLast }) {
      if (!isLast && performance.now() - checkedAtMs < checkMs) return record.renew();
      checkedAtMs = performance.now();
      const checkedSeq = await checkWriters();
      if (checkedSeq > record.checkedSeq()) await record.save([], { checkedSeq });
      else await record.renew();
    },
    close: record.release,
  };
}

/** Everyone who writes content, except mirrors, which write in the name of the system. */
const kinds = ['client', 'user', 'anonymous', 'command'] as const;

/** Erasing is allowed: the source has deleted the asset, and the target keeps its history until it is erased there, too. */
const actions = ['create', 'update', 'delete'] as const;

/** Finds an entry of somebody else about assets of these types after `from`, and the last entry that was looked at. */
async function findForeignEntry(
  { changes }: ContentStore,
  { types, from }: { types: readonly string[]; from: number },
): Promise<{ readonly foreign?: ChangeEntry; readonly last: number }> {
  const last = await changes.settle();
  for (const kind of kinds) {
    for (let at: number | undefined = from; at !== undefined && at < last; ) {
      const filter = { types, actions, by: { kind } };
      const page = await changes.read({ order: 'oldest first', from: at, limit: 1, filter });
      const [foreign] = page.entries;
      if (foreign) return { foreign, last };
      at = page.next;
    }
  }
  return { last };
}
