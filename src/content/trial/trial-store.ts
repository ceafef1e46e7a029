/**
 * A store for checking writes: it carries them out on copies in memory and writes nothing to the store behind it.
 *
 * Each write gets the outcome that it would have had, and later reads see its effect, so that the content layer checks requests
 * with the code that writes them. Used for one request. The store behind it may change between a check and a later write.
 */
import { type DomainError, idInUse, preconditionFailed, valueInUse } from '../../base/errors.ts';
import type { Asset, Catalog } from '../../model/content-type.ts';
import type { FieldPath } from '../../model/field-path.ts';
import { evaluatePredicate } from '../../query/evaluate.ts';
import { type UniqueKey, uniqueKeysAt, uniquePaths } from '../../query/unique-values.ts';
import {
  type AssetWrite,
  type ContentStore,
  type FindRequest,
  type FoundAssets,
  type FoundPage,
  idOfWrite,
  type StoredAsset,
  typeOfWrite,
  type WriteOutcome,
} from '../../store/port.ts';
import { applyWrite } from '../batch/pending-writes.ts';
import { findWhole, readMany } from '../reading/read-chunks.ts';

/** Creates the store. */
export function createTrialStore(store: ContentStore, catalog: Catalog): ContentStore {
  const paths = new Map([...catalog.types.values()].map((type) => [type.class, uniquePaths(type)]));
  /** The assets that were written, by `_id`; `undefined` for a deleted one. */
  let written = new Map<string, StoredAsset | undefined>();

  async function getMany(ids: readonly string[]): Promise<FoundAssets> {
    const left = ids.filter((id) => !written.has(id));
    const { found, ...more } = left.length > 0 ? await store.getMany(left) : { found: [] };
    const ours = ids.flatMap((id) => {
      const stored = written.get(id);
      return stored ? [[id, stored] as const] : [];
    });
    return { found: new Map([...ours, ...found]), ...more };
  }

  async function get(id: string): Promise<StoredAsset | undefined> {
    return written.has(id) ? written.get(id) : store.get(id);
  }

  async function getTypes(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const types = new Map(await store.getTypes(ids.filter((id) => !written.has(id))));
    for (const id of ids) {
      const ours = written.get(id);
      if (ours) types.set(id, ours.asset._type);
    }
    return types;
  }

  /** Finds assets in one chunk and in no order, which suffices for finding the assets that have unique values. */
  async function find(request: FindRequest): Promise<FoundPage> {
    const { items } = await findWhole(store, { ...request, withCount: false });
    const others = items.filter(({ asset }) => !written.has(asset._id));
    const ours = [...written.values()]
      .filter((one) => one !== undefined)
      .filter(({ asset }) => fits(asset, request));
    return { items: [...others, ...ours] };
  }

  async function write(
    writes: readonly AssetWrite[],
    { atomic = false }: { readonly atomic?: boolean } = {},
  ): Promise<readonly WriteOutcome[]> {
    const before = new Map(written);
    const state = await load(writes);
    const outcomes: WriteOutcome[] = [];
    for (const one of writes) {
      const outcome = writeOne(one, state);
      outcomes.push(outcome);
      if (atomic && outcome.kind !== 'done') {
        written = before;
        const undone = { kind: 'undone' } as const;
        return writes.map((_, index) => (index === outcomes.length - 1 ? outcome : undone));
      }
    }
    return outcomes;
  }

  /** Reads what writes need in one read of assets and one search for each unique field. */
  async function load(writes: readonly AssetWrite[]): Promise<TrialState> {
    const present = new Map<string, StoredAsset | undefined>();
    for await (const found of readMany({ ...store, getMany }, [...new Set(writes.map(idOfWrite))])) {
      for (const [id, stored] of found) present.set(id, stored);
    }
    const owners = new Map<string, string>();
    const byPath = Map.groupBy(writes.flatMap(keysSetBy), ({ type, path }) => `${type} ${path.text}`);
    for (const keys of byPath.values()) await loadOwners(keys, owners);
    for (const stored of present.values())
      if (stored) for (const { text } of keysOf(stored.asset)) owners.set(text, stored.asset._id);
    return { present, owners };
  }

  async function loadOwners(keys: readonly UniqueKey[], owners: Map<string, string>): Promise<void> {
    const [first] = keys;
    if (!first) return;
    const { type, path } = first;
    const values = [...new Set(keys.map(({ value }) => value))];
    const where = { kind: 'equals', path, values, ignoreCase: false } as const;
    const { items } = await find({ types: [type], where, offset: 0, limit: values.length, withCount: false });
    for (const { asset } of items) for (const { text } of keysOf(asset)) owners.set(text, asset._id);
  }

  function writeOne(one: AssetWrite, { present, owners }: TrialState): WriteOutcome {
    const id = idOfWrite(one);
    const before = present.get(id);
    const failure = one.kind === 'insert' ? before && idInUse(id) : findFailure(one, before);
    if (failure === 'absent') return { kind: 'absent' };
    if (failure) return { kind: 'failed', error: failure };
    const after = applyWrite(one, before?.asset);
    const claimed = after ? keysOf(after.asset) : [];
    const taken = claimed.find(({ text }) => (owners.get(text) ?? id) !== id);
    if (taken) return { kind: 'failed', error: valueInUse(taken.path.text, String(taken.value)) };
    if (before) for (const { text } of keysOf(before.asset)) owners.delete(text);
    for (const { text } of claimed) owners.set(text, id);
    present.set(id, after);
    written.set(id, after);
    return { kind: 'done' };
  }

  async function writeAlone(one: AssetWrite): Promise<StoredAsset | undefined | 'absent'> {
    const [outcome] = await write([one]);
    if (outcome?.kind === 'failed') throw outcome.error;
    return outcome?.kind === 'absent' ? 'absent' : written.get(idOfWrite(one));
  }

  async function patch(one: Parameters<ContentStore['patch']>[0]): Promise<StoredAsset | undefined> {
    const after = await writeAlone({ kind: 'patch', ...one });
    return after === 'absent' ? undefined : after;
  }

  const keysOf = ({ _type, ...asset }: Asset) => uniqueKeysAt(paths.get(_type) ?? [], _type, asset);

  function keysSetBy(one: AssetWrite): UniqueKey[] {
    const type = typeOfWrite(one);
    const set = one.kind === 'insert' ? one.asset : one.kind === 'patch' ? one.set : {};
    return uniqueKeysAt(paths.get(type) ?? ([] satisfies FieldPath[]), type, set);
  }

  return {
    ...store,
    get,
    getMany,
    getTypes,
    find,
    write,
    patch,
    insert: async (stored) => void (await writeAlone({ kind: 'insert', ...stored })),
    delete: async (deletion) => (await writeAlone({ kind: 'delete', ...deletion })) !== 'absent',
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

/** What the writes of one call change: the assets by `_id`, and who has which unique value. */
interface TrialState {
  readonly present: Map<string, StoredAsset | undefined>;
  readonly owners: Map<string, string>;
}

function findFailure(
  one: Exclude<AssetWrite, { kind: 'insert' }>,
  present: StoredAsset | undefined,
): DomainError | 'absent' | undefined {
  if (present?.asset._type !== one.type) return 'absent';
  const isChanged = one.ifVersion !== undefined && one.ifVersion !== present.version;
  return isChanged ? preconditionFailed(one.id) : undefined;
}

function fits(asset: Asset, { types, where }: FindRequest): boolean {
  if (!types.includes(asset._type)) return false;
  return !where || evaluatePredicate({ predicate: where, asset, resolve: () => undefined });
}
