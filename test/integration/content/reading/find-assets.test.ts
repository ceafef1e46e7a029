import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AssetFinder, createAssetFinder } from '../../../../src/content/reading/find-assets.ts';
import type { Asset } from '../../../../src/model/content-type.ts';
import type { ContentStore } from '../../../../src/store/port.ts';
import { restrictCatalog } from '../../../../src/types/restrict-catalog.ts';
import { openStoreAt } from '../../../support/content.ts';
import { sqliteLocation } from '../../../support/stores.ts';
import { catalogOf } from '../../../support/types.ts';

const note = 'type Note @contentType(class: "x.Note") { text: String rank: Int }';
const catalog = catalogOf(note);
const everything = catalogOf(`${note} type Secret @contentType(class: "x.Secret") { text: String }`);

const idOf = (n: number) => `00000000-0000-7000-8000-00000000abc${n}`;
const siteId = '00000000-0000-7000-8000-00000000feed';
const owner = { 'cms.site.owner': { _ref: siteId, _type: 'com.colophon.cms.db.Site' } };

const owned: Asset = { _id: idOf(1), _type: 'x.Note', text: 'b', ...owner };
const free: Asset = { _id: idOf(2), _type: 'x.Note', text: 'a', rank: 1 };
const other: Asset = { _id: idOf(3), _type: 'x.Note', text: 'b', rank: 2 };
const secret: Asset = { _id: idOf(4), _type: 'x.Secret', text: 'c', ...owner };
const ids = [idOf(1), idOf(2), idOf(3), idOf(4), idOf(5)];

const location = sqliteLocation();
let store: ContentStore;
let calls: string[] = [];

beforeAll(async () => {
  const opened = await openStoreAt(location, everything);
  for (const asset of [owned, free, other, secret]) await opened.insert({ asset, version: 'v' });
  store = {
    ...opened,
    getMany(wanted) {
      calls.push(wanted.join(' '));
      return opened.getMany(wanted);
    },
  };
});
afterAll(() => store.close());

const finder = () => createAssetFinder({ catalog, store });

describe('getMany', () => {
  const getMany = async (...args: Parameters<AssetFinder['getMany']>) => {
    const all = new Map<string, Asset>();
    for await (const assets of finder().getMany(...args))
      for (const asset of assets) all.set(asset._id, asset);
    return all;
  };

  test('returns the existing assets of the types of the catalog, by ID', async () => {
    const found = await getMany(ids, {});
    expect(found).toEqual(
      new Map([
        [owned._id, owned],
        [free._id, free],
        [other._id, other],
      ]),
    );
  });

  test('returns only assets of the sites of the caller', async () => {
    expect(await getMany(ids, { sites: [siteId] })).toEqual(new Map([[owned._id, owned]]));
    expect(await getMany(ids, { sites: [] })).toEqual(new Map());
  });

  test('accepts identifiers in upper case, with one store call', async () => {
    calls = [];
    const found = await getMany([idOf(2).toUpperCase(), idOf(3)], {});
    expect([...found.keys()].sort()).toEqual([idOf(2), idOf(3)]);
    expect(calls).toEqual([`${idOf(2)} ${idOf(3)}`]);
  });

  test('returns nothing for no identifiers', async () => {
    expect(await getMany([], {})).toEqual(new Map());
  });
});

describe('find', () => {
  const page = { from: 'x.Note', offset: 0, limit: 10, withCount: false };
  const by = (...keys: string[]) =>
    keys.map((key) => ({ field: key.replace('-', ''), descending: key.startsWith('-') }));

  test('returns pages in the requested order, by identifier by default', async () => {
    const find = async (...args: Parameters<AssetFinder['find']>) =>
      (await finder().find(...args)).items.map(({ asset }) => asset);
    expect(await find(page, {})).toEqual([owned, free, other]);
    expect(await find({ ...page, sort: [] }, {})).toEqual([owned, free, other]);
    expect(await find({ ...page, sort: by('-text') }, {})).toEqual([other, owned, free]);
    expect(await find({ ...page, sort: by('-text', 'rank') }, {})).toEqual([owned, other, free]);
    expect(await find({ ...page, sort: by('-rank'), where: 'text = b', limit: 1 }, {})).toEqual([other]);
    expect(await find({ ...page, sort: by('-rank') }, { sites: [siteId] })).toEqual([owned]);
  });

  test('refuses an invalid order', async () => {
    const sorted = async (field: string) => finder().find({ ...page, sort: by(field) }, {});
    await expect(sorted('number')).rejects.toMatchObject({ code: 'invalid_parameter' });
    await expect(sorted('cms.site.owner/name')).rejects.toMatchObject({ code: 'invalid_parameter' });
  });
});

describe('find', () => {
  test('restricts a caller to its sites even if the catalog hides the type Site', async () => {
    const hidden = restrictCatalog(catalog, ['x.Note']);
    expect(hidden.types.has('com.colophon.cms.db.Site')).toBe(false);
    const { find } = createAssetFinder({ catalog: hidden, store });
    const query = { from: 'x.Note', offset: 0, limit: 10, withCount: true };
    expect(await find(query, { sites: [siteId] })).toEqual({
      count: 1,
      items: [{ asset: owned, version: 'v' }],
    });
  });
});
