/**
 * Generated selections of fields and of references: every store gives what a plain projection of the same assets gives, also where
 * drafts make these of other content.
 */
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ContentService } from '../../src/content/content-service.ts';
import { watchPage } from '../../src/content/unfit/unfit-content.ts';
import type { Asset, Json } from '../../src/model/content-type.ts';
import type { ContentStore, StoredText } from '../../src/store/port.ts';
import { arbitraryAssets } from '../support/assets.ts';
import { indexedLibraryCatalog } from '../support/catalog.ts';
import { contentOver, openStoreAt } from '../support/content.ts';
import { arbitraryDrafts, withDrafts } from '../support/drafts.ts';
import { createCountingIds, createFakeClock } from '../support/runtime.ts';
import { describeOnEachStore } from '../support/stores.ts';

const catalog = indexedLibraryCatalog();
const ids = Array.from({ length: 30 }, (_, n) => `0191f3a0-5b7e-7c11-9d2e-${String(n).padStart(12, '0')}`);
const names = ['library.Book', 'library.Person', 'library.Book', 'library.Company'];
const types = names.flatMap((name) => catalog.types.get(name) ?? []);
const runs = 120;

/** Fields with the names on the way to them, and references with the ways to each. */
const selectable: Readonly<Record<string, { fields: readonly string[][]; include: readonly string[] }>> = {
  'library.Book': {
    fields: [
      ...[
        'title',
        'subtitles',
        'extra',
        'constructor',
        'writer',
        'contributors',
        'cover',
        'notes',
        '_id',
      ].map((name) => [name]),
      ['shelf.mark.full'],
      ...[
        ['cover', 'colour'],
        ['cover', 'size', 'width'],
        ['cover', 'size', 'inner', 'inner', 'height'],
      ],
      ...[
        ['cover', 'artist'],
        ['notes', 'text'],
        ['notes', 'tags'],
        ['notes', 'by'],
      ],
    ],
    include: [
      'writer',
      'writer/employer/owner',
      'contributors/friends',
      'about',
      'notes.by/friends/friends',
      'cover.artist',
    ],
  },
  'library.Party': {
    fields: [['name'], ['friends'], ['size'], ['owner'], ['born'], ['_type']],
    include: ['friends/friends', 'employer', 'owner', 'owner/owner', 'friends/employer/owner'],
  },
};

const query = fc.constantFrom(...Object.entries(selectable)).chain(([from, { fields, include }]) =>
  fc.record({
    from: fc.constant(from),
    fields: fc.subarray([...fields], { minLength: 1 }),
    include: fc.subarray([...include], { minLength: 1 }),
    offset: fc.nat({ max: 3 }),
    limit: fc.nat({ max: 12 }),
  }),
);

describeOnEachStore('generated selections', (locations) => {
  let store: ContentStore;
  let content: ContentService;
  let assets: readonly Asset[] = [];

  const generate = () => fc.sample(arbitraryAssets({ types, ids }), 1).flat();

  describe.each([{ isDrafted: false }, { isDrafted: true }])('with drafts: $isDrafted', ({ isDrafted }) => {
    beforeAll(async () => {
      assets = generate();
      const untouched = { live: assets, drafts: [] };
      const [{ live, drafts } = untouched] = isDrafted
        ? fc.sample(arbitraryDrafts(assets, generate()), 1)
        : [];
      store = await openStoreAt(locations(), catalog);
      await store.write(live.map((asset) => ({ kind: 'insert', asset, version: 'v' })));
      content = contentOver(catalog, withDrafts(store, drafts), {
        clock: createFakeClock(0),
        ids: createCountingIds(),
      });
    });

    it(`give what a projection gives, ${runs} times`, async () => {
      let included = 0;
      await fc.assert(
        fc.asyncProperty(query, async ({ from, fields, include, ...range }) => {
          const classes = from === 'library.Party' ? ['library.Person', 'library.Company'] : [from];
          const expected = assets
            .filter(({ _type }) => classes.includes(_type))
            .toSorted((a, b) => (a._id < b._id ? -1 : 1))
            .slice(range.offset, range.offset + range.limit);
          const steps = content.resolveIncludes(from, include);
          const selection = content.selectFields(from, { fields: fields.map((path) => path.join('.')) });
          const page = await content.openTexts({ from, ...range, withCount: false }, {});
          const found = await content.include(page, steps, {});
          const { watched } = watchPage(found.page, content.unfit, selection);
          const paths = [...fields, ['_id'], ['_type']];
          expect(await readAll(watched)).toEqual(expected.map((asset) => project(asset, paths)));
          const others = await readAll(found.included);
          expect(others.map(({ _id }) => _id).toSorted()).toEqual(idsBehind(expected, include).toSorted());
          for (const other of others) expect(other).toEqual(assets.find(({ _id }) => _id === other._id));
          included += others.length;
        }),
        { numRuns: runs },
      );
      // Selections that include nothing would prove little.
      expect(included).toBeGreaterThan(runs);
    });
  });

  /** Lists the `_id`s of the existing assets that references lead to, through one asset after the other. */
  function idsBehind(start: readonly Asset[], include: readonly string[]): string[] {
    const reached = new Set<string>();
    for (const path of include) {
      let level = start;
      for (const reference of path.split('/')) {
        const refs = level.flatMap((asset) => valuesAt(asset, reference.split('.')));
        const next = new Set(refs.flatMap((value) => String(Object(value)._ref ?? '')));
        level = assets.filter(({ _id }) => next.has(_id));
        for (const { _id } of level) reached.add(_id);
      }
    }
    return [...reached];
  }
});

async function readAll({
  first,
  rest,
}: {
  first: readonly StoredText[];
  rest?: AsyncIterable<readonly StoredText[]>;
}): Promise<Asset[]> {
  const texts = [...first];
  for await (const chunk of rest ?? []) texts.push(...chunk);
  return texts.map(({ text }) => JSON.parse(text));
}

/** Keeps the members on the given ways. */
function project(value: Json, paths: readonly (readonly string[])[]): Json {
  if (paths.some((path) => path.length === 0)) return value;
  if (Array.isArray(value)) return value.map((item) => project(item, paths));
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.keys(value).filter((name) => paths.some(([head]) => head === name));
  const inside = (name: string) => paths.flatMap(([head, ...rest]) => (head === name ? [rest] : []));
  return Object.fromEntries(kept.map((name) => [name, project(value[name] ?? null, inside(name))]));
}

function valuesAt(value: Json, [name, ...rest]: readonly string[]): Json[] {
  if (Array.isArray(value))
    return value.flatMap((item) => valuesAt(item, name === undefined ? [] : [name, ...rest]));
  if (name === undefined) return [value];
  const isHolder = typeof value === 'object' && value !== null && Object.hasOwn(value, name);
  return isHolder ? valuesAt(value[name] ?? null, rest) : [];
}
