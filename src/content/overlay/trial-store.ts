/**
 * A store for checking writes: it lays them over the store behind it, to which it writes nothing.
 *
 * Each write gets the outcome that it would have had, and later reads see its effect, so that the content layer checks requests
 * with the code that writes them. The store behind it may change between a check and a later write.
 */
import { idInUse, isDomainError, preconditionFailed, valueInUse } from '../../base/errors.ts';
import type { Asset } from '../../model/content-type.ts';
import { keyName } from '../../model/field-path.ts';
import { type KeysOf, keysSoughtBy, type UniqueKey, writeKey } from '../../query/unique-values.ts';
import {
  type AssetWrite,
  type ContentStore,
  idOfWrite,
  type StoredAsset,
  typeOfWrite,
  type WriteOutcome,
} from '../../store/port.ts';
import { findWhole } from '../reading/read-chunks.ts';
import type { ReferrerSearch } from '../restricting-references.ts';
import { applyWrite, createWriteOverlay, type PendingWrites, type StoreReads } from './write-overlay.ts';

/** The reads and writes of a batch that is only checked. */
export type TrialBatchStore = StoreReads & Pick<ContentStore, 'write'>;

/** What a store for checking needs beside the store behind it. */
export interface TrialParts {
  readonly keysOf: KeysOf;
  /** Called with each asset that has the `_id` or a unique value of a write. */
  readonly onConflict?: (holder: StoredAsset) => void;
  /** Finds what keeps assets from being deleted; absent where nothing does. */
  readonly referrers?: ReferrerSearch | undefined;
}

/** Creates a store for the batches of one request, which begins with the effects of `pending` and adds its own to them. */
export function createTrialBatchStore(
  store: StoreReads,
  { keysOf, onConflict = () => {}, referrers }: TrialParts,
  pending: PendingWrites = { assets: new Map(), holders: new Map() },
): TrialBatchStore {
  const overlay = createWriteOverlay(store, { keysOf, pending });
  /** The assets that have been written and may keep others, as they are by now. */
  const keeping = new Map<string, Asset | undefined>();

  const getMany: StoreReads['getMany'] = async (ids) => {
    const others = ids.filter((id) => !overlay.isChanged(id));
    const { found, ...more } = others.length > 0 ? await store.getMany(others) : { found: [] };
    return { found: new Map([...ids.flatMap(findChanged), ...found]), ...more };
  };

  const getTypes: StoreReads['getTypes'] = async (ids) => {
    const changed = ids.flatMap(findChanged).map(([id, { asset }]) => [id, asset._type] as const);
    return new Map([...(await store.getTypes(ids.filter((id) => !overlay.isChanged(id)))), ...changed]);
  };

  /** Finds the assets that have unique values, in one chunk and in no order. */
  const find: StoreReads['find'] = async (request) => {
    const { items } = await findWhole(store, { ...request, withCount: false });
    const holders = new Set(keysSoughtBy(request).flatMap((key) => overlay.findHolder(key) ?? []));
    const changed = [...holders].flatMap(findChanged).map(([, stored]) => stored);
    return { items: [...items.filter(({ asset }) => !overlay.isChanged(asset._id)), ...changed] };
  };

  function findChanged(id: string): (readonly [string, StoredAsset])[] {
    const stored = overlay.isChanged(id) ? overlay.find(id) : undefined;
    return stored ? [[id, stored]] : [];
  }

  async function write(
    writes: readonly AssetWrite[],
    { atomic = false }: { readonly atomic?: boolean } = {},
  ): Promise<readonly WriteOutcome[]> {
    if (!atomic) return writeInOrder(writes);
    const outcomes = await createTrialBatchStore(own, { keysOf, onConflict }).write(writes);
    const refused = outcomes.findIndex(({ kind }) => kind !== 'done');
    const first = outcomes[refused];
    const kept = first ? undefined : await findKept(writes);
    if (kept) return toOutcomes(writes, kept);
    if (!first) return writeInOrder(writes, { isJudged: true });
    // Inserts alone release no value that another could take.
    const mayExchange = writes.some(({ kind }) => kind !== 'insert');
    const isTaken = first.kind === 'failed' && isDomainError(first.error, 'value_in_use');
    if (isTaken && mayExchange) return exchange(writes);
    return toOutcomes(writes, { position: refused, outcome: first });
  }

  /** Finds the first deletion of all writes that assets as they are in the end keep from happening. */
  async function findKept(writes: readonly AssetWrite[]) {
    if (!referrers || !writes.some(({ kind }) => kind === 'delete')) return undefined;
    await overlay.loadAssets(writes.map(idOfWrite));
    const final = new Map<string, Asset | undefined>();
    for (const one of writes) {
      const id = idOfWrite(one);
      final.set(id, applyWrite(one, final.has(id) ? final.get(id) : overlay.find(id)?.asset)?.asset);
    }
    for (const [position, one] of writes.entries()) {
      const isGone = one.kind === 'delete' && final.get(one.id)?._type !== one.type;
      const error = isGone ? await referrers.find(one, new Map([...keeping, ...final])) : undefined;
      if (error) return { position, outcome: { kind: 'failed', error } } as const;
    }
    return undefined;
  }

  async function writeInOrder(
    writes: readonly AssetWrite[],
    { isJudged = false } = {},
  ): Promise<readonly WriteOutcome[]> {
    await overlay.loadAssets(writes.map(idOfWrite));
    await overlay.loadHolders(writes.flatMap(keysAfter));
    const outcomes: WriteOutcome[] = [];
    for (const one of writes) {
      // Known already, unless an earlier write has changed another field of a key.
      await overlay.loadHolders(keysAfter(one));
      const kept = isJudged ? undefined : await findKept([one]);
      outcomes.push(kept && overlay.find(idOfWrite(one)) ? kept.outcome : writeOne(one));
      const after = overlay.find(idOfWrite(one))?.asset;
      if (referrers?.hasRules(typeOfWrite(one))) keeping.set(idOfWrite(one), after);
    }
    overlay.forgetAll();
    return outcomes;
  }

  /** Writes all or nothing, so that the assets can exchange unique values: compares those that they have in the end. */
  async function exchange(writes: readonly AssetWrite[]): Promise<readonly WriteOutcome[]> {
    await overlay.loadAssets(writes.map(idOfWrite));
    // In the order of their last writes.
    const final = new Map<string, StoredAsset | undefined>();
    for (const [position, one] of writes.entries()) {
      const id = idOfWrite(one);
      const before = final.has(id) ? final.get(id) : overlay.find(id);
      const outcome = refuse(one, before);
      if (outcome) return toOutcomes(writes, { position, outcome });
      final.delete(id);
      final.set(id, applyWrite(one, before?.asset));
    }
    const stored = [...final.values()].filter((one) => one !== undefined);
    const keys = stored.flatMap(({ asset }) => keysOf(asset).map((key) => ({ key, id: asset._id })));
    await overlay.loadHolders(keys.map(({ key }) => key));
    const holders = new Map<string, string>();
    for (const { key, id } of keys) {
      const rival = holders.get(key.text) ?? overlay.findHolder(key) ?? id;
      const isTaken = rival !== id && (holders.has(key.text) || !final.has(rival));
      if (isTaken) {
        reportHolder(rival);
        return toOutcomes(writes, { position: findGiving(writes, [id, rival], key), outcome: inUse(key) });
      }
      holders.set(key.text, id);
    }
    const kept = await findKept(writes);
    if (kept) return toOutcomes(writes, kept);
    for (const id of final.keys()) {
      const before = overlay.find(id);
      if (before) overlay.put({ kind: 'delete', id, type: before.asset._type });
    }
    for (const one of stored) overlay.put({ kind: 'insert', ...one });
    overlay.forgetAll();
    return writes.map(() => ({ kind: 'done' }));
  }

  function writeOne(one: AssetWrite): WriteOutcome {
    const id = idOfWrite(one);
    const before = overlay.find(id);
    const refused = refuse(one, before);
    if (refused) {
      if (one.kind === 'insert') reportHolder(id);
      return refused;
    }
    const after = applyWrite(one, before?.asset);
    const taken = after && keysOf(after.asset).find((key) => (overlay.findHolder(key) ?? id) !== id);
    if (taken) {
      reportHolder(overlay.findHolder(taken) ?? id);
      return inUse(taken);
    }
    overlay.put(one);
    return { kind: 'done' };
  }

  function reportHolder(id: string): void {
    const holder = overlay.find(id);
    if (holder) onConflict(holder);
  }

  function keysAfter(one: AssetWrite): readonly UniqueKey[] {
    const after = applyWrite(one, overlay.find(idOfWrite(one))?.asset);
    return after ? keysOf(after.asset) : [];
  }

  const own = { getMany, getTypes, getChunk: store.getChunk, find, write };
  return own;
}

/** Returns the outcome of a write that is refused whatever its unique values are. */
function refuse(one: AssetWrite, present: StoredAsset | undefined): WriteOutcome | undefined {
  const id = idOfWrite(one);
  if (one.kind === 'insert') return present && { kind: 'failed', error: idInUse(id) };
  if (present?.asset._type !== one.type) return { kind: 'absent' };
  const isChanged = one.ifVersion !== undefined && one.ifVersion !== present.version;
  return isChanged ? { kind: 'failed', error: preconditionFailed(id) } : undefined;
}

const inUse = (key: UniqueKey): WriteOutcome => ({
  kind: 'failed',
  error: valueInUse(keyName(key.paths), writeKey(key)),
});

/** Returns the outcomes of an atomic batch of which one write is refused. */
const toOutcomes = (
  writes: readonly AssetWrite[],
  { position, outcome }: { readonly position: number; readonly outcome: WriteOutcome },
): readonly WriteOutcome[] => writes.map((_, other) => (other === position ? outcome : { kind: 'undone' }));

/** Finds the last write that may have given one of some assets a key. */
function findGiving(writes: readonly AssetWrite[], ids: readonly string[], { paths }: UniqueKey): number {
  const members = paths.map(({ steps }) => steps[0]?.name ?? '');
  return writes.findLastIndex((one) => {
    if (!ids.includes(idOfWrite(one)) || one.kind === 'delete') return false;
    return one.kind === 'insert' || members.some((name) => name in one.set || one.unset.includes(name));
  });
}

/** Creates a store for one request. */
export function createTrialStore(store: ContentStore, parts: TrialParts): ContentStore {
  const batches = createTrialBatchStore(store, parts);

  const get: ContentStore['get'] = async (id) => (await batches.getMany([id])).found.get(id);

  /** Writes one asset. Returns whether there is one to change. */
  async function write(one: AssetWrite): Promise<boolean> {
    const [outcome] = await batches.write([one]);
    if (outcome?.kind === 'failed') throw outcome.error;
    return outcome?.kind === 'done';
  }

  const patch: ContentStore['patch'] = async (one) =>
    (await write({ kind: 'patch', ...one })) ? get(one.id) : undefined;

  return {
    ...store,
    ...batches,
    get,
    patch,
    async insert(stored) {
      await write({ kind: 'insert', ...stored });
      return stored;
    },
    delete: (deletion) => write({ kind: 'delete', ...deletion }),
    texts: {
      ...store.texts,
      async patch(one) {
        const after = await patch(one);
        if (!after) return undefined;
        const { _id: id, _type: type } = after.asset;
        return { id, type, text: JSON.stringify(after.asset), version: after.version };
      },
    },
  };
}
