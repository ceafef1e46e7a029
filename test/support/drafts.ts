/** Drafts in memory, and content that drafts turn into other content. */
import fc from 'fast-check';
import type { Draft, DraftSource } from '../../src/content/drafts/draft.ts';
import { createReadOverlay } from '../../src/content/drafts/read-overlay.ts';
import type { Asset } from '../../src/model/content-type.ts';
import { type ContentStore, idOfWrite, typeOfWrite } from '../../src/store/port.ts';

/** Makes a source of some drafts. */
function draftSource(drafts: readonly Draft[]): DraftSource {
  const byId = new Map(drafts.map((draft) => [idOfWrite(draft), draft]));
  return {
    async find(ids) {
      return new Map(ids.flatMap((id) => (byId.has(id) ? [[id, byId.get(id) as Draft]] : [])));
    },
    ofTypes: async (types) => drafts.filter((draft) => types.includes(typeOfWrite(draft))),
  };
}

/** Returns a store whose reads have drafts laid over them. */
export function withDrafts(store: ContentStore, drafts: readonly Draft[]): ContentStore {
  const overlay = createReadOverlay(store, draftSource(drafts));
  return { ...store, ...overlay, texts: { ...store.texts, ...overlay.texts } };
}

/** Content, and the drafts that turn it into other content. */
export interface DraftedContent {
  readonly live: readonly Asset[];
  readonly drafts: readonly Draft[];
}

const kinds = ['untouched', 'created', 'changed', 'changed', 'other class', 'other class deleted'] as const;
const goneKinds = ['deleted', 'deleted', 'changed', 'never live'] as const;

/**
 * Generates content that drafts turn into the `wanted` assets. `others` are one asset for each `_id` and type of these, whose values are
 * live where a draft changes them, and more, of which nothing is left.
 */
export function arbitraryDrafts(
  wanted: readonly Asset[],
  others: readonly Asset[],
): fc.Arbitrary<DraftedContent> {
  const parts = others.map((other, n) => {
    const asset = wanted[n];
    return asset
      ? fc.constantFrom(...kinds).map((kind) => draftOf(kind, { asset, other }))
      : fc.constantFrom(...goneKinds).map((kind) => goneBy(kind, other));
  });
  return fc.tuple(...parts).map((made) => ({
    live: made.flatMap(({ live }) => live ?? []),
    drafts: made.flatMap(({ draft }) => draft ?? []),
  }));
}

interface Drafted {
  readonly live?: Asset;
  readonly draft?: Draft;
}

const version = 'draft';

function draftOf(kind: (typeof kinds)[number], { asset, other }: { asset: Asset; other: Asset }): Drafted {
  const { _id: id, _type: type } = asset;
  const stranger = type === 'library.Book' ? 'library.Person' : 'library.Book';
  switch (kind) {
    case 'untouched':
      return { live: asset };
    case 'created':
      return { draft: { kind: 'insert', asset, version } };
    case 'changed': {
      const unset = Object.keys(other).filter((name) => !Object.hasOwn(asset, name));
      const { _id, _type, ...set } = asset;
      return { live: other, draft: { kind: 'patch', id, type, set, unset, version } };
    }
    case 'other class':
      return { live: asset, draft: { kind: 'insert', asset: { _id: id, _type: stranger }, version } };
    case 'other class deleted':
      return { live: asset, draft: { kind: 'delete', id, type: stranger } };
  }
}

function goneBy(kind: (typeof goneKinds)[number], asset: Asset): Drafted {
  const { _id: id, _type: type } = asset;
  switch (kind) {
    case 'deleted':
      return { live: asset, draft: { kind: 'delete', id, type } };
    case 'changed':
      return { draft: { kind: 'patch', id, type, set: {}, unset: [], version } };
    case 'never live':
      return { draft: { kind: 'delete', id, type } };
  }
}
