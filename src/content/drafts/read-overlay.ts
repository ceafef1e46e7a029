/**
 * Drafts laid over a store: each of its reads returns what it would return if the store had carried out the drafts.
 *
 * The store finds what has no draft, the drafts are matched in memory (`match-drafts.ts`), and both results are merged. What reads
 * through a store needs no other path for drafts. Reads of assets without drafts cost what they cost without an overlay, plus
 * looking for drafts.
 */
import { type Chunk, type ContentStore, chunkBytes, type StoreReads } from '../../store/port.ts';
import { applyDraft, type DraftSource } from './draft.ts';
import {
  createDraftedAssets,
  createDraftMatcher,
  type DraftedMatch,
  type DraftedMatches,
} from './match-drafts.ts';
import { countWithDrafts, type FormedReads, findWithDrafts, objectForm, textForm } from './merge-page.ts';
import { createKeptResults } from './reference-steps.ts';

/** How many assets `getMany` reads at once. */
const idsAtOnce = 1_000;

/** Lays drafts over the reads of a store. */
export function createReadOverlay(
  store: StoreReads & Pick<ContentStore, 'revision' | 'getVersions'>,
  drafts: DraftSource,
): StoreReads {
  const drafted = {
    assets: createDraftedAssets(store, drafts),
    kept: {
      lists: createKeptResults<DraftedMatches>(store, sizeOfMatches),
      counts: createKeptResults<{ readonly count: number }>(store, () => 0),
    },
  };
  const getMany: ContentStore['getMany'] = async (ids) => {
    const part = ids.slice(0, idsAtOnce);
    const drafted = await drafts.find(part);
    const { found: live, rest: unread = [] } = await store.getMany(part);
    const found = new Map(live);
    const isUnread = new Set(unread);
    for (const [id, draft] of drafted) {
      if (isUnread.has(id)) continue;
      const stored = applyDraft(draft, live.get(id));
      if (stored) found.set(id, stored);
      else found.delete(id);
    }
    const rest = [...unread, ...ids.slice(part.length)];
    return { found, ...(rest.length > 0 && { rest }) };
  };

  const getTypes: ContentStore['getTypes'] = async (ids) => {
    const [drafted, live] = [await drafts.find(ids), await store.getTypes(ids)];
    const types = new Map(live);
    for (const [id, draft] of drafted) {
      if (draft.kind === 'insert' && !live.has(id)) types.set(id, draft.asset._type);
      if (draft.kind === 'delete' && live.get(id) === draft.type) types.delete(id);
    }
    return types;
  };

  function layOver<Item>(reads: FormedReads<Item>) {
    const get = async (id: string): Promise<Item | undefined> => {
      const draft = (await drafts.find([id])).get(id);
      if (!draft) return reads.get(id);
      const stored = applyDraft(draft, await store.get(id));
      return stored && reads.fromStored(stored);
    };

    const getChunk = async (given: readonly string[]): Promise<Chunk<Item>> => {
      const ids = [...new Set(given)];
      const part = ids.slice(0, idsAtOnce);
      const drafted = await drafts.find(part);
      const { items: live, rest: [nextLive] = [] } = await reads.getChunk(part);
      // The store leaves out what is not live, which drafts may create.
      const end = nextLive === undefined ? part.length : part.indexOf(nextLive);
      const byId = new Map(live.map((item) => [reads.idOf(item), item]));
      const items: Item[] = [];
      let leftBytes = chunkBytes;
      for (const [n, id] of part.slice(0, end).entries()) {
        const [draft, item] = [drafted.get(id), byId.get(id)];
        const stored = draft && applyDraft(draft, item && reads.toStored(item));
        const shown = draft ? stored && reads.fromStored(stored) : item;
        if (shown === undefined) continue;
        leftBytes -= drafted.size > 0 ? reads.bytesOf(shown) : 0;
        if (leftBytes < 0 && items.length > 0) return { items, rest: ids.slice(n) };
        items.push(shown);
      }
      return { items, ...(end < ids.length && { rest: ids.slice(end) }) };
    };

    const find = (request: Parameters<FormedReads<Item>['find']>[0]) =>
      findWithDrafts({ reads, getChunk, matcher: createDraftMatcher(store, drafted, request) }, request);

    return { get, getChunk, find };
  }

  return {
    ...layOver({ ...store, ...objectForm }),
    texts: layOver({ ...store.texts, ...textForm }),
    getMany,
    getTypes,
    facets: (request) =>
      countWithDrafts({ store, matcher: createDraftMatcher(store, drafted, request) }, request),
    async explain({ where, ...request }) {
      const matcher = createDraftMatcher(store, drafted, request);
      const { undrafted } = await matcher.toLive(request.types, where);
      return store.explain({ ...request, ...(undrafted && { where: undrafted }) });
    },
  };
}

const sizeOfMatches = ({ inOrder }: DraftedMatches) =>
  inOrder.reduce((sum, { position }) => sum + 50 + sizeOfPosition(position), 0);

const sizeOfPosition = (position: DraftedMatch['position']) =>
  position.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 8), 0);
