/** A follower of a feed that does what the documentation says, and a writer of random changes. */
import fc from 'fast-check';
import { expect } from 'vitest';
import type { FeedItem } from '../../src/content/feed/match-changes.ts';
import type { FeedPage } from '../../src/content/feed/read-feed.ts';
import type { Asset } from '../../src/model/content-type.ts';
import type { ContentStore } from '../../src/store/port.ts';

const type = 'library.Book';
export const feedIds = Array.from(
  { length: 6 },
  (_, index) => `0191f3a0-5b7e-7c11-9d2e-${String(index).padStart(12, '0')}`,
);
export const feedSites = ['a', 'b'].map((digit) => `0191f3a0-5b7e-7c11-9d2e-${digit.repeat(12)}`);

/** A change of one asset: new values, or its end. */
export type FeedWrite = { readonly at: number } & (
  | { readonly kind: 'put'; readonly pages: number; readonly site: number }
  | { readonly kind: 'delete' | 'erase' | 'retype' }
);

/** Generates writes; erasing takes long, so it is rare. */
export const arbitraryFeedWrite: fc.Arbitrary<FeedWrite> = fc.oneof(
  {
    weight: 30,
    arbitrary: fc.record({
      kind: fc.constant('put' as const),
      at: fc.nat({ max: feedIds.length - 1 }),
      pages: fc.nat({ max: 3 }),
      site: fc.nat({ max: 1 }),
    }),
  },
  {
    weight: 10,
    arbitrary: fc.record({
      kind: fc.constantFrom('delete' as const, 'retype' as const),
      at: fc.nat({ max: feedIds.length - 1 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('erase' as const), at: fc.nat({ max: feedIds.length - 1 }) }),
  },
);

/** Writes to a store, and knows what it has. */
export class FeedWriter {
  readonly present = new Map<string, Asset>();
  /** The assets as they ever were. */
  readonly states: Asset[] = [];
  /** The assets that were erased. */
  readonly erased = new Set<string>();
  readonly #store: ContentStore;
  #versions = 0;

  constructor(store: ContentStore) {
    this.#store = store;
  }

  async write(write: FeedWrite): Promise<void> {
    const id = feedIds[write.at] ?? '';
    const before = this.present.get(id);
    if (write.kind === 'put') return this.#put(id, before, write);
    if (!before) return;
    if (write.kind === 'erase') {
      await this.#store.changes.erase({ id, change: this.#version() });
      this.erased.add(id);
    } else await this.#store.delete({ id, type: before._type, change: this.#version() });
    this.present.delete(id);
    if (write.kind === 'retype') await this.#insert({ _id: id, _type: 'library.Person', name: 'Ada' });
  }

  async #put(
    id: string,
    before: Asset | undefined,
    { pages, site }: { pages: number; site: number },
  ): Promise<void> {
    const set = {
      pages,
      'cms.site.owner': { _ref: feedSites[site] ?? '', _type: 'com.colophon.cms.db.Site' },
    };
    if (before && before._type !== type) return;
    if (!before) return this.#insert({ _id: id, _type: type, title: 'A book', ...set });
    const patched = await this.#store.patch({ id, type, set, unset: [], version: this.#version() });
    this.#note(patched?.asset ?? expect.fail('no asset to patch'));
  }

  async #insert(asset: Asset): Promise<void> {
    await this.#store.insert({ asset, version: this.#version() });
    this.#note(asset);
  }

  #note(asset: Asset): void {
    this.present.set(asset._id, asset);
    this.states.push(asset);
  }

  #version(): string {
    return `v${++this.#versions}`;
  }
}

/** The copy of a follower. */
export class FeedFollower {
  readonly copy = new Map<string, Asset>();
  /** The IDs of removals, with whether the copy had the asset. */
  readonly removals: { readonly id: string; readonly isKnown: boolean }[] = [];
  #sent: Set<string> | undefined = new Set();

  apply({ items, phase }: FeedPage): void {
    const ids = items.items.map((item) => (item.op === 'put' ? item.text.id : item.id));
    expect(new Set(ids).size, 'each asset once a page').toBe(ids.length);
    if (phase === 'snapshot') for (const id of ids) this.#sent?.add(id);
    else this.#dropUnsent();
    for (const item of items.items) this.#applyItem(item);
  }

  #dropUnsent(): void {
    for (const id of this.copy.keys()) if (this.#sent && !this.#sent.has(id)) this.copy.delete(id);
    this.#sent = undefined;
  }

  #applyItem(item: FeedItem): void {
    if (item.op === 'put') {
      this.copy.set(item.text.id, JSON.parse(item.text.text));
      return;
    }
    this.removals.push({ id: item.id, isKnown: this.copy.delete(item.id) });
  }
}
