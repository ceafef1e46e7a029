/**
 * Generated searches by cursor while others write between the pages: every store returns each asset that stays unchanged and matches
 * once and in its place, and no asset that matched at no moment.
 */
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import type { Asset } from '../../src/model/content-type.ts';
import { evaluatePredicate } from '../../src/query/evaluate.ts';
import type { SortPosition } from '../../src/query/keyset.ts';
import { bindPredicate, createPredicateCompiler } from '../../src/query/prepare.ts';
import { bindSort, compareBySort } from '../../src/query/sort.ts';
import type { ContentStore } from '../../src/store/port.ts';
import { arbitraryAssets } from '../support/assets.ts';
import { indexedLibraryCatalog } from '../support/catalog.ts';
import { openStoreAt } from '../support/content.ts';
import { arbitraryPredicateText } from '../support/predicates.ts';
import { roundsOf } from '../support/rounds.ts';
import { arbitrarySort } from '../support/sorts.ts';
import { describeOnEachStore } from '../support/stores.ts';

const catalog = indexedLibraryCatalog();
const { prepare } = createPredicateCompiler(catalog);
const ids = Array.from(
  { length: 32 },
  (_, index) => `0191f3a0-5b7e-7c11-9d2e-${String(index).padStart(12, '0')}`,
);
const names = ['library.Book', 'library.Person', 'library.Book', 'library.Company'];
const types = names.flatMap((name) => catalog.types.get(name) ?? []);
const walks = roundsOf({ usual: 30, long: 1_000 });

/** What others do to an asset between two pages; `restore` brings back its first state. */
const arbitraryWrite = fc.record({
  at: fc.nat({ max: ids.length - 1 }),
  kind: fc.constantFrom('delete', 'clear', 'restore'),
});
const books: readonly string[] = ['library.Book'];
const arbitraryWalk = fc.constantFrom(books, ['library.Company', 'library.Person']).chain((kinds) =>
  fc.record({
    kinds: fc.constant(kinds),
    keys: arbitrarySort({ catalog, classes: kinds }),
    // Half of the walks are of all assets, because most predicates find less than a page.
    text: fc.option(arbitraryPredicateText({ catalog, classes: kinds, ids }), { nil: undefined, freq: 1 }),
    limit: fc.constantFrom(1, 3, 7),
    /** Those between one page and the next. */
    writes: fc.array(fc.array(arbitraryWrite, { maxLength: 3 }), { minLength: 1, maxLength: 4 }),
  }),
);

describeOnEachStore('generated walks by cursor amid writes', (locations) => {
  let store: ContentStore;
  let assets: readonly Asset[] = [];
  /** The present states. */
  const present = new Map<string, Asset>();

  beforeAll(async () => {
    [assets = []] = fc.sample(arbitraryAssets({ types, ids }), 1);
    store = await openStoreAt(locations(), catalog);
    await store.write(assets.map((asset) => ({ kind: 'insert', asset, version: 'v' })));
    for (const asset of assets) present.set(asset._id, asset);
  });

  async function remove({ _id: id, _type: type }: Asset): Promise<void> {
    await store.delete({ id, type });
    present.delete(id);
  }

  async function put(asset: Asset): Promise<void> {
    if (present.has(asset._id)) await remove(asset);
    await store.insert({ asset, version: 'v' });
    present.set(asset._id, asset);
  }

  async function write({ at, kind }: { at: number; kind: string }): Promise<void> {
    const asset = assets[at] ?? expect.fail(`no asset ${at}`);
    const { _id, _type } = asset;
    if (kind === 'restore') await put(asset);
    else if (kind === 'clear') await put({ _id, _type });
    else if (present.has(_id)) await remove(asset);
  }

  it(`return what stays unchanged once and in order, ${walks} times`, async () => {
    let written = 0;
    await fc.assert(
      fc.asyncProperty(arbitraryWalk, async ({ kinds, keys, text, limit, writes }) => {
        const sort = bindSort(catalog, kinds, keys);
        const where = bindPredicate(prepare(kinds, text ?? 'true'), []);
        const matching = () =>
          [...present.values()]
            .filter((asset) => kinds.includes(asset._type))
            .filter((asset) =>
              evaluatePredicate({ predicate: where, asset, resolve: (id) => present.get(id) }),
            );
        let always = matching();
        const sometimes = new Set(always.map(({ _id }) => _id));
        const found: Asset[] = [];
        let left = [...writes];
        for (let after: SortPosition | undefined; ; ) {
          const request = { types: kinds, where, sort, offset: 0, limit, withCount: false };
          const page = await store.find({ ...request, keyset: after ? { after } : {} });
          found.push(...page.items.map(({ asset }) => asset));
          after = page.next;
          if (!after) break;
          const [next = [], ...later] = left;
          left = later;
          for (const each of next) {
            const before = present.get(ids[each.at] ?? '');
            await write(each);
            if (present.get(ids[each.at] ?? '') !== before) written++;
            const now = new Set(matching());
            always = always.filter((asset) => now.has(asset));
            for (const { _id } of now) sometimes.add(_id);
          }
        }
        const unchanged = new Set(always.map(({ _id }) => _id));
        expect(found.filter(({ _id }) => unchanged.has(_id))).toEqual(always.toSorted(compareBySort(sort)));
        expect(found.filter(({ _id }) => !sometimes.has(_id))).toEqual([]);
        for (const asset of assets) if (present.get(asset._id) !== asset) await put(asset);
      }),
      { numRuns: walks },
    );
    // Walks of which no page is followed by a write would prove little.
    expect(written).toBeGreaterThan(walks / 3);
  });
});
