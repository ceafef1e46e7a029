/** Replacing whole assets: what is compared, what stays, and that an equal asset is not written. */
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { randomIds } from '../../../../src/base/runtime.ts';
import type { BatchOperation, BatchRequest, OperationOutcome } from '../../../../src/content/batch/batch.ts';
import type { ContentService } from '../../../../src/content/content-service.ts';
import { type IdSeed, preAssignIds } from '../../../../src/content/pre-assigned-ids.ts';
import type { Json, JsonObject } from '../../../../src/model/content-type.ts';
import type { ContentStore } from '../../../../src/store/port.ts';
import { contentOver, openStoreAt, removeAssets } from '../../../support/content.ts';
import { roundsOf } from '../../../support/rounds.ts';
import { createFakeClock, type FakeClock } from '../../../support/runtime.ts';
import { describeOnEachStore, type StoreLocation } from '../../../support/stores.ts';
import { catalogOf } from '../../../support/types.ts';

const noteType = 'x.Note';
const fieldsOf = (more: string) => `
  type Site @contentType(class: "x.Site") { name: String }
  type Place { city: String!, street: String, kind: String! @default(value: "home") }
  type Note implements Content @contentType(class: "${noteType}") {
    slug: String @indexed(unique: true), text: String, tags: [String!], number: Float
    state: String! @default(value: "open"), hint: String @default(value: "none"), place: Place, places: [Place!], next: Note ${more} }`;
const catalog = catalogOf(fieldsOf(''));
const idOf = (n: number) => `0190a0c0-0000-7000-8000-${String(n).padStart(12, '0')}`;
const updateDate = 'cms.content.updateDate';
const publishDate = 'cms.content.publishDate';
const owner = 'cms.site.owner';
const replace = (fields: Record<string, Json>, by = '_id'): BatchOperation => ({
  action: 'replace',
  by,
  asset: { _type: noteType, ...fields },
});
const effectsOf = (outcomes: readonly OperationOutcome[]) =>
  outcomes.map((outcome) => (outcome.kind === 'done' ? outcome.effect : outcome.error.code));

describeOnEachStore('replacing assets', (locations) => {
  let location: StoreLocation;
  let store: ContentStore;
  let clock: FakeClock;
  let content: ContentService;

  const serve = (types = catalog) => {
    return contentOver(types, store, { clock });
  };
  beforeEach(async () => {
    location = locations();
    store = await openStoreAt(location, catalog);
    clock = createFakeClock(1_000);
    content = serve();
  });
  afterEach(() => store.close());

  const send = async (operations: readonly BatchOperation[], more: Partial<BatchRequest> = {}, caller = {}) =>
    content.batch({ operations, atomic: false, references: 'checked', ...more }, caller);
  const run = async (...operations: BatchOperation[]) => effectsOf(await send(operations));
  const stateOf = async (n: number) => (await store.get(idOf(n)))?.asset;
  const logOf = async (n: number) =>
    (await store.changes.history({ asset: idOf(n), limit: 50 })).entries.map(({ changed }) => changed);

  it('creates, replaces as a whole, and leaves what is equal as it is', async () => {
    const whole = { _id: idOf(1), slug: 'a', text: 'old', tags: ['t'], hint: 'mine', [publishDate]: 5 };
    expect(await run(replace(whole))).toEqual(['created']);
    const first = await store.get(idOf(1));
    clock.advance(10);
    expect(await run(replace({ ...whole, number: null }))).toEqual(['unchanged']);
    expect(await store.get(idOf(1))).toEqual(first);
    const { [publishDate]: _, ...undated } = whole;
    expect(await run(replace(undated), replace({ ...undated, [updateDate]: 1_000 }))).toEqual([
      'unchanged',
      'unchanged',
    ]);
    expect(await logOf(1)).toHaveLength(1);
    expect(await run(replace({ slug: 'a', tags: ['t'] }, 'slug'))).toEqual(['updated']);
    const expected = { _id: idOf(1), _type: noteType, slug: 'a', tags: ['t'], state: 'open', hint: 'none' };
    expect(await stateOf(1)).toEqual({ ...expected, [publishDate]: 5, [updateDate]: 1_010 });
    expect((await logOf(1))[0]?.toSorted()).toEqual([updateDate, 'hint', 'text']);
    expect(
      await run(replace({ slug: 'a', tags: ['t'], [publishDate]: null, [updateDate]: 7 }, 'slug')),
    ).toEqual(['updated']);
    expect(await stateOf(1)).toEqual({ ...expected, [updateDate]: 7 });
  });

  it('keeps the site owner that it is not given, although the site is gone', async () => {
    const site = { _id: idOf(9), _type: 'x.Site' };
    const create = (asset: JsonObject): BatchOperation => ({ action: 'create', asset });
    const owned = { _type: 'x.Site', _ref: idOf(9) };
    await run(create(site), create({ _id: idOf(1), _type: noteType, text: 'a', [owner]: owned }));
    await run({ action: 'delete', id: idOf(9) });
    expect(await run(replace({ _id: idOf(1), text: 'b' }))).toEqual(['updated']);
    expect(await stateOf(1)).toMatchObject({ text: 'b', [owner]: owned });
  });

  it('lets a client of some sites replace only what it may see', async () => {
    const caller = { sites: [idOf(9)] };
    await run(replace({ _id: idOf(1), text: 'a' }));
    const outcomes = await send(
      [replace({ _id: idOf(1), text: 'b' }), replace({ _id: idOf(2) })],
      {},
      caller,
    );
    expect(effectsOf(outcomes)).toEqual(['forbidden', 'forbidden']);
    expect(await stateOf(1)).toMatchObject({ text: 'a' });
  });

  it('removes stored fields that the type no longer has', async () => {
    await store.close();
    const former = catalogOf(fieldsOf('extra: String'));
    store = await openStoreAt(location, former);
    content = serve(former);
    await run(replace({ _id: idOf(1), text: 'a', extra: 'x' }));
    await store.close();
    store = await openStoreAt(location, catalog);
    content = serve();
    expect(await stateOf(1)).toMatchObject({ extra: 'x' });
    expect(await run(replace({ _id: idOf(1), text: 'a' }))).toEqual(['updated']);
    expect(await stateOf(1)).not.toHaveProperty('extra');
    expect(await run(replace({ _id: idOf(1), text: 'a' }))).toEqual(['unchanged']);
  });

  it('refuses what a create refuses, another type, and a key that is not given', async () => {
    await run(replace({ _id: idOf(1), slug: 'a' }), replace({ _id: idOf(2), slug: 'b' }));
    const outcomes = await send([
      replace({ _id: idOf(1), slug: 'a', place: {} }),
      { action: 'replace', by: '_id', asset: { _id: idOf(1), _type: 'x.Site' } },
      replace({ text: 'a' }, 'slug'),
      replace({ _id: idOf(1), slug: 'b' }),
      replace({ _id: idOf(1), slug: 'a', next: { _type: noteType, _ref: idOf(7) } }),
      replace({ slug: 'c', next: { _type: noteType, _ref: idOf(1) } }, 'slug'),
    ]);
    expect(effectsOf(outcomes)).toEqual([
      ...Array(3).fill('invalid_body'),
      'value_in_use',
      'invalid_body',
      'created',
    ]);
  });

  it('skips updates and upserts that change nothing, if the batch says so', async () => {
    await run(replace({ _id: idOf(1), slug: 'a', text: 'x' }));
    const { version } = (await store.get(idOf(1))) ?? {};
    const asset = { _id: idOf(1), _type: noteType, slug: 'a', text: 'x', number: null };
    const operations: BatchOperation[] = [
      { action: 'update', by: '_id', asset },
      { action: 'upsert', by: 'slug', asset: { ...asset, [updateDate]: 1_000 } },
      { action: 'update', by: '_id', asset, ifVersions: ['other'] },
    ];
    for (const atomic of [false, true]) {
      const sent = atomic ? operations.slice(0, 2) : operations;
      const outcomes = await send(sent, { skipUnchanged: true, atomic });
      expect(effectsOf(outcomes).slice(0, 2)).toEqual(['unchanged', 'unchanged']);
      expect(outcomes[0]).toMatchObject({ id: idOf(1), version, type: noteType });
      expect(outcomes[0]).not.toHaveProperty('change');
      if (!atomic) expect(effectsOf(outcomes)[2]).toBe('precondition_failed');
    }
    expect(await logOf(1)).toHaveLength(1);
    const dated: BatchOperation = { action: 'update', by: '_id', asset: { ...asset, [updateDate]: 3 } };
    expect(effectsOf(await send([dated], { skipUnchanged: true }))).toEqual(['updated']);
    expect(await logOf(1)).toHaveLength(2);
    expect(effectsOf(await send(operations.slice(0, 1)))).toEqual(['updated']);
  });

  describe.each([false, true])('in a batch that runs again, atomic %s', (atomic) => {
    const reserve = (attempt: IdSeed['run']) =>
      preAssignIds({ seed: 'seed', reservedAtMs: 1_763_704_800_000, run: attempt }, randomIds);

    it('writes each replacement once', async () => {
      await run(replace({ _id: idOf(1), text: 'a' }), replace({ _id: idOf(2), text: 'same' }));
      const request: BatchRequest = {
        operations: [
          replace({ _id: idOf(1), text: 'b' }),
          replace({ _id: idOf(2), text: 'same' }),
          replace({ slug: 'new' }, 'slug'),
          replace({ _id: idOf(1), text: 'c' }),
        ],
        atomic,
        references: 'checked',
      };
      const first = await content.batch(request, {}, reserve('first'));
      expect(effectsOf(first)).toEqual(['updated', 'unchanged', 'created', 'updated']);
      const left = [await store.get(idOf(1)), await store.get(idOf(2))];
      const again = await content.batch(request, {}, reserve('repeat'));
      expect(effectsOf(again)).toEqual(effectsOf(first));
      expect([await store.get(idOf(1)), await store.get(idOf(2))]).toEqual(left);
      expect(await logOf(1)).toHaveLength(3);
    });
  });

  it('repeats a replacement that another writer overtakes', async () => {
    await run(replace({ _id: idOf(1), text: 'a', hint: 'h' }));
    let isOvertaken = false;
    const { write } = store;
    store = {
      ...store,
      async write(writes, options) {
        if (!isOvertaken) {
          isOvertaken = true;
          await serve().update({ id: idOf(1), body: { number: 3 } }, {});
        }
        return write(writes, options);
      },
    };
    content = serve();
    expect(await run(replace({ _id: idOf(1), text: 'b', hint: 'h' }))).toEqual(['updated']);
    expect(await stateOf(1)).not.toHaveProperty('number');
  });

  const text = fc.constantFrom('a', 'b', '');
  const place = fc.record(
    { city: text, street: fc.oneof(text, fc.constant(null)), kind: text },
    { requiredKeys: ['city'] },
  );
  const fields = fc.record(
    {
      slug: text,
      text: fc.oneof(text, fc.constant(null)),
      tags: fc.array(text, { maxLength: 2 }),
      number: fc.oneof(fc.constantFrom(0, 1.5, -1), fc.constant(null)),
      hint: fc.oneof(text, fc.constant(null)),
      place: fc.oneof(place, fc.constant(null)),
      places: fc.array(place, { maxLength: 2 }),
      next: fc.constant({ _type: noteType, _ref: idOf(1) }),
      [publishDate]: fc.constantFrom(1, 2, null),
    },
    { requiredKeys: [] },
  );

  it('leaves what a delete and a create with the same cms members would leave', async () => {
    await fc.assert(
      fc.asyncProperty(fields, fields, async (before, after) => {
        await removeAssets(store, catalog);
        await run(replace({ _id: idOf(1), ...before } as Record<string, Json>));
        const given = { _id: idOf(1), ...after } as Record<string, Json>;
        const stored: JsonObject = (await stateOf(1)) ?? {};
        const [effect] = await run(replace(given));
        const replaced: JsonObject = (await stateOf(1)) ?? {};
        const kept = {
          [publishDate]: stored[publishDate] ?? null,
          [updateDate]: replaced[updateDate] ?? null,
        };
        const created = { ...kept, ...given, _type: noteType };
        await run({ action: 'delete', id: idOf(1) }, { action: 'create', asset: created });
        expect(await stateOf(1)).toEqual(replaced);
        const { [updateDate]: _, ...known } = replaced;
        const { [updateDate]: __, ...former } = stored;
        expect(effect === 'unchanged').toBe(JSON.stringify(sorted(known)) === JSON.stringify(sorted(former)));
      }),
      { numRuns: roundsOf({ usual: 25, long: 1_000 }) },
    );
  });
});

const sorted = (asset: JsonObject) =>
  Object.entries(asset).toSorted(([one], [other]) => (one < other ? -1 : 1));
