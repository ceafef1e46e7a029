/** A backup moves everything from one kind of store to the other and back: assets of all types, their history, system records. */
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemPrefix } from '../../../src/access/system-types.ts';
import { randomIds } from '../../../src/base/runtime.ts';
import type { Asset } from '../../../src/model/content-type.ts';
import type { ContentStore } from '../../../src/store/port.ts';
import { arbitraryAssets } from '../../support/assets.ts';
import { indexedLibraryCatalog } from '../../support/catalog.ts';
import { mongodbUrl } from '../../support/mongo-url.ts';
import {
  mongoLocation,
  type StoreLocation,
  type StoreLocations,
  sqliteLocation,
} from '../../support/stores.ts';
import { catalogOf } from '../../support/types.ts';
import { createFolder, load, openFor, readFile, readStore, save } from './copies.ts';

const count = 200;
const serverUrl = mongodbUrl();
const onMongo: StoreLocations = () => mongoLocation(serverUrl);
const library = indexedLibraryCatalog();
const origin = {
  by: { kind: 'client', id: 'c1', name: 'Ada' },
  run: 'run-1',
  requestId: 'r1',
  atMs: 1_700_000_000_000,
} as const;

let folder: ReturnType<typeof createFolder>;
let locations: StoreLocation[];
beforeEach(() => {
  folder = createFolder();
  locations = [];
});
afterEach(async () => {
  for (const location of locations) await location.remove();
});

function locate(create: StoreLocations): StoreLocation {
  const location = create();
  locations.push(location);
  return location;
}

/** Writes assets with awkward values, and gives them histories of every kind. */
async function fill(store: ContentStore): Promise<readonly Asset[]> {
  const ids = Array.from({ length: count }, () => randomIds.assetId());
  const [assets = []] = fc.sample(
    arbitraryAssets({ types: [...library.types.values()].filter(isLibrary), ids }),
    {
      numRuns: 1,
      seed: 7,
    },
  );
  // Values of unique fields are not unique here.
  await store.write(
    assets.map((asset) => ({ kind: 'insert', asset, version: randomIds.version() })),
    { origin },
  );
  const change = (asset: Asset | undefined, name: string) => ({
    kind: 'patch' as const,
    id: asset?._id ?? '',
    type: asset?._type ?? '',
    set: nameOf(asset, name),
    unset: [],
    version: randomIds.version(),
  });
  await store.write(
    assets.slice(0, 60).map((asset, n) => change(asset, `changed ${n}`)),
    { origin },
  );
  // More than the entries between two whole states.
  for (let n = 0; n < 70; n++) await store.write([change(assets[0], `again ${n}`)]);
  const gone = assets.slice(10, 20);
  await store.write(
    gone.map(({ _id: id, _type: type }) => ({ kind: 'delete', id, type })),
    { origin },
  );
  const [again] = gone;
  if (again) await store.insert({ asset: again, version: randomIds.version() }, origin);
  for (const { _id: id } of assets.slice(20, 23))
    await store.changes.erase({ id, change: randomIds.version() });
  const run = {
    _id: randomIds.assetId(),
    _type: `${systemPrefix}Run`,
    name: 'run-1',
    byKind: 'client',
    beganAt: 1,
  };
  const session = { _id: randomIds.assetId(), _type: `${systemPrefix}Session`, tokenHash: 'x', expiresAt: 1 };
  for (const asset of [run, session]) await store.insert({ asset, version: randomIds.version() });
  return assets;
}

const isLibrary = ({ class: name }: { class: string }) => name.startsWith('library.');

const nameOf = (asset: Asset | undefined, name: string) =>
  asset?._type === 'library.Book' ? { title: name } : { name };

const ways =
  serverUrl === ''
    ? [{ name: 'SQLite, SQLite', from: sqliteLocation, to: sqliteLocation }]
    : [
        { name: 'SQLite to MongoDB and back', from: sqliteLocation, to: onMongo },
        { name: 'MongoDB to SQLite and back', from: onMongo, to: sqliteLocation },
      ];

describe.each(ways)('$name', ({ from, to }) => {
  it('keeps every asset and every entry', async () => {
    const [first, second, third] = [locate(from), locate(to), locate(from)];
    const store = await openFor(first, library);
    const assets = await fill(store);
    await store.close();
    const before = await readStore(first);
    expect(before.assets.size).toBe(count - 9 - 3 + 1);

    await save(first, folder.path('one'));
    await load(second, folder.path('one'));
    await save(second, folder.path('two'));
    await load(third, folder.path('two'));

    const after = await readStore(third);
    expect(after.assets).toEqual(before.assets);
    expect(after.entries).toEqual(before.entries);
    expect(readFile(folder.path('two')).assets).toEqual(before.assets);
    expect([...after.assets.values()].filter(({ type }) => type === `${systemPrefix}Session`)).toEqual([]);
    const epochs = [before, await readStore(second), after].map(({ facts }) => facts.epoch);
    expect(new Set(epochs).size).toBe(3);
    await expectUsable(second, { assets, source: first });
  });

  it('keeps assets of types that are no longer served, and members that their type does not have', async () => {
    const [first, second, third] = [locate(from), locate(to), locate(from)];
    const sdl = (more: string) =>
      `type Note @contentType(class: "lost.Note") { title: String ${more} }\ntype Part { a_b: String @json(name: "a.b") n: [Int!] extra: JSON }`;
    const wide = catalogOf(`${sdl('part: Part parts: [Part!] extra: JSON')}
      type Other @contentType(class: "lost.Other") { extra: JSON part: Part text: RichText when_at: Int @json(name: "when.at") }`);
    const store = await openFor(first, wide);
    const part = { 'a.b': 'x', n: [1, 2], extra: { $where: 1, 'a.b': [{ $x: null }] } };
    const values = { part, extra: { 'x.y': { $z: [1] }, _colophon: ['x'], x: { _colophon: 'y' } } };
    const kept = [
      { _id: randomIds.assetId(), _type: 'lost.Note', title: 'A', ...values, parts: [part, { n: [] }] },
      { _id: randomIds.assetId(), _type: 'lost.Other', 'when.at': 5, text: '<p>x</p>', ...values },
    ];
    for (const asset of kept) await store.insert({ asset, version: randomIds.version() });
    await store.close();
    const served = await openFor(first, catalogOf(sdl('')));
    await served.serve({
      sources: [{ file: 'types.graphql', text: sdl('') }],
      folder: '/types',
      areShipped: false,
    });
    await served.close();
    await save(first, folder.path('one'));
    await load(second, folder.path('one'));
    await save(second, folder.path('two'));
    await load(third, folder.path('two'));
    const [before, after] = [await readStore(first), await readStore(third)];
    expect(after.assets).toEqual(before.assets);
    expect(after.facts.served).toEqual(before.facts.served);
  });
});

/** The restored store goes on where the other one was: reads, searches, past states, and writes. */
async function expectUsable(
  location: StoreLocation,
  { assets, source }: { assets: readonly Asset[]; source: StoreLocation },
): Promise<void> {
  const [store, former] = [await openFor(location, library), await openFor(source, library)];
  try {
    const [often, gone] = [assets[0]?._id ?? '', assets[11]?._id ?? ''];
    for (const number of [0, 1, 2, 63, 64, 65, 71]) {
      expect(await store.changes.stateOf(often, { number })).toEqual(
        await former.changes.stateOf(often, { number }),
      );
    }
    expect(await store.changes.stateOf(gone, { number: 1 })).toMatchObject({ kind: 'exists' });
    const types = [...library.types.values()].filter(isLibrary).map(({ class: name }) => name);
    const page = { types, offset: 0, limit: 1000, withCount: true };
    expect((await store.find(page)).count).toBe((await former.find(page)).count);
    const { last } = await store.changes.position();
    const asset = assets[12];
    if (asset) await store.insert({ asset, version: randomIds.version() });
    const { entries } = await store.changes.history({ asset: asset?._id ?? '', limit: 10 });
    expect(entries[0]).toMatchObject({ action: 'create', number: 4 });
    await expect.poll(async () => (await store.changes.position()).last).toBe(last + 1);
  } finally {
    await store.close();
    await former.close();
  }
}
