/** The date of the last change, where an update gives it: one that was read and is written back is no value given. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { randomIds } from '../../../src/base/runtime.ts';
import type { ContentService } from '../../../src/content/content-service.ts';
import { preAssignIds } from '../../../src/content/pre-assigned-ids.ts';
import type { Asset, JsonObject } from '../../../src/model/content-type.ts';
import type { ContentStore } from '../../../src/store/port.ts';
import { contentOver, openStoreAt } from '../../support/content.ts';
import { createFakeClock, type FakeClock } from '../../support/runtime.ts';
import { describeOnEachStore } from '../../support/stores.ts';
import { catalogOf } from '../../support/types.ts';

const noteType = 'x.Note';
const updateDate = 'cms.content.updateDate';
const publishDate = 'cms.content.publishDate';
const catalog = catalogOf(`
  type Note @contentType(class: "${noteType}") { slug: String @indexed(unique: true), text: String, more: String }
`);

describeOnEachStore('the date of the last change', (locations) => {
  let store: ContentStore;
  let clock: FakeClock;
  let content: ContentService;

  beforeEach(async () => {
    store = await openStoreAt(locations(), catalog);
    clock = createFakeClock(1_000);
    content = contentOver(catalog, store, { clock });
  });
  afterEach(() => store.close());

  const reserved = () => preAssignIds({ seed: 'seed', reservedAtMs: 1, run: 'first' }, randomIds);
  const update = (asset: Asset) => content.update({ id: asset._id, body: asset }, {});
  const batch = (action: 'update' | 'upsert', by: string, more: object = {}) => {
    const terms = { atomic: false, references: 'checked' as const, ...more };
    return (asset: Asset) => content.batch({ ...terms, operations: [{ action, by, asset }] }, {});
  };

  /** Every way to update an asset that was read. */
  const ways: Record<string, (asset: Asset, version: string) => Promise<unknown>> = {
    update,
    'update without the type': ({ _type, ...asset }) => content.update({ id: asset._id, body: asset }, {}),
    'update that is sent again': async (asset) => {
      await content.update({ id: asset._id, body: asset }, {}, reserved());
      const ids = preAssignIds({ seed: 'seed', reservedAtMs: 1, run: 'repeat' }, randomIds);
      await content.update({ id: asset._id, body: asset }, {}, ids);
    },
    'update of a version': (asset, version) =>
      content.update({ id: asset._id, body: asset, ifVersions: [version] }, {}),
    'update on a base': (asset, version) =>
      content.update({ id: asset._id, body: asset, baseVersion: version }, {}),
    'update of the batch': batch('update', '_id'),
    'update by a unique field': batch('update', 'slug'),
    'update of an atomic batch': batch('update', '_id', { atomic: true }),
    upsert: batch('upsert', '_id'),
    'upsert by a unique field': batch('upsert', 'slug', { atomic: true }),
    'update on a base in a batch': (asset, baseVersion) =>
      content.batch(
        {
          operations: [{ action: 'update', by: '_id', asset, baseVersion }],
          atomic: false,
          references: 'checked',
        },
        {},
      ),
  };

  async function createNote(fields: JsonObject = {}) {
    const { asset, version } = await content.create(
      { _type: noteType, slug: 'a', text: 'old', ...fields },
      {},
    );
    clock.advance(500);
    return { asset, version };
  }
  const read = async ({ _id }: Asset) => (await store.get(_id))?.asset;

  it.each(Object.keys(ways))('is now when it is written back as it was read: %s', async (name) => {
    const { asset, version } = await createNote();
    const changed = { ...asset, text: 'new' };
    await ways[name]?.(changed, version);
    expect(await read(asset)).toEqual({ ...changed, [updateDate]: 1_500 });
  });

  it.each(Object.keys(ways))('is the one given when that is another: %s', async (name) => {
    const { asset, version } = await createNote();
    const changed = { ...asset, text: 'new', [updateDate]: 700 };
    await ways[name]?.(changed, version);
    expect(await read(asset)).toEqual(changed);
  });

  it.each(['update on a base', 'update on a base in a batch'])(
    'is compared with that of the base, which others have changed since: %s',
    async (name) => {
      const { asset, version } = await createNote();
      await content.update({ id: asset._id, body: { more: 'others' } }, {});
      clock.advance(500);
      await ways[name]?.({ ...asset, text: 'new' }, version);
      expect(await read(asset)).toMatchObject({ text: 'new', more: 'others', [updateDate]: 2_000 });
    },
  );

  it.each(['update on a base', 'update on a base in a batch'])(
    'is the one given when that is the present one and not that of the base: %s',
    async (name) => {
      const { asset, version } = await createNote();
      await content.update({ id: asset._id, body: { more: 'others' } }, {});
      clock.advance(500);
      await ways[name]?.({ ...asset, text: 'new', [updateDate]: 1_500 }, version);
      expect(await read(asset)).toMatchObject({ text: 'new', more: 'others', [updateDate]: 1_500 });
    },
  );

  it('is checked as it is written', async () => {
    const { asset } = await createNote();
    const checked = await content.trial({}).update({ id: asset._id, body: { ...asset, text: 'new' } }, {});
    expect(checked.asset).toEqual({ ...asset, text: 'new', [updateDate]: 1_500 });
    expect(await read(asset)).toEqual(asset);
  });

  it('is kept by a batch that gives all dates', async () => {
    const { asset } = await createNote();
    const changed = { ...asset, text: 'new' };
    await batch('upsert', 'slug', { updateDates: 'given' })(changed);
    expect(await read(asset)).toEqual(changed);
    const { [updateDate]: _, ...undated }: Asset = changed;
    await batch('update', '_id', { updateDates: 'given' })(undated as Asset);
    expect(await read(asset)).toEqual({ ...changed, [updateDate]: 1_500 });
  });

  it('is now for a new asset that gives null, which has no date of publication if that is null', async () => {
    const { asset } = await createNote({ [publishDate]: null, [updateDate]: null });
    expect(asset).toEqual({ _id: asset._id, _type: noteType, slug: 'a', text: 'old', [updateDate]: 1_000 });
    expect(await read(asset)).toEqual(asset);
  });
});
