/**
 * A store for checking writes: it lays them over the store behind it, to which it writes nothing.
 *
 * Each write gets the outcome that it would have had, and later reads see its effect, so that the content layer checks requests
 * with the code that writes them. The store behind it may change between a check and a later write.
 */
import { type DomainError, idInUse, preconditionFailed, valueInUse } from '../../base/errors.ts';
import { keyName } from '../../model/field-path.ts';
import { type KeysOf, keysSoughtBy, type UniqueKey, writeKey } from '../../query/unique-values.ts';
import {
  type AssetWrite,
  type ContentStore,
  idOfWrite,
  type StoredAsset,
  type WriteOutcome,
} from '../../store/port.ts';
import { findWhole } from '../reading/read-chunks.ts';
import { applyWrite, createWriteOverlay, type PendingWrites, type StoreReads } from './write-overlay.ts';

/** The reads and writes of a batch that is only checked. */
export type TrialBatchStore = StoreReads & Pick<ContentStore, 'write'>;

/** Creates a store for the batches of one request, which begins with the effects of `pending` and adds its own to them. */
export function createTrialBatchStore(
  store: StoreReads,
  keysOf: KeysOf,
  pending: PendingWrites = { assets: new Map(), holders: new Map() },
): TrialBatchStore {
  const overlay = createWriteOverlay(store, { keysOf, pending });

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
    if (atomic) {
      const outcomes = await createTrialBatchStore(own, keysOf).write(writes);
      const refused = outcomes.findIndex(({ kind }) => kind !== 'done');
      const undone = { kind: 'undone' } as const;
      if (refused >= 0) return outcomes.map((outcome, index) => (index === refused ? outcome : undone));
    }
    await overlay.loadAssets(writes.map(idOfWrite));
    await overlay.loadHolders(writes.flatMap(keysAfter));
    const outcomes: WriteOutcome[] = [];
    for (const one of writes) {
      // Known already, unless an earlier write has changed another field of a key.
      await overlay.loadHolders(keysAfter(one));
      outcomes.push(writeOne(one));
    }
    overlay.forgetAll();
    return outcomes;
  }

  function writeOne(one: AssetWrite): WriteOutcome {
    const id = idOfWrite(one);
    const before = overlay.find(id);
    const failure = one.kind === 'insert' ? before && idInUse(id) : findFailure(one, before);
    if (failure === 'absent') return { kind: 'absent' };
    if (failure) return { kind: 'failed', error: failure };
    const after = applyWrite(one, before?.asset);
    const taken = after && keysOf(after.asset).find((key) => (overlay.findHolder(key) ?? id) !== id);
    if (taken) return { kind: 'failed', error: valueInUse(keyName(taken.paths), writeKey(taken)) };
    overlay.put(one);
    return { kind: 'done' };
  }

  /** Returns the keys that an asset has after a write. */
  function keysAfter(one: AssetWrite): readonly UniqueKey[] {
    const after = applyWrite(one, overlay.find(idOfWrite(one))?.asset);
    return after ? keysOf(after.asset) : [];
  }

  const own = { getMany, getTypes, getChunk: store.getChunk, find, write };
  return own;
}

function findFailure(
  one: Exclude<AssetWrite, { kind: 'insert' }>,
  present: StoredAsset | undefined,
): DomainError | 'absent' | undefined {
  if (present?.asset._type !== one.type) return 'absent';
  const isChanged = one.ifVersion !== undefined && one.ifVersion !== present.version;
  return isChanged ? preconditionFailed(one.id) : undefined;
}

/** Creates a store for one request. */
export function createTrialStore(store: ContentStore, keysOf: KeysOf): ContentStore {
  const batches = createTrialBatchStore(store, keysOf);

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
    insert: async (stored) => void (await write({ kind: 'insert', ...stored })),
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
