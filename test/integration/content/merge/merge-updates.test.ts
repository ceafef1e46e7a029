import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { randomIds } from '../../../../src/base/runtime.ts';
import type { BatchOperation } from '../../../../src/content/batch/batch.ts';
import type { ContentService } from '../../../../src/content/content-service.ts';
import { preAssignIds } from '../../../../src/content/pre-assigned-ids.ts';
import type { JsonObject } from '../../../../src/model/content-type.ts';
import type { ContentStore } from '../../../../src/store/port.ts';
import { contentOver, openStoreAt } from '../../../support/content.ts';
import { describeOnEachStore, type StoreLocation } from '../../../support/stores.ts';
import { catalogOf } from '../../../support/types.ts';

const noteType = 'x.Note';
const catalog = catalogOf(`type Note @contentType(class: "${noteType}") {
  slug: String @indexed(unique: true)
  a: Int
  b: Int
  c: Int
}`);

describeOnEachStore('an update that is based on an earlier version', (locations) => {
  let location: StoreLocation;
  let store: ContentStore;
  let content: ContentService;

  beforeEach(async () => {
    location = locations();
    store = await openStoreAt(location, catalog);
    content = contentOver(catalog, store);
  });
  afterEach(() => store.close());

  const create = (fields: JsonObject) => content.create({ _type: noteType, ...fields }, {});
  const update = (id: string, body: JsonObject, baseVersion?: string) =>
    content.update({ id, body, ...(baseVersion !== undefined && { baseVersion }) }, {});
  const fieldsOf = async (id: string) => {
    const { asset } = await content.get(id, {});
    return { a: asset.a, b: asset.b, c: asset.c };
  };
  /** An asset with the version of before somebody has changed `b`. */
  async function createChanged() {
    const { asset, version } = await create({ a: 1, b: 1, c: 1 });
    await update(asset._id, { b: 2 });
    return { id: asset._id, base: version };
  }

  it('keeps what others have changed since', async () => {
    const { id, base } = await createChanged();
    const { asset } = await update(id, { a: 3, c: null }, base);
    expect(asset).toMatchObject({ a: 3, b: 2 });
    expect(await fieldsOf(id)).toEqual({ a: 3, b: 2, c: undefined });
  });

  it('is refused with all values of the fields that others have changed, too', async () => {
    const { id, base } = await createChanged();
    await expect(update(id, { a: 3, b: 3 }, base)).rejects.toMatchObject({
      code: 'edit_conflict',
      details: { conflicts: [{ path: 'b', base: 1, theirs: 2, yours: 3 }] },
    });
    expect(await fieldsOf(id)).toEqual({ a: 1, b: 2, c: 1 });
  });

  it('is an ordinary update when the base is the present version', async () => {
    const { asset, version } = await create({ a: 1 });
    expect((await update(asset._id, { a: 2 }, version)).asset).toMatchObject({ a: 2 });
  });

  it('is refused when the base was never known, or is a version of another asset', async () => {
    const { id } = await createChanged();
    const other = await createChanged();
    for (const base of ['no-such-version', other.base]) {
      await expect(update(id, { a: 3 }, base)).rejects.toMatchObject({ code: 'precondition_failed' });
    }
  });

  it('is checked against If-Match first', async () => {
    const { id, base } = await createChanged();
    const body = { a: 3 };
    const outdated = content.update({ id, body, baseVersion: base, ifVersions: [base] }, {});
    await expect(outdated).rejects.toMatchObject({ code: 'precondition_failed' });
    const { version } = await content.get(id, {});
    await content.update({ id, body, baseVersion: base, ifVersions: [version] }, {});
    expect(await fieldsOf(id)).toEqual({ a: 3, b: 2, c: 1 });
  });

  it('loses nothing when all fields are written at the same time from one base', async () => {
    const { asset, version } = await create({ a: 1, b: 1, c: 1 });
    await Promise.all([{ a: 2 }, { b: 2 }, { c: 2 }].map((body) => update(asset._id, body, version)));
    expect(await fieldsOf(asset._id)).toEqual({ a: 2, b: 2, c: 2 });
  });

  it('of one field is accepted from one of several writers at the same time', async () => {
    const { asset, version } = await create({ a: 1 });
    const ended = await Promise.allSettled([2, 3, 4].map((a) => update(asset._id, { a }, version)));
    const codes = ended.map((one) => (one.status === 'fulfilled' ? 'updated' : one.reason.code)).toSorted();
    expect(codes).toEqual(['edit_conflict', 'edit_conflict', 'updated']);
  });

  it('ends with store_busy when others keep writing the asset', async () => {
    const { id, base } = await createChanged();
    const contested: ContentStore = {
      ...store,
      texts: {
        ...store.texts,
        async patch(patch, origin) {
          await update(id, { b: 2 });
          return store.texts.patch(patch, origin);
        },
      },
    };
    const updating = contentOver(catalog, contested).update({ id, body: { a: 3 }, baseVersion: base }, {});
    await expect(updating).rejects.toMatchObject({ code: 'store_busy' });
    expect(await fieldsOf(id)).toEqual({ a: 1, b: 2, c: 1 });
  });

  it('is not_supported on a store without a change log', async () => {
    const { id, base } = await createChanged();
    const without = contentOver(catalog, {
      ...store,
      capabilities: { ...store.capabilities, changes: false },
    });
    const code = 'not_supported';
    await expect(without.update({ id, body: {}, baseVersion: base }, {})).rejects.toMatchObject({ code });
    const operation = { action: 'update', by: '_id', asset: { _id: id }, baseVersion: base } as const;
    await expect(
      without.batch({ operations: [operation], atomic: false, references: 'checked' }, {}),
    ).rejects.toMatchObject({ code });
  });

  describe.each([false, true])('in a batch, with atomic: %j', (atomic) => {
    const batch = async (...operations: BatchOperation[]) =>
      content.batch({ operations, atomic, references: 'checked' }, {});
    const based = (asset: JsonObject, baseVersion: string): BatchOperation => ({
      action: 'update',
      by: '_id',
      asset,
      baseVersion,
    });

    it('keeps what others have changed since', async () => {
      const [one, other] = [await createChanged(), await createChanged()];
      const fresh = await create({ a: 1, b: 1, c: 1 });
      await batch(
        based({ _id: one.id, a: 3 }, one.base),
        {
          ...based({ _id: other.id, _type: noteType, c: 3 }, other.base),
          action: 'upsert',
        } as BatchOperation,
        based({ _id: fresh.asset._id, a: 3 }, fresh.version),
      );
      expect(await fieldsOf(one.id)).toEqual({ a: 3, b: 2, c: 1 });
      expect(await fieldsOf(other.id)).toEqual({ a: 1, b: 2, c: 3 });
      expect(await fieldsOf(fresh.asset._id)).toEqual({ a: 3, b: 1, c: 1 });
    });

    it('merges several operations of one asset that have the same base', async () => {
      const { id, base } = await createChanged();
      await batch(based({ _id: id, a: 3 }, base), based({ _id: id, c: 3 }, base));
      expect(await fieldsOf(id)).toEqual({ a: 3, b: 2, c: 3 });
    });

    it('loses nothing when two batches write at the same time', async () => {
      const { asset, version } = await create({ a: 1, b: 1, c: 1 });
      const write = (fields: JsonObject) => batch(based({ _id: asset._id, ...fields }, version));
      await Promise.all([write({ a: 2 }), write({ b: 2 }), write({ c: 2 })]);
      expect(await fieldsOf(asset._id)).toEqual({ a: 2, b: 2, c: 2 });
    });
  });

  it('refuses an operation of a batch alone', async () => {
    const { id, base } = await createChanged();
    const gone = await create({ slug: 'gone' });
    await content.delete({ id: gone.asset._id }, {});
    const update = (asset: JsonObject, baseVersion: string, action: 'update' | 'upsert' = 'update') =>
      ({ action, by: '_id', asset, baseVersion }) as const;
    const outcomes = await content.batch(
      {
        operations: [
          update({ _id: id, b: 3 }, base),
          update({ _id: id, a: 3 }, 'no-such-version'),
          update({ _id: gone.asset._id, _type: noteType }, gone.version, 'upsert'),
          update({ _id: id, c: 3 }, base),
        ],
        atomic: false,
        references: 'checked',
      },
      {},
    );
    const told = outcomes.map((outcome) => (outcome.kind === 'done' ? outcome.effect : outcome.error.code));
    expect(told).toEqual(['edit_conflict', 'precondition_failed', 'precondition_failed', 'updated']);
  });

  it('refuses an atomic batch with the conflicts of all operations', async () => {
    const [one, other] = [await createChanged(), await createChanged()];
    const operations = [one, other].map(
      ({ id, base }) =>
        ({ action: 'update', by: '_id', asset: { _id: id, b: 3 }, baseVersion: base }) as const,
    );
    await expect(
      content.batch({ operations, atomic: true, references: 'checked' }, {}),
    ).rejects.toMatchObject({
      code: 'edit_conflict',
      details: {
        conflicts: [
          { path: 'operations[0].asset.b', base: 1, theirs: 2, yours: 3 },
          { path: 'operations[1].asset.b', base: 1, theirs: 2, yours: 3 },
        ],
      },
    });
  });
});

describeOnEachStore('the change of a request that runs again', (locations) => {
  let location: StoreLocation;
  let store: ContentStore;
  let content: ContentService;

  beforeEach(async () => {
    location = locations();
    store = await openStoreAt(location, catalog);
    content = contentOver(catalog, store);
  });
  afterEach(() => store.close());

  const reserve = (run: 'first' | 'repeat') =>
    preAssignIds({ seed: 'seed', reservedAtMs: 1_763_704_800_000, run }, randomIds);

  it('is that of its first run, although others have changed the asset since', async () => {
    const body = { _type: noteType, a: 1 };
    const first = await content.create(body, {}, reserve('first'));
    await content.update({ id: first.asset._id, body: { a: 2 } }, {});
    const again = await content.create(body, {}, reserve('repeat'));
    expect([again.asset._id, again.change]).toEqual([first.asset._id, first.change]);
    expect(again.version).not.toBe(first.version);
  });

  it('is that of its first run in each result of a batch, deletions included', async () => {
    const kept = await content.create({ _type: noteType, a: 1 }, {});
    const gone = await content.create({ _type: noteType, a: 1 }, {});
    const request = {
      operations: [
        { action: 'create', asset: { _type: noteType, a: 1 } },
        { action: 'update', by: '_id', asset: { _id: kept.asset._id, a: 2 } },
        { action: 'delete', id: gone.asset._id },
      ],
      atomic: false,
      references: 'checked',
    } as const;
    const changes = async (run: 'first' | 'repeat') =>
      (await content.batch(request, {}, reserve(run))).map((one) => one.kind === 'done' && one.change);
    const first = await changes('first');
    expect(first).toEqual([expect.any(String), expect.any(String), expect.any(String)]);
    expect(await changes('repeat')).toEqual(first);
  });
});
