/**
 * The assets that have drafts, as these leave them. What a search has read stays in memory until one of the assets' types is written
 * to, if it is small, so that the next search reads nothing. That somebody has created a live asset of another type under the `_id` of a
 * drafted one is noticed then, too.
 */
import type { Asset } from '../../model/content-type.ts';
import { type ContentStore, idOfWrite } from '../../store/port.ts';
import { readMany } from '../reading/read-chunks.ts';
import { applyDraft, type Draft, type DraftSource } from './draft.ts';

/** Reads the assets that have drafts. */
export interface DraftedAssets {
  /** Finds the `_id`s of the drafts of assets of these classes. */
  findIds(types: readonly string[]): Promise<ReadonlySet<string>>;
  /** Reads those assets that exist with their drafts, chunk by chunk. */
  read(types: readonly string[]): AsyncIterable<readonly Asset[]>;
}

/** How many chunks of live assets stay in memory. */
const maxKept = 16;

/** What is known of the assets of some types. */
interface Known {
  readonly revision: string;
  /** The live versions of all assets with drafts; `undefined` for one that is not live. */
  readonly versions: ReadonlyMap<string, string | undefined>;
  readonly assets: readonly Asset[];
  /** How many chunks they were read in. */
  readonly chunks: number;
}

/** Creates the reader of some drafts. */
export function createDraftedAssets(
  store: Pick<ContentStore, 'getMany' | 'getTypes' | 'getVersions' | 'revision'>,
  drafts: DraftSource,
): DraftedAssets {
  const knownOf = new Map<string, Known>();
  const idsOf = new WeakMap<readonly Draft[], ReadonlySet<string>>();

  async function findIds(types: readonly string[]): Promise<ReadonlySet<string>> {
    const found = await drafts.ofTypes(types);
    const ids = idsOf.get(found) ?? new Set(found.map(idOfWrite));
    idsOf.set(found, ids);
    return ids;
  }

  async function* read(types: readonly string[]): AsyncGenerator<readonly Asset[]> {
    const key = types.join(' ');
    // Before the versions, and these before the assets: a write between the reads causes another reading.
    const revision = await store.revision(types);
    const known = knownOf.get(key);
    if (known?.revision === revision) {
      yield known.assets;
      return;
    }
    const found = await drafts.ofTypes(types);
    const versions = await readVersions(found.map(idOfWrite));
    const isSame = (id: string) => known?.versions.has(id) && known.versions.get(id) === versions.get(id);
    const same = known?.assets.filter(({ _id }) => versions.has(_id) && isSame(_id)) ?? [];
    knownOf.delete(key);
    yield same;
    const assets = [...same];
    let chunks = known?.chunks ?? 0;
    for await (const chunk of readDrafted(
      store,
      found.filter((draft) => !isSame(idOfWrite(draft))),
    )) {
      if (!known) chunks++;
      if (chunks <= maxKept) assets.push(...chunk);
      yield chunk;
    }
    if (chunks <= maxKept) keep(key, { revision, versions, assets, chunks });
  }

  async function readVersions(ids: readonly string[]): Promise<Known['versions']> {
    const live = await store.getVersions(ids);
    return new Map(ids.map((id) => [id, live.get(id)]));
  }

  /** Keeps assets in place of those that were read first. */
  function keep(key: string, known: Known): void {
    knownOf.set(key, known);
    let count = [...knownOf.values()].reduce((sum, { chunks }) => sum + chunks, 0);
    for (const [oldest, { chunks }] of knownOf) {
      if (count <= maxKept) return;
      knownOf.delete(oldest);
      count -= chunks;
    }
  }

  return { findIds, read };
}

/** Reads chunk by chunk, since the live assets may be large. Those that drafts delete are not read. */
async function* readDrafted(
  store: Pick<ContentStore, 'getMany' | 'getTypes'>,
  drafts: readonly Draft[],
): AsyncGenerator<readonly Asset[]> {
  const deletions = drafts.filter(({ kind }) => kind === 'delete');
  const types = await store.getTypes(deletions.map(idOfWrite));
  const isDeleted = (draft: Draft) =>
    draft.kind === 'delete' && (types.get(draft.id) ?? draft.type) === draft.type;
  const left = new Map(drafts.filter((draft) => !isDeleted(draft)).map((draft) => [idOfWrite(draft), draft]));
  for await (const found of readMany(store, [...left.keys()])) {
    yield [...found].flatMap(([id, live]) => {
      const draft = left.get(id);
      left.delete(id);
      return (draft && applyDraft(draft, live)?.asset) ?? [];
    });
  }
  yield [...left.values()].flatMap((draft) => applyDraft(draft, undefined)?.asset ?? []);
}
