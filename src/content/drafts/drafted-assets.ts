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

interface Known {
  readonly revision: string;
  readonly chunks: readonly (readonly Asset[])[];
}

/** Creates the reader of some drafts. */
export function createDraftedAssets(
  store: Pick<ContentStore, 'getMany' | 'getTypes' | 'revision'>,
  drafts: DraftSource,
): DraftedAssets {
  const knownOf = new Map<string, Known>();

  async function* read(types: readonly string[]): AsyncGenerator<readonly Asset[]> {
    const key = types.join(' ');
    // Before the assets: a write between the two reads causes another reading.
    const revision = await store.revision(types);
    const known = knownOf.get(key);
    if (known?.revision === revision) {
      yield* known.chunks;
      return;
    }
    knownOf.delete(key);
    const chunks: (readonly Asset[])[] = [];
    for await (const chunk of readDrafted(store, await drafts.ofTypes(types))) {
      if (chunks.length <= maxKept) chunks.push(chunk);
      yield chunk;
    }
    if (chunks.length <= maxKept) keep(key, { revision, chunks });
  }

  /** Keeps chunks in place of those that were read first. */
  function keep(key: string, known: Known): void {
    knownOf.set(key, known);
    let count = [...knownOf.values()].reduce((sum, { chunks }) => sum + chunks.length, 0);
    for (const [oldest, { chunks }] of knownOf) {
      if (count <= maxKept) return;
      knownOf.delete(oldest);
      count -= chunks.length;
    }
  }

  return { findIds: async (types) => new Set((await drafts.ofTypes(types)).map(idOfWrite)), read };
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
