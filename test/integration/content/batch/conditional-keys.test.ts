/** Keys with a condition, as the content layer checks and publishes them before a store refuses: dry runs, batches, releases, renames. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { storedCatalog } from '../../../../src/access/system-types.ts';
import { createRequestOrigins } from '../../../../src/base/request-origin.ts';
import type { ContentService } from '../../../../src/content/content-service.ts';
import type { ReleaseContent } from '../../../../src/content/drafts/releases.ts';
import type { JsonObject } from '../../../../src/model/content-type.ts';
import type { ContentStore } from '../../../../src/store/port.ts';
import { contentOver, openStoreAt } from '../../../support/content.ts';
import { describeOnEachStore, type StoreLocation } from '../../../support/stores.ts';
import { catalogOf, systemCatalog } from '../../../support/types.ts';

const catalog = catalogOf(`
  type Banner @contentType(class: "lib.Banner")
    @unique(fields: ["place"], where: "not state = archived")
    @unique(fields: ["place", "rank"], where: "pinned = true") {
    place: String!
    state: String
    rank: Int
    pinned: Boolean
  }`);
const renamed = catalogOf(`
  type Notice @contentType(class: "lib.Notice") @was(class: "lib.Banner")
    @unique(fields: ["spot"], where: "not status = archived") {
    spot: String! @was(name: "place")
    status: String @was(name: "state")
    rank: Int
    pinned: Boolean
  }`);
const everyone = {};
const release = 'spring';
const type = 'lib.Banner';
const inUse = (field: string, value: string) => ({
  code: 'value_in_use',
  details: expect.objectContaining({ field, value }),
});

describeOnEachStore('keys with a condition', (locations) => {
  let location: StoreLocation;
  let store: ContentStore;
  let content: ContentService;
  let drafts: ReleaseContent;

  beforeEach(async () => {
    location = locations();
    store = await openStoreAt(location, storedCatalog(systemCatalog(), catalog));
    content = contentOver(catalog, store, { origins: createRequestOrigins() });
    await content.releases.create({ name: release });
    drafts = content.inRelease(release, everyone);
  });
  afterEach(() => store.close());

  const create = async (fields: JsonObject, to: Pick<ContentService, 'create'> = content) =>
    (await to.create({ _type: type, ...fields }, everyone)).asset._id;
  const update = (id: string, body: JsonObject, to: Pick<ContentService, 'update'> = content) =>
    to.update({ id, body }, everyone);

  it('are refused alike by writes and by dry runs, among many assets that do not meet the condition', async () => {
    const operations = Array.from({ length: 40 }, (_, n) => ({
      action: 'create' as const,
      by: '_id',
      asset: { _type: type, place: 'top', ...(n === 20 ? {} : { state: 'archived' }) },
    }));
    const outcomes = await content.batch({ operations, atomic: false, references: 'checked' }, everyone);
    expect(outcomes.every(({ kind }) => kind === 'done')).toBe(true);
    const archived = await create({ place: 'top', state: 'archived' });
    for (const to of [content.trial(everyone), content]) {
      await expect(create({ place: 'top' }, to)).rejects.toMatchObject(inUse('place', 'top'));
      await expect(update(archived, { state: 'live' }, to)).rejects.toMatchObject(inUse('place', 'top'));
      await expect(update(archived, { state: null }, to)).rejects.toMatchObject(inUse('place', 'top'));
      await update(archived, { state: 'archived', rank: 1, pinned: true }, to);
    }
    const moves = [
      { action: 'update', by: '_id', asset: { _id: archived, state: 'live', place: 'side' } },
      { action: 'create', by: '_id', asset: { _type: type, place: 'side' } },
      { action: 'update', by: '_id', asset: { _id: archived, state: 'archived' } },
      { action: 'create', by: '_id', asset: { _type: type, place: 'side' } },
      { action: 'create', by: '_id', asset: { _type: type, place: 'side', rank: 1, pinned: true } },
    ] as const;
    for (const to of [content.trial(everyone), content]) {
      const batch = await to.batch({ operations: moves, atomic: false, references: 'checked' }, everyone);
      expect(batch.map(({ kind }) => kind)).toEqual(['done', 'refused', 'done', 'done', 'refused']);
    }
  });

  it('identify no asset', async () => {
    await create({ place: 'top' });
    const operations = [{ action: 'update', by: 'place', asset: { _type: type, place: 'top' } }] as const;
    const [outcome] = await content.batch({ operations, atomic: false, references: 'checked' }, everyone);
    expect(outcome).toMatchObject({ kind: 'refused', error: { code: 'invalid_body' } });
  });

  it('are exchanged by a release, whose check names what would repeat', async () => {
    const live = await create({ place: 'top' });
    const next = await create({ place: 'top', state: 'archived' });
    await update(next, { state: 'live' }, drafts);
    const { findings } = await content.releases.check({ release });
    const message = '"top" is already in use: "place" is unique';
    expect(findings).toEqual([expect.objectContaining({ asset: next, code: 'value_in_use', message })]);
    await expect(content.releases.publish({ release })).rejects.toMatchObject({
      code: 'publication_refused',
    });
    await update(live, { state: 'archived' }, drafts);
    expect((await content.releases.check({ release })).findings).toEqual([]);
    await content.releases.publish({ release });
    expect((await content.get(next, everyone)).asset).toMatchObject({ state: 'live' });
    expect((await content.get(live, everyone)).asset).toMatchObject({ state: 'archived' });
    await expect(update(live, { state: 'live' })).rejects.toMatchObject(inUse('place', 'top'));
  });

  it('hold under new names of their fields and of those in the condition', async () => {
    await create({ place: 'top' });
    const old = await create({ place: 'top', state: 'archived' });
    const other = await openStoreAt(location, storedCatalog(systemCatalog(), renamed));
    const notices = contentOver(renamed, other);
    const body = { _type: 'lib.Notice', spot: 'top' };
    await expect(notices.create(body, everyone)).rejects.toMatchObject(inUse('spot', 'top'));
    await expect(update(old, { status: 'new' }, notices)).rejects.toMatchObject(inUse('spot', 'top'));
    await update(old, { status: 'new', spot: 'side' }, notices);
    await expect(create({ place: 'side' })).rejects.toMatchObject(inUse('place', 'side'));
    await other.close();
  });
});
