/**
 * Pages by cursor through many assets of which many have equal values: the pages together are the list, each asset once. Pages end
 * early, and in some walks others write between them; then the assets that stay unchanged come once and in their place. In others,
 * drafts make the assets of other content.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isDomainError } from '../../src/base/errors.ts';
import { silentLogger } from '../../src/base/runtime.ts';
import type { Draft } from '../../src/content/drafts/draft.ts';
import type { Asset } from '../../src/model/content-type.ts';
import type { BoundPredicate } from '../../src/query/ast.ts';
import { allOf } from '../../src/query/build-comparison.ts';
import { evaluatePredicate } from '../../src/query/evaluate.ts';
import type { SortPosition } from '../../src/query/keyset.ts';
import { bindPredicate, createPredicateCompiler } from '../../src/query/prepare.ts';
import { bindSort, compareBySort, idPath, parseSortKey } from '../../src/query/sort.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { ContentStore, FindRequest, FoundPage } from '../../src/store/port.ts';
import { arbitraryDrafts, withDrafts } from '../support/drafts.ts';
import { roundsOf } from '../support/rounds.ts';
import { describeOnEachStore, type StoreLocation } from '../support/stores.ts';
import { catalogOf } from '../support/types.ts';

const fields = `slug: String @indexed status: Status @indexed name: String @indexed rank: Int @indexed
  live: Boolean @indexed ratio: Float note: String text: RichText @searchable tags: [String!] @indexed
  next: Part place: Place`;
const catalog = catalogOf(`
enum Status { LIVE DRAFT }
interface Part @contentType(class: "paged.Part") { ${fields} }
type Page implements Part @contentType(class: "paged.Page") { ${fields} }
type Gap implements Part @contentType(class: "paged.Gap") { ${fields} }
type Item implements Part @contentType(class: "paged.Item") { ${fields} }
type Place { city: String @indexed }
`);
const { prepare } = createPredicateCompiler(catalog);
const [page, gap, item] = ['paged.Page', 'paged.Gap', 'paged.Item'];
const classes = [page, gap, item];
const idOf = (n: number) => `00000000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;

/** Names that are none: absent, and of other types than the field's, as a change of the type can leave them. */
const oddNames: ReadonlyMap<number, unknown> = new Map<number, unknown>([
  [0, null],
  [1, 5],
]);

/** Makes the `n`th asset. Each field takes its values in another rhythm, and lacks one now and then. */
function assetOf(n: number, shift = 0): Asset {
  const turn = n * 7919 + shift;
  const choose = <Value>(values: readonly Value[], by: number) =>
    values[Math.floor(turn / by) % values.length];
  const members = {
    slug: choose(['a', 'b', undefined, 'c', 'ä', 7, '\u{1f600}'], 5),
    status: choose(['LIVE', 'DRAFT', 'DRAFT', undefined], 3),
    name: choose(
      Array.from({ length: 41 }, (_, k) => oddNames.get(k) ?? `name ${k}`),
      1,
    ),
    rank: choose([1, 2, undefined, -1, '3', 1_000_000], 11),
    live: choose([true, false, undefined, 'true'], 2),
    ratio: choose([0.5, undefined, -2.25, 3], 13),
    note: choose(['Red word', 'red', 'green word', undefined], 4),
    text: choose(['<p>red sky</p>', undefined, 'green field'], 6),
    tags: choose([['x'], ['y', 'z'], undefined, ['x', 'z']], 8),
    next: choose([{ _ref: idOf(n >> 1), _type: classes[(n >> 1) % classes.length] ?? page }, undefined], 9),
    place: choose([{ city: 'Oslo' }, {}, undefined, { city: 'Bergen' }], 10),
  };
  const present = Object.entries(members).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  return { _id: idOf(n), _type: classes[n % classes.length] ?? page, ...Object.fromEntries(present) };
}

const indexed = ['_type', 'slug', 'status', 'name', 'rank', 'live', 'place.city'];
const sortable = [...indexed, 'ratio', 'note', 'next', '_id'];
/** One to three keys; the first has an index, so that pages can end early. */
const arbitraryKeys = fc
  .uniqueArray(fc.constantFrom(...sortable), { minLength: 1, maxLength: 3 })
  .filter(([first = '']) => indexed.includes(first))
  .chain((names) => fc.tuple(...names.map((name) => fc.constantFrom(name, `-${name}`))));
/** Orders in which all keys have one direction, as an index has it, come as often as all others. */
const arbitrarySort = arbitraryKeys.chain((keys) => {
  const names = keys.map((key) => key.replace('-', ''));
  return fc.constantFrom(
    keys,
    names,
    names.map((name) => `-${name}`),
  );
});

const predicates = [
  'true',
  'note matches "word"',
  'note startsWith[c] "RED"',
  'text matches "red"',
  'status = LIVE or live = true',
  'not (rank > 1) and slug >= "b"',
  'next/name >= "name 3"',
  'next/status = DRAFT or next = null',
  'tags = ["x", "y"]',
  'tags != "x" and place.city startsWith "O"',
  '_type = "paged.Gap" or rank = null',
  'name = null or name contains "2"',
  'slug != null',
];

/** Holds for each asset, and has so many comparisons that the search runs in windows from its start. */
const long: BoundPredicate = allOf(
  Array.from({ length: 40 }, (_, n) => ({
    kind: 'not',
    term: { kind: 'equals', path: idPath, values: [idOf(1_000_000 + n)], ignoreCase: false },
  })),
);

interface Walk {
  readonly types: readonly string[];
  readonly keys: readonly string[];
  readonly text: string;
  readonly isLong: boolean;
  readonly isHasty: boolean;
  readonly isDrafted: boolean;
  readonly limit: number;
}
const arbitraryWalk: fc.Arbitrary<Walk> = fc.record({
  types: fc.constantFrom([page], [page], [gap, item], classes),
  keys: arbitrarySort,
  text: fc.oneof(fc.constant('true'), fc.constantFrom(...predicates)),
  isLong: fc.boolean(),
  isHasty: fc.boolean(),
  isDrafted: fc.boolean(),
  limit: fc.constantFrom(5, 10, 50, 100, 1000),
});
const arbitraryWrite = fc.record({
  at: fc.nat(),
  kind: fc.constantFrom('delete', 'change', 'change', 'restore'),
});

/** How many assets there are, and how many walks; the test server of MongoDB is slow. */
const extents = {
  sqlite: { size: roundsOf({ usual: 400, long: 5_000 }), walks: roundsOf({ usual: 20, long: 100 }) },
  mongodb: { size: roundsOf({ usual: 60, long: 200 }), walks: roundsOf({ usual: 8, long: 20 }) },
};

describeOnEachStore('pages by cursor', (locations) => {
  const present = new Map<string, Asset>();
  let all: readonly Asset[] = [];
  let [size, walks] = [0, 0];
  /** A store that finds whole pages, and one that ends each page after the first window that did not fill it. */
  interface Stores {
    readonly patient: ContentStore;
    readonly hasty: ContentStore;
    close(): Promise<void>;
  }
  let live: Stores;
  /** Has other content, which drafts turn into the same. */
  let drafted: Stores;

  async function open(
    location: StoreLocation,
    assets: readonly Asset[],
    drafts: readonly Draft[],
  ): Promise<Stores> {
    const options = { ...location.config, catalog, logger: silentLogger };
    const patient = await openStore({ ...options, queryMs: 60_000 });
    await patient.prepare();
    for (let from = 0; from < assets.length; from += 1000)
      await patient.write(
        assets.slice(from, from + 1000).map((asset) => ({ kind: 'insert', asset, version: 'v' })),
      );
    const hasty = await openStore({ ...options, queryMs: 0 });
    return {
      patient: withDrafts(patient, drafts),
      hasty: withDrafts(hasty, drafts),
      async close() {
        await hasty.close();
        await patient.close();
        await location.remove();
      },
    };
  }

  beforeAll(async () => {
    const location = locations();
    ({ size, walks } = location.config.mongodbUrl === undefined ? extents.sqlite : extents.mongodb);
    all = Array.from({ length: size }, (_, n) => assetOf(n));
    for (const asset of all) present.set(asset._id, asset);
    live = await open(location, all, []);
    const others = Array.from({ length: size + 50 }, (_, n) => assetOf(n, 17));
    const [content] = fc.sample(arbitraryDrafts(all, others), 1);
    drafted = await open(locations(), content?.live ?? [], content?.drafts ?? []);
  });
  afterAll(async () => {
    await live.close();
    await drafted.close();
  });

  const whereOf = ({ types, text, isLong }: Walk) => {
    const where = bindPredicate(prepare(types, text), []);
    return isLong ? allOf([where, long]) : where;
  };
  const sortOf = ({ types, keys }: Walk) => bindSort(catalog, types, keys.map(parseSortKey));
  function listOf(walk: Walk): Asset[] {
    const predicate = whereOf(walk);
    const resolve = (id: string) => present.get(id);
    return [...present.values()]
      .filter((asset) => walk.types.includes(asset._type) && evaluatePredicate({ predicate, asset, resolve }))
      .toSorted(compareBySort(sortOf(walk)));
  }

  /** Reads a page. A busy machine may not finish even one window; the same page is read again then. */
  async function readPage(walk: Walk, request: FindRequest): Promise<FoundPage> {
    const { patient, hasty } = walk.isDrafted ? drafted : live;
    if (!walk.isHasty) return patient.find(request);
    try {
      return await hasty.find(request);
    } catch (error) {
      if (!isDomainError(error, 'query_too_costly')) throw error;
      return patient.find(request);
    }
  }

  async function readPages(walk: Walk, between: (n: number) => Promise<void>): Promise<Asset[]> {
    const found: Asset[] = [];
    const [where, sort] = [whereOf(walk), sortOf(walk)];
    const { types, limit } = walk;
    for (let after: SortPosition | undefined, pages = 0; ; pages++) {
      const request = {
        types,
        where,
        sort,
        offset: 0,
        limit,
        withCount: false,
        keyset: after ? { after } : {},
      };
      const { items, next } = await readPage(walk, request);
      expect(items.length).toBeLessThanOrEqual(limit);
      found.push(...items.map(({ asset }) => asset));
      if (!next) return found;
      // Every page that is not full has looked at one entry at least.
      expect(pages).toBeLessThan(4 * size + 100);
      after = next;
      await between(pages);
    }
  }

  const ids = (assets: readonly Asset[]) => assets.map(({ _id }) => _id);

  it.each<Pick<Walk, 'keys' | 'text'> & Partial<Walk>>([
    { keys: ['status', 'name'], text: 'true' },
    { keys: ['status', 'name'], text: 'note matches "word"' },
    { keys: ['-status', '-name'], text: 'note startsWith[c] "RED"' },
    { keys: ['slug', '_type'], text: 'true', types: [gap, item] },
    { keys: ['_type'], text: 'note matches "word"', types: classes },
    { keys: ['status', '_type', 'name'], text: 'true', types: classes },
  ])('are the list by $keys where $text', async (given) => {
    for (const isLong of [false, true]) {
      for (const isHasty of [false, true]) {
        const walk: Walk = { types: [page], limit: 20, isLong, isHasty, isDrafted: false, ...given };
        expect(ids(await readPages(walk, async () => {}))).toEqual(ids(listOf(walk)));
      }
    }
  });

  it('are the list, for generated walks', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryWalk, async (walk) => {
        expect(ids(await readPages(walk, async () => {}))).toEqual(ids(listOf(walk)));
      }),
      { numRuns: walks },
    );
  });

  async function put(asset: Asset): Promise<void> {
    if (present.has(asset._id)) await live.patient.delete({ id: asset._id, type: asset._type });
    await live.patient.insert({ asset, version: 'v' });
    present.set(asset._id, asset);
  }

  it('have what stays unchanged once and in order while others write, for generated walks', async () => {
    const liveWalk = arbitraryWalk.map((walk) => ({ ...walk, isDrafted: false }));
    const walksAmidWrites = fc.tuple(liveWalk, fc.array(arbitraryWrite, { maxLength: 12 }));
    await fc.assert(
      fc.asyncProperty(walksAmidWrites, async ([walk, writes]) => {
        const touched = new Set<string>();
        const before = listOf(walk);
        const sometimes = new Set(ids(before));
        let always = before;
        const found = await readPages(walk, async (n) => {
          const write = writes[n];
          if (!write) return;
          const at = write.at % size;
          const asset = all[at] ?? expect.fail(`no asset ${at}`);
          touched.add(asset._id);
          if (write.kind === 'restore') await put(asset);
          else if (write.kind === 'change') await put({ ...assetOf(at, 17 * (n + 1)), _type: asset._type });
          else if (present.delete(asset._id)) await live.patient.delete({ id: asset._id, type: asset._type });
          const now = listOf(walk);
          const still = new Set(now);
          always = always.filter((each) => still.has(each));
          for (const id of ids(now)) sometimes.add(id);
        });
        const unchanged = new Set(ids(always));
        expect(ids(found).filter((id) => unchanged.has(id))).toEqual(ids(always));
        expect(ids(found).filter((id) => !sometimes.has(id))).toEqual([]);
        for (const id of touched) {
          const asset = all.find(({ _id }) => _id === id) ?? expect.fail(`no asset ${id}`);
          if (present.get(id) !== asset) await put(asset);
        }
      }),
      { numRuns: walks },
    );
  });
});
