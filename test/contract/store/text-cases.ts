/** Reading assets as JSON texts: the same assets as the other reads return, printed as `JSON.stringify` prints them. */
import { beforeAll, expect, test } from 'vitest';
import { chunkBytes, type FindRequest, type StoredAsset, type StoredText } from '../../../src/store/port.ts';
import { shapeOf } from '../../../src/types/type-shape.ts';
import { type CreateHarness, useDatabase, useStore } from './harness.ts';
import { assetOf, idOf, suiteCatalog } from './suite-content.ts';

const catalog = suiteCatalog('plain');
const body = 'é'.repeat(Math.floor(chunkBytes / 5));

/** Cases of `texts`. */
export function describeTexts(createHarness: CreateHarness): void {
  const store = useStore(createHarness, { catalog });

  beforeAll(async () => {
    await store().insert({
      asset: assetOf('Item', 1, { name: '\u2028"😀\ud800', extra: { b: 1, '2': 1e21, a: [null] } }),
      version: 'v1',
    });
    for (const n of [2, 3, 4, 5]) {
      await store().insert({ asset: assetOf('Item', n, { count: -n, body }), version: `v${n}` });
    }
    await store().patch({ id: idOf(1), type: 'suite.Item', set: { mood: 'WILD' }, unset: [], version: 'w' });
    await store().insert({ asset: assetOf('Person', 6, { name: 'Ann' }), version: 'v6' });
  });

  test('get returns the text of the asset, its id, type and version', async () => {
    const { asset, version } = (await store().get(idOf(1))) as StoredAsset;
    expect(await store().texts.get(idOf(1))).toMatchObject({
      id: idOf(1),
      type: 'suite.Item',
      text: JSON.stringify(asset),
      version,
    });
    expect(await store().texts.get(idOf(6))).toMatchObject({ type: 'suite.Person' });
    expect(await store().texts.get(idOf(0xdead))).toBeUndefined();
  });

  test.each<Partial<FindRequest>>([
    { withCount: true },
    { types: ['suite.Item', 'suite.Person'], offset: 4, limit: 2 },
    { limit: 0, withCount: true },
    { offset: 100 },
  ])('find returns the page of assets as texts: %o', async (more) => {
    const request = { types: ['suite.Item'], offset: 0, limit: 10, withCount: false, ...more };
    const [page, texts] = [await store().find(request), await store().texts.find(request)];
    expect({ ...texts, items: texts.items.map(withoutShape) }).toEqual({
      ...page,
      items: page.items.map(toText),
    });
  });

  test('patch returns the text of the changed asset, or nothing when there is none', async () => {
    const patch = { id: idOf(6), type: 'suite.Person', set: { name: '\u2028"😀' }, unset: [], version: 'w6' };
    const changed = await store().texts.patch(patch);
    const { asset } = (await store().get(idOf(6))) as StoredAsset;
    expect(asset).toMatchObject({ name: '\u2028"😀' });
    expect(changed).toMatchObject({ ...toText({ asset, version: 'w6' }) });
    expect(await store().texts.patch({ ...patch, type: 'suite.Item' })).toBeUndefined();
  });

  test('getChunk returns the assets as texts, and the ids of the rest', async () => {
    const ids = [5, 0xdead, 4, 3, 2].map(idOf);
    const [chunk, texts] = [await store().getChunk(ids), await store().texts.getChunk(ids)];
    expect(texts.rest).toEqual(chunk.rest);
    expect(texts.rest?.length).toBeGreaterThan(0);
    expect(texts.items.map(withoutShape)).toEqual(chunk.items.map(toText));
  });
}

/** Cases of the shapes of texts, which need two stores on one database. */
export function describeShapes(createHarness: CreateHarness): void {
  const open = useDatabase(createHarness);

  test('a text never has a shape that a change by a process with other types has not been checked against', async () => {
    const [ours, theirs] = [suiteCatalog('plain'), suiteCatalog('plain')];
    const item = ours.types.get('suite.Item');
    const changed = theirs.types.get('suite.Item');
    if (!item || !changed) throw new Error('the suite has items');
    const fields = new Map([...changed.fields].filter(([name]) => name !== 'count'));
    const others = { ...theirs, types: new Map([...theirs.types, ['suite.Item', { ...changed, fields }]]) };
    const [first, second] = [await open(ours), await open(others)];
    await first.insert({ asset: assetOf('Item', 1), version: 'v1' });
    const shapeIn = async (store: typeof first) => (await store.texts.get(idOf(1)))?.shape;
    expect([undefined, shapeOf(item)]).toContain(await shapeIn(second));
    const patch = { id: idOf(1), type: 'suite.Item', set: { name: 'x' }, unset: [] };
    await first.patch({ ...patch, version: 'v2' });
    expect([undefined, shapeOf(item)]).toContain(await shapeIn(second));
    await second.patch({ ...patch, version: 'v3' });
    expect(await shapeIn(first)).toBeUndefined();
  });
}

const toText = ({ asset, version }: StoredAsset) => ({
  id: asset._id,
  type: asset._type,
  text: JSON.stringify(asset),
  version,
});

const withoutShape = ({ shape: _, ...text }: StoredText) => text;
