/**
 * Generated predicates, sort orders and pages: every store finds the same as the reference implementation. So does a store with other
 * content that drafts laid over it turn into the same.
 */
import fc from 'fast-check';
import { buildSchema } from 'graphql';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { silentLogger } from '../../src/base/runtime.ts';
import { createFilterReader } from '../../src/graphql/filters/read-filter.ts';
import { createSchemaText } from '../../src/graphql/schema/build-schema.ts';
import type { Asset } from '../../src/model/content-type.ts';
import { type FieldPath, indexedPaths } from '../../src/model/field-path.ts';
import type { BoundPredicate, BoundValue } from '../../src/query/ast.ts';
import { compareValues, evaluatePredicate } from '../../src/query/evaluate.ts';
import { bindFacets } from '../../src/query/facets.ts';
import { positionOf, type SortPosition } from '../../src/query/keyset.ts';
import { findValues } from '../../src/query/path-values.ts';
import { bindPredicate, createPredicateCompiler } from '../../src/query/prepare.ts';
import { printPredicate } from '../../src/query/print.ts';
import { bindSort, compareBySort } from '../../src/query/sort.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { ContentStore } from '../../src/store/port.ts';
import { arbitraryAssets } from '../support/assets.ts';
import { indexedLibraryCatalog } from '../support/catalog.ts';
import { arbitraryDrafts, withDrafts } from '../support/drafts.ts';
import { toFilter } from '../support/filters.ts';
import { arbitraryPredicate, arbitraryPredicateText } from '../support/predicates.ts';
import { roundsOf } from '../support/rounds.ts';
import { arbitrarySort } from '../support/sorts.ts';
import { describeOnEachStore } from '../support/stores.ts';

const catalog = indexedLibraryCatalog();
const { prepare } = createPredicateCompiler(catalog);
const classes: readonly string[] = ['library.Book'];
const ids = Array.from(
  { length: 32 },
  (_, index) => `0191f3a0-5b7e-7c11-9d2e-${String(index).padStart(12, '0')}`,
);
/** The assets of these are live, or have drafts, and are in no result. */
const goneIds = ids.slice(0, 8).map((id) => id.replace('0191f3a0', '0191f3a1'));
const names = ['library.Book', 'library.Person', 'library.Book', 'library.Company'];
const types = names.flatMap((name) => catalog.types.get(name) ?? []);
const worlds = 5;
const draftedWorlds = 3;
const allWorlds = worlds + draftedWorlds;
const walksInEach = roundsOf({ usual: 10, long: 100 });
const filtersInEach = roundsOf({ usual: 16, long: 250 });
const facetsInEach = roundsOf({ usual: 10, long: 100 });

/** Inserts assets. Preparing the store half-way merges the words of the first half into its index; some assets change afterwards. */
async function fill(store: ContentStore, assets: readonly Asset[]): Promise<void> {
  const insert = (some: readonly Asset[]) =>
    Promise.all(some.map((asset) => store.insert({ asset, version: 'v' })));
  const [half, rest] = [assets.slice(0, assets.length / 2), assets.slice(assets.length / 2)];
  await store.prepare();
  await insert(half);
  await store.prepare();
  const removed = half.filter((_, n) => n % 3 === 0);
  for (const { _id: id, _type: type } of removed) await store.delete({ id, type });
  for (const { _id: id, _type: type, ...set } of half.filter((_, n) => n % 3 === 1)) {
    await store.patch({ id, type, set: {}, unset: Object.keys(set), version: 'v' });
    await store.patch({ id, type, set, unset: [], version: 'v' });
  }
  await insert([...rest, ...removed]);
}

describeOnEachStore('generated predicates and orders', (locations, { isWhole }) => {
  // The test server of MongoDB is slow.
  const [predicatesInEach, ordersInEach] = isWhole ? [200, 50] : [75, 20];
  const opened: {
    readonly store: ContentStore;
    /** The store itself, or with drafts laid over it. */
    readonly reads: ContentStore;
    readonly assets: readonly Asset[];
  }[] = [];

  beforeAll(async () => {
    for (const assets of fc.sample(arbitraryAssets({ types, ids }), { numRuns: worlds })) {
      const store = await openWith(assets);
      opened.push({ ...store, reads: store.store, assets });
    }
    for (const assets of fc.sample(arbitraryAssets({ types, ids }), { numRuns: draftedWorlds })) {
      const others = fc.sample(arbitraryAssets({ types, ids: [...ids, ...goneIds] }), 1).flat();
      const [drafted] = fc.sample(arbitraryDrafts(assets, others), 1);
      const { live, drafts } = drafted ?? expect.fail('no drafts');
      const store = await openWith(live);
      opened.push({ ...store, reads: withDrafts(store.store, drafts), assets });
    }
  });

  async function openWith(assets: readonly Asset[]) {
    const location = locations();
    const store = await openStore({ ...location.config, catalog, logger: silentLogger, queryMs: 60_000 });
    await fill(store, assets);
    return { store };
  }

  afterAll(async () => {
    for (const { store } of opened) await store.close();
  });

  const world = fc.constantFrom(...Array.from({ length: allWorlds }, (_, index) => index));

  it(`find the same assets in the store as in the reference, ${allWorlds * predicatesInEach} times`, async () => {
    let selective = 0;
    await fc.assert(
      fc.asyncProperty(world, arbitraryPredicateText({ catalog, classes, ids }), async (index, text) => {
        const { reads, assets } = opened[index] ?? expect.fail(`no world ${index}`);
        const where = bindPredicate(prepare(classes, text), []);
        const byId = new Map(assets.map((asset) => [asset._id, asset]));
        const resolve = (id: string) => byId.get(id);
        const expected = assets
          .filter(
            (asset) => asset._type === classes[0] && evaluatePredicate({ predicate: where, asset, resolve }),
          )
          .toSorted((a, b) => (a._id < b._id ? -1 : 1));
        const page = await reads.find({ types: classes, where, offset: 0, limit: 1000, withCount: true });
        expect({ ...page, items: page.items.map(({ asset }) => asset) }).toEqual({
          count: expected.length,
          items: expected,
        });
        if (expected.length > 0 && expected.length < ids.length / 2) selective++;
      }),
      { numRuns: allWorlds * predicatesInEach },
    );
    // Predicates that match all or no assets would prove little.
    expect(selective).toBeGreaterThan((allWorlds * predicatesInEach) / 10);
  });

  it(`are found by filters in the store as in the reference, ${allWorlds * filtersInEach} times`, async () => {
    let [said, selective] = [0, 0];
    const filters = createFilterReader(catalog);
    const schema = buildSchema(createSchemaText(catalog));
    const [className = ''] = classes;
    const type = catalog.types.get(className) ?? expect.fail('no such type');
    const trees = arbitraryPredicate({ catalog, classes, ids });
    await fc.assert(
      fc.asyncProperty(world, trees, async (index, tree) => {
        const filter = toFilter(tree, { catalog, className, schema });
        if (filter === undefined) return;
        said++;
        const { reads, assets } = opened[index] ?? expect.fail(`no world ${index}`);
        const where = filters.bind(type, filter) ?? expect.fail('it has vanished');
        const meant = bindPredicate(prepare(classes, printPredicate(tree)), []);
        const resolve = (id: string) => assets.find(({ _id }) => _id === id);
        const find = (predicate: BoundPredicate) =>
          assets
            .filter((asset) => asset._type === className && evaluatePredicate({ predicate, asset, resolve }))
            .map(({ _id }) => _id)
            .sort();
        const expected = find(meant);
        expect(find(where)).toEqual(expected);
        const page = await reads.find({ types: classes, where, offset: 0, limit: 1000, withCount: false });
        expect(page.items.map(({ asset }) => asset._id)).toEqual(expected);
        if (expected.length > 0 && expected.length < ids.length / 2) selective++;
      }),
      { numRuns: allWorlds * filtersInEach },
    );
    expect(said).toBeGreaterThan((allWorlds * filtersInEach) / 4);
    expect(selective).toBeGreaterThan(said / 20);
  });

  it(`give the same pages as the reference, ${allWorlds * ordersInEach} times`, async () => {
    let long = 0;
    const one: readonly string[] = ['library.Book'];
    const order = fc.constantFrom(one, ['library.Company', 'library.Person']).chain((kinds) =>
      fc.record({
        kinds: fc.constant(kinds),
        keys: arbitrarySort({ catalog, classes: kinds }),
        text: fc.option(arbitraryPredicateText({ catalog, classes: kinds, ids }), { nil: undefined }),
        offset: fc.nat({ max: 4 }),
        limit: fc.constantFrom(1, 5, 1000),
      }),
    );
    await fc.assert(
      fc.asyncProperty(world, order, async (index, { kinds, keys, text, offset, limit }) => {
        const { reads, assets } = opened[index] ?? expect.fail(`no world ${index}`);
        const sort = bindSort(catalog, kinds, keys);
        const where = bindPredicate(prepare(kinds, text ?? 'true'), []);
        const resolve = (id: string) => assets.find(({ _id }) => _id === id);
        const expected = assets
          .filter((asset) => kinds.includes(asset._type))
          .filter((asset) => evaluatePredicate({ predicate: where, asset, resolve }))
          .toSorted(compareBySort(sort))
          .slice(offset, offset + limit);
        const page = await reads.find({ types: kinds, where, sort, offset, limit, withCount: false });
        expect({ ...page, items: page.items.map(({ asset }) => asset) }).toEqual({ items: expected });
        if (expected.length > 2) long++;
      }),
      { numRuns: allWorlds * ordersInEach },
    );
    // Pages of one or two assets would prove little.
    expect(long).toBeGreaterThan((allWorlds * ordersInEach) / 6);
  });

  it(`give all assets in order by cursor, ${allWorlds * walksInEach} times`, async () => {
    let long = 0;
    const one: readonly string[] = ['library.Book'];
    const query = fc.constantFrom(one, ['library.Company', 'library.Person']).chain((kinds) =>
      fc.record({
        kinds: fc.constant(kinds),
        keys: arbitrarySort({ catalog, classes: kinds }),
        text: fc.option(arbitraryPredicateText({ catalog, classes: kinds, ids }), { nil: undefined }),
        limit: fc.constantFrom(1, 3, 7),
      }),
    );
    await fc.assert(
      fc.asyncProperty(world, query, async (index, { kinds, keys, text, limit }) => {
        const { reads, assets } = opened[index] ?? expect.fail(`no world ${index}`);
        const sort = bindSort(catalog, kinds, keys);
        const where = bindPredicate(prepare(kinds, text ?? 'true'), []);
        const resolve = (id: string) => assets.find(({ _id }) => _id === id);
        const expected = assets
          .filter((asset) => kinds.includes(asset._type))
          .filter((asset) => evaluatePredicate({ predicate: where, asset, resolve }))
          .toSorted(compareBySort(sort));
        const found: Asset[] = [];
        let after: SortPosition | undefined;
        for (;;) {
          const request = { types: kinds, where, sort, offset: 0, limit, withCount: after === undefined };
          const page = await reads.find({ ...request, keyset: after ? { after } : {} });
          expect(page.count).toBe(after ? undefined : expected.length);
          found.push(...page.items.map(({ asset }) => asset));
          after = page.next;
          if (!after) break;
          expect(after).toEqual(positionOf(expected[found.length - 1] ?? expect.fail('too many'), sort));
          expect(page.items).toHaveLength(limit);
        }
        expect(found).toEqual(expected);
        if (expected.length > limit) long++;
      }),
      { numRuns: allWorlds * walksInEach },
    );
    expect(long).toBeGreaterThan((allWorlds * walksInEach) / 6);
  });

  it(`count the same values as the reference, ${allWorlds * facetsInEach} times`, async () => {
    let several = 0;
    const query = fc.constantFrom(classes, ['library.Company', 'library.Person']).chain((kinds) =>
      fc.record({
        kinds: fc.constant(kinds),
        wanted: fc.uniqueArray(fc.constantFrom(...countablePaths(kinds)), { minLength: 1, maxLength: 3 }),
        text: fc.option(arbitraryPredicateText({ catalog, classes: kinds, ids }), { nil: undefined }),
        limit: fc.constantFrom(2, 100),
      }),
    );
    await fc.assert(
      fc.asyncProperty(world, query, async (index, { kinds, wanted, text, limit }) => {
        const { reads, assets } = opened[index] ?? expect.fail(`no world ${index}`);
        const where = text === undefined ? undefined : bindPredicate(prepare(kinds, text), []);
        const resolve = (id: string) => assets.find(({ _id }) => _id === id);
        const matching = assets.filter(
          (asset) =>
            kinds.includes(asset._type) &&
            (!where || evaluatePredicate({ predicate: where, asset, resolve })),
        );
        const expected = wanted.map((path) => {
          const counts = new Map<BoundValue, number>();
          for (const asset of matching) {
            for (const value of new Set(findValues(asset, path)))
              counts.set(value, (counts.get(value) ?? 0) + 1);
          }
          return [...counts]
            .map(([value, count]) => ({ value, count }))
            .toSorted((a, b) => b.count - a.count || compareValues(a.value, b.value))
            .slice(0, limit);
        });
        const request = { types: kinds, paths: wanted, limit, ...(where && { where }) };
        expect(await reads.facets(request)).toEqual(expected);
        if (expected.some(({ length }) => length > 1)) several++;
      }),
      { numRuns: allWorlds * facetsInEach },
    );
    expect(several).toBeGreaterThan((allWorlds * facetsInEach) / 5);
  });
});

/** Lists the fields with an index in each of these types. */
function countablePaths(kinds: readonly string[]): readonly FieldPath[] {
  const indexed = kinds.map((name) => {
    const fields = catalog.types.get(name)?.fields ?? new Map();
    return new Set(indexedPaths(fields).map(({ path }) => path.text));
  });
  const [first, ...others] = indexed;
  const names = [...(first ?? [])].filter((name) => others.every((each) => each.has(name)));
  return names.flatMap((name) => bindFacets(catalog, kinds, [name]));
}
