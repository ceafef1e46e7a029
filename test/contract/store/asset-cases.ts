/** Cases for single assets: a store returns each asset exactly as it was written. */
import { describe, expect, test } from 'vitest';
import type { Asset, Json } from '../../../src/model/content-type.ts';
import type { FoundAssets, StoredAsset } from '../../../src/store/port.ts';
import { type CreateHarness, codeOf, useStore } from './harness.ts';
import { assetOf, idOf, suiteCatalog } from './suite-content.ts';

const veryDeep = (depth: number): Json => (depth === 0 ? 'bottom' : { a: [veryDeep(depth - 1)] });

/** Values that databases tend to change. They are compared as JSON text, which also shows member order and own members. */
const fragileValues: Record<string, string> = {
  'names with a meaning in databases': '{"$where":"1","a.b":1,"":2,"$":{"$set":{"x":1}},"_id":5,"_type":"x"}',
  'names with a meaning in JavaScript':
    '{"__proto__":{"x":1},"constructor":2,"toString":null,"hasOwnProperty":[]}',
  'the order of names': '{"z":1,"a":2,"m":{"y":1,"b":2}}',
  'empty lists and objects': '{"list":[],"object":{},"lists":[[],[[]]]}',
  nulls: '[null,{"a":null}]',
  'the limits of integers':
    '[0,1,-1,2147483647,2147483648,-2147483649,9007199254740991,-9007199254740991,9223372036854775807,1e21]',
  'the limits of floating-point numbers':
    '[0.1,0.30000000000000004,5e-324,1.7976931348623157e+308,1e-7,123456789.12345679]',
  'texts that look like other kinds of values':
    '["null","true","1","{}","[1]","2024-01-01T00:00:00.000Z","$name"]',
  'characters of many scripts, emoji and control characters':
    '["é","é","日本語","😀👩‍👩‍👧","\u202e","\ufffd","\u{10ffff}","a\\tb\\nc\\r\\u0001","\'\\"`\\\\"]',
  'deep nesting': JSON.stringify(veryDeep(60)),
};

/** Cases of `insert`, `get`, `getMany`, `patch` and `delete`. */
export function describeAssets(createHarness: CreateHarness): void {
  const store = useStore(createHarness, { catalog: suiteCatalog('indexed') });
  let last = 0;
  const newAsset = (fields: Record<string, Json> = {}) => assetOf('Item', ++last, fields);
  const insert = async (asset: Asset, version = 'first') => {
    await store().insert({ asset, version });
    return asset;
  };

  const getAll = async (ids: readonly string[]) => {
    const all = new Map<string, StoredAsset>();
    for (let left: readonly string[] | undefined = ids; left; ) {
      const { found, rest }: FoundAssets = await store().getMany(left);
      for (const [id, stored] of found) all.set(id, stored);
      left = rest;
    }
    return all;
  };

  test('get returns the inserted asset and its version', async () => {
    const asset = await insert(newAsset({ name: 'one' }), 'v-1');
    expect(await store().get(asset._id)).toEqual({ asset, version: 'v-1' });
  });

  test('get returns undefined for an unknown id', async () => {
    expect(await store().get(idOf(0xdead))).toBeUndefined();
    expect(await store().get("' OR 1=1 --")).toBeUndefined();
    expect(await store().get('')).toBeUndefined();
  });

  test('getMany returns the existing assets, keyed by id', async () => {
    const [a, b] = [await insert(newAsset({ name: 'a' })), await insert(newAsset({ name: 'b' }))];
    const { found } = await store().getMany([b._id, idOf(0xdead), a._id, b._id]);
    expect(new Map(found)).toEqual(new Map([a, b].map((asset) => [asset._id, { asset, version: 'first' }])));
    expect((await store().getMany([])).found.size).toBe(0);
  });

  test('getMany accepts more ids than a page may hold', async () => {
    const some: Asset[] = [];
    for (let n = 0; n < 20; n++) some.push(await insert(newAsset({ count: n })));
    const strangers = Array.from({ length: 40_000 }, (_, n) => idOf(0x100000 + n));
    const found = await getAll([...strangers, ...some.map(({ _id }) => _id)]);
    expect(found.size).toBe(20);
    expect(some.map(({ _id }) => found.get(_id)?.asset)).toEqual(some);
    expect(await store().getTypes([...strangers, ...some.map(({ _id }) => _id)])).toEqual(
      new Map(some.map(({ _id, _type }) => [_id, _type])),
    );
  });

  test('getVersions returns the versions of the existing assets, keyed by id', async () => {
    const item = await insert(newAsset());
    const person = await insert(assetOf('Person', ++last));
    const { _id: id, _type: type } = item;
    await store().patch({ id, type, set: { name: 'x' }, unset: [], version: 'second' });
    expect(await store().getVersions([person._id, idOf(0xdead), id, person._id])).toEqual(
      new Map([
        [id, 'second'],
        [person._id, 'first'],
      ]),
    );
    expect((await store().getVersions([])).size).toBe(0);
  });

  test('getTypes returns the class names of the existing assets, keyed by id', async () => {
    const item = await insert(newAsset());
    const person = await insert(assetOf('Person', ++last));
    expect(await store().getTypes([person._id, idOf(0xdead), item._id, person._id])).toEqual(
      new Map([item, person].map(({ _id, _type }) => [_id, _type])),
    );
    expect((await store().getTypes([])).size).toBe(0);
  });

  test('members keep the order in which they were written', async () => {
    const fields = { name: 'x', 'dotted.name.long': 'y', count: 1, 'cms.content.publishDate': 5 };
    const late = {
      'cms.site.owner': { _type: 'com.colophon.cms.db.Site', _ref: idOf(1) },
      _id: idOf(++last),
    };
    const asset = { ...fields, _type: 'suite.Item', place: { spot: { height: 1 }, city: 'z' }, ...late };
    await insert(asset);
    const stored = await store().get(asset._id);
    expect(JSON.stringify(stored?.asset)).toBe(JSON.stringify(asset));
  });

  describe('stores and returns unchanged', () => {
    for (const [name, json] of Object.entries(fragileValues)) {
      test(name, async () => {
        const asset = await insert(newAsset({ extra: JSON.parse(json) }));
        const expected = JSON.stringify(asset);
        expect(JSON.stringify((await store().get(asset._id))?.asset)).toBe(expected);
        expect(JSON.stringify((await store().getMany([asset._id])).found.get(asset._id)?.asset)).toBe(
          expected,
        );
        const patched = await store().patch(patchOf(asset._id, { set: { name: 'x' } }));
        expect(JSON.stringify(patched?.asset.extra)).toBe(JSON.stringify(asset.extra));
        expect(JSON.stringify((await store().get(asset._id))?.asset.extra)).toBe(JSON.stringify(asset.extra));
      });
    }

    test('a text of 2 million characters', async () => {
      const body = 'ab😀d'.repeat(400_000);
      const asset = await insert(newAsset({ body }));
      expect((await store().get(asset._id))?.asset.body === body).toBe(true);
    });
  });

  test('insert rejects an id in use, whatever the type, and changes nothing', async () => {
    const asset = await insert(newAsset({ name: 'mine' }), 'v-1');
    const rival = { _id: asset._id, _type: 'suite.Person', name: 'theirs' };
    expect(await codeOf(store().insert({ asset: rival, version: 'v-2' }))).toBe('id_in_use');
    expect(await codeOf(store().insert({ asset, version: 'v-3' }))).toBe('id_in_use');
    expect(await store().get(asset._id)).toEqual({ asset, version: 'v-1' });
  });

  describe('patch', () => {
    test('changes, adds and removes members, and keeps the others', async () => {
      const { _id } = await insert(newAsset({ name: 'old', count: 1, ratio: 2, tags: ['a'] }));
      const patched = await store().patch(
        patchOf(_id, {
          set: { count: 9, tags: [], place: { city: 'x' } },
          unset: ['name', 'mood'],
          version: 'v-2',
        }),
      );
      const asset = { _id, _type: 'suite.Item', count: 9, ratio: 2, tags: [], place: { city: 'x' } };
      expect(patched).toEqual({ asset, version: 'v-2' });
      expect(await store().get(_id)).toEqual({ asset, version: 'v-2' });
    });

    test('keeps the order of members and appends new ones', async () => {
      const { _id } = await insert(newAsset({ name: 'x', count: 1, ratio: 2 }));
      await store().patch(patchOf(_id, { set: { active: true, count: 5, 'dotted.name.long': 'z' } }));
      const names = Object.keys((await store().get(_id))?.asset ?? {});
      expect(names).toEqual(['_id', '_type', 'name', 'count', 'ratio', 'active', 'dotted.name.long']);
    });

    test('replaces whole values, without merging embedded objects', async () => {
      const { _id } = await insert(newAsset({ place: { city: 'x', spot: { height: 1 } } }));
      await store().patch(patchOf(_id, { set: { place: { spot: {} } } }));
      expect((await store().get(_id))?.asset.place).toEqual({ spot: {} });
    });

    test('changes only the named member when the name contains dots', async () => {
      const { _id } = await insert(newAsset({ 'cms.content.publishDate': 1, 'cms.content.updateDate': 2 }));
      await store().patch(patchOf(_id, { set: { 'cms.content.updateDate': 3 } }));
      expect((await store().get(_id))?.asset).toEqual({
        _id,
        _type: 'suite.Item',
        'cms.content.publishDate': 1,
        'cms.content.updateDate': 3,
      });
      await store().patch(patchOf(_id, { unset: ['cms.content.publishDate'] }));
      expect((await store().get(_id))?.asset).toEqual({
        _id,
        _type: 'suite.Item',
        'cms.content.updateDate': 3,
      });
    });

    test('returns undefined when the asset does not exist or has another type', async () => {
      const asset = await insert(newAsset({ name: 'x' }));
      expect(await store().patch(patchOf(idOf(0xdead), { set: { name: 'y' } }))).toBeUndefined();
      const other = { ...patchOf(asset._id, { set: { name: 'y' } }), type: 'suite.Person' };
      expect(await store().patch(other)).toBeUndefined();
      expect((await store().get(asset._id))?.asset).toEqual(asset);
    });

    test('with ifVersion succeeds only while the asset has that version', async () => {
      const { _id } = await insert(newAsset({ count: 1 }), 'v-1');
      const patch = { ...patchOf(_id, { set: { count: 2 }, version: 'v-2' }), ifVersion: 'v-1' };
      expect((await store().patch(patch))?.version).toBe('v-2');
      expect(await codeOf(store().patch(patch))).toBe('precondition_failed');
      expect(await store().get(_id)).toMatchObject({ version: 'v-2', asset: { count: 2 } });
    });
  });

  describe('delete', () => {
    test('returns whether an asset of that type existed', async () => {
      const { _id } = await insert(newAsset());
      expect(await store().delete({ id: _id, type: 'suite.Person' })).toBe(false);
      expect(await store().delete({ id: _id, type: 'suite.Item' })).toBe(true);
      expect(await store().delete({ id: _id, type: 'suite.Item' })).toBe(false);
      expect(await store().get(_id)).toBeUndefined();
    });

    test('with ifVersion succeeds only while the asset has that version', async () => {
      const { _id } = await insert(newAsset(), 'v-1');
      const deletion = { id: _id, type: 'suite.Item' };
      expect(await codeOf(store().delete({ ...deletion, ifVersion: 'v-0' }))).toBe('precondition_failed');
      expect(await store().get(_id)).toBeDefined();
      expect(await store().delete({ ...deletion, ifVersion: 'v-1' })).toBe(true);
    });

    test('frees the id for a new asset', async () => {
      const asset = await insert(newAsset({ name: 'x' }));
      await store().delete({ id: asset._id, type: 'suite.Item' });
      await insert({ ...asset, name: 'y' });
      expect((await store().get(asset._id))?.asset.name).toBe('y');
    });
  });
}

function patchOf(
  id: string,
  {
    set = {},
    unset = [],
    version = 'later',
  }: { set?: Record<string, Json>; unset?: string[]; version?: string },
) {
  return { id, type: 'suite.Item', set, unset, version };
}
