/** Tracking of unfit content while other processes write and types are counted. */
import { setTimeout } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Logger, silentLogger } from '../../../../src/base/runtime.ts';
import { createUnfitContent, type UnfitContent } from '../../../../src/content/unfit/unfit-content.ts';
import type { Asset } from '../../../../src/model/content-type.ts';
import { createAssetValidators } from '../../../../src/model/values/validate-asset.ts';
import { openStore } from '../../../../src/store/open-store.ts';
import type { ContentStore } from '../../../../src/store/port.ts';
import { arbitraryAssets } from '../../../support/assets.ts';
import { libraryCatalog } from '../../../support/catalog.ts';
import { contentOver, openStoreAt } from '../../../support/content.ts';
import { describeOnEachStore, type StoreLocation, sqliteLocation } from '../../../support/stores.ts';

const catalog = libraryCatalog();
const [book, person] = ['library.Book', 'library.Person'];
const idOf = (n: number) => `0190a0c0-0000-7000-8000-${String(n).padStart(12, '0')}`;
const personOf = (n: number): Asset => ({ _id: idOf(n), _type: person, name: `Person ${n}` });
const timing = { leastRestMs: 20, usualRestMs: 100 };

describeOnEachStore('unfit content', (locations) => {
  let location: StoreLocation;
  let store: ContentStore;
  let warnings: object[];
  let unfit: UnfitContent;

  const logger: Logger = { ...silentLogger, warn: (facts) => void warnings.push(facts) };
  const insert = (asset: Asset) => store.insert({ asset, version: asset._id });

  async function until(isSo: () => boolean): Promise<void> {
    for (let waits = 0; !isSo() && waits < 6_000; waits++) await setTimeout(10);
    expect(isSo()).toBe(true);
  }

  beforeEach(async () => {
    location = locations();
    const { dataDir, mongodbUrl } = location.config;
    store = await openStore({ dataDir, catalog, logger, ...(mongodbUrl ? { mongodbUrl } : {}) });
    await store.prepare();
    warnings = [];
    unfit = createUnfitContent({
      catalog,
      validators: createAssetValidators(catalog),
      store,
      logger,
      timing,
    });
  });
  afterEach(async () => {
    await unfit.stop();
    await store.close();
  });

  it('is checked in every type until it is counted, and then only in types with unfit assets', async () => {
    for (let n = 0; n < 150; n++) await insert(personOf(n));
    await insert({ _id: idOf(200), _type: book, pages: 'many', notes: [{ page: 'x' }, { page: 'y' }] });
    const broken: Asset = { _id: idOf(300), _type: person };
    expect(unfit.check(broken)).toEqual([{ path: 'name', message: 'is required' }]);
    unfit.start([]);
    await until(() => !unfit.isChecked(person));
    expect(unfit.isChecked(book)).toBe(true);
    expect(unfit.check(broken)).toEqual([]);
    expect(warnings).toEqual([
      { type: book, path: 'pages', rule: 'must be a number', assets: 1, ids: [idOf(200)] },
      { type: book, path: 'notes[].page', rule: 'must be a number', assets: 1, ids: [idOf(200)] },
    ]);
  });

  it('written by another process is found by the next count, and logged once', async () => {
    await insert(personOf(1));
    unfit.start([]);
    await until(() => !unfit.isChecked(person));
    await insert({ _id: idOf(2), _type: person });
    await until(() => unfit.isChecked(person));
    await store.delete({ id: idOf(2), type: person });
    await until(() => !unfit.isChecked(person));
    await setTimeout(300);
    expect(warnings).toEqual([
      { type: person, path: 'name', rule: 'is required', assets: 1, ids: [idOf(2)] },
    ]);
  });

  it('is checked in every type while a process with other types serves the store', async () => {
    const { dataDir, mongodbUrl } = location.config;
    const typesOf = (text: string) => ({
      sources: [{ file: 'types.graphql', text }],
      folder: 'types',
      areShipped: false,
    });
    await store.serve(typesOf('type Person { name: String! }'));
    await insert(personOf(1));
    unfit.start([]);
    await until(() => !unfit.isChecked(person));
    const other = await openStore({ dataDir, catalog, logger, ...(mongodbUrl ? { mongodbUrl } : {}) });
    await other.serve(typesOf('type Person { name: String }'));
    await until(() => unfit.isChecked(person));
    const asset = { _id: idOf(2), _type: person };
    await other.insert({ asset, version: asset._id });
    expect(unfit.checkAll([asset])).toEqual([{ _id: asset._id, path: 'name', message: 'is required' }]);
    await other.delete({ id: asset._id, type: person });
    // Counts meanwhile find no unfit asset, and do not end this.
    await setTimeout(200);
    expect(unfit.isChecked(person)).toBe(true);
    await other.close();
    await until(() => !unfit.isChecked(person));
  });

  it('found by a read makes all types be checked again immediately', async () => {
    unfit.start([]);
    await until(() => !unfit.isChecked(person));
    unfit.recheck();
    expect([unfit.isChecked(person), unfit.isChecked(book)]).toEqual([true, true]);
    await until(() => !unfit.isChecked(person));
  });

  it('of a removed class is counted', async () => {
    await insert(personOf(1));
    const known = [...catalog.types.keys()].filter((name) => name !== person);
    expect([...(await store.countOthers(known))]).toEqual([[person, 1]]);
    expect([...(await store.countOthers([...known, person]))]).toEqual([]);
  });

  it('is no longer counted after stop', async () => {
    for (let n = 0; n < 100; n++) await insert(personOf(n));
    let calls = 0;
    const slow = new Proxy(store, {
      get: (target, name: keyof ContentStore) => {
        if (name === 'find') calls++;
        return target[name];
      },
    });
    const counting = createUnfitContent({
      catalog,
      validators: createAssetValidators(catalog),
      store: slow,
      logger,
    });
    counting.start([]);
    await until(() => calls > 0);
    await counting.stop();
    const before = calls;
    await setTimeout(100);
    expect(calls).toBe(before);
  });
});

describe('content written with the current types', () => {
  it('is never unfit', async () => {
    const location = sqliteLocation();
    const store = await openStoreAt(location, catalog);
    const content = contentOver(catalog, store, { referencesChecked: false });
    const assets = arbitraryAssets({ types: [...catalog.types.values()], ids: [1, 2, 3, 4].map(idOf) });
    await fc.assert(
      fc.asyncProperty(assets, async (written) => {
        for (const { _id, ...asset } of written) {
          const { asset: created } = await content.create(asset, {});
          const { asset: read } = await content.get(created._id, {});
          expect([content.unfit.check(created), content.unfit.check(read)]).toEqual([[], []]);
        }
      }),
      { numRuns: 40 },
    );
    await store.close();
    await location.remove();
  });
});
