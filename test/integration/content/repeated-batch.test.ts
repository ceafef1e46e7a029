import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { randomIds } from '../../../src/base/runtime.ts';
import type { BatchOperation, BatchRequest, OperationOutcome } from '../../../src/content/batch/batch.ts';
import type { ContentService } from '../../../src/content/content-service.ts';
import { type IdSeed, preAssignIds } from '../../../src/content/pre-assigned-ids.ts';
import type { Json } from '../../../src/model/content-type.ts';
import type { ContentStore } from '../../../src/store/port.ts';
import { contentOver, openStoreAt } from '../../support/content.ts';
import { describeOnEachStore } from '../../support/stores.ts';
import { catalogOf } from '../../support/types.ts';

const noteType = 'x.Note';
const catalog = catalogOf(`type Note @contentType(class: "${noteType}") {
  slug: String @indexed(unique: true)
  code: Int @indexed(unique: true)
  text: String
  next: Note
}`);
const idOf = (n: number) => `0190a0c0-0000-7000-8000-${String(n).padStart(12, '0')}`;
const create = (fields: Record<string, Json>): BatchOperation => ({
  action: 'create',
  asset: { _type: noteType, ...fields },
});
const write = (action: 'update' | 'upsert', by: string, fields: Record<string, Json>): BatchOperation => ({
  action,
  by,
  asset: { _type: noteType, ...fields },
});
const remove = (n: number): BatchOperation => ({ action: 'delete', id: idOf(n) });
const tell = (outcomes: readonly OperationOutcome[]) =>
  outcomes.map((outcome) => (outcome.kind === 'done' ? outcome.effect : outcome.error.code));

describeOnEachStore('a batch that is run again', (locations) => {
  let store: ContentStore;
  let content: ContentService;

  beforeEach(async () => {
    store = await openStoreAt(locations(), catalog);
    content = contentOver(catalog, store);
  });
  afterEach(() => store.close());

  const reserve = (run: IdSeed['run']) =>
    preAssignIds({ seed: 'seed', reservedAtMs: 1_763_704_800_000, run }, randomIds);
  const toRequest = (operations: readonly BatchOperation[], more: Partial<BatchRequest>): BatchRequest => ({
    operations,
    atomic: false,
    references: 'checked',
    ...more,
  });
  const runTwice = async (operations: readonly BatchOperation[], more: Partial<BatchRequest> = {}) => {
    const request = toRequest(operations, more);
    const first = await content.batch(request, {}, reserve('first'));
    const left = await notes();
    const second = await content.batch(request, {}, reserve('repeat'));
    expect(await notes()).toEqual(left);
    return { first, second };
  };
  const notes = async () => {
    const page = { from: noteType, offset: 0, limit: 100, withCount: false };
    const { items } = await content.find(page, {});
    return [...(await store.getMany(items.map(({ asset }) => asset._id))).found.values()];
  };
  const prepare = (...fields: Record<string, Json>[]) => content.batch(toRequest(fields.map(create), {}), {});

  describe.each([
    ['each on its own', false],
    ['all or none', true],
  ])('%s', (_name, atomic) => {
    it('does not delete an asset again that a later operation recreated', async () => {
      await prepare({ _id: idOf(1), slug: 'a', text: 'old' });
      const { first, second } = await runTwice(
        [remove(1), create({ _id: idOf(1), slug: 'a' }), create({ _id: idOf(2) })],
        { atomic },
      );
      expect(tell(first)).toEqual(['deleted', 'created', 'created']);
      expect(second).toEqual(first);
    });

    it('keeps an asset that it created, deleted and created again', async () => {
      const { first } = await runTwice(
        [create({ _id: idOf(1), text: 'one' }), remove(1), create({ _id: idOf(1), text: 'two' })],
        { atomic },
      );
      expect(tell(first)).toEqual(['created', 'deleted', 'created']);
      expect((await notes()).map(({ asset }) => asset.text)).toEqual(['two']);
    });

    it('reports unresolved references again', async () => {
      await prepare({ _id: idOf(1), slug: 'a' });
      const next = { _ref: idOf(99), _type: noteType };
      const { first, second } = await runTwice(
        [
          create({ next }),
          create({ _id: idOf(2), next }),
          write('upsert', 'slug', { slug: 'a', next }),
          write('upsert', 'slug', { slug: 'b', next: { _ref: idOf(2), _type: noteType } }),
        ],
        { atomic, references: 'deferred' },
      );
      const unresolved = [{ path: 'next', reference: next }];
      expect(first.map((outcome) => outcome.kind === 'done' && outcome.unresolved)).toEqual([
        unresolved,
        unresolved,
        unresolved,
        [],
      ]);
      expect(second).toEqual(first);
    });

    it('does not refuse an applied write because the target of a reference was deleted since', async () => {
      await prepare({ _id: idOf(1) });
      const operations = [
        create({ next: { _ref: idOf(1), _type: noteType } }),
        create({ text: 'no reference' }),
      ];
      const request = toRequest(operations, { atomic });
      const first = await content.batch(request, {}, reserve('first'));
      await content.delete({ id: idOf(1) }, {});
      expect(await content.batch(request, {}, reserve('repeat'))).toEqual(first);
    });

    it('run by two processes at once, reports deleted assets as deleted', async () => {
      await prepare({ _id: idOf(1) }, { _id: idOf(2) });
      const request = toRequest([remove(1), remove(2)], { atomic });
      const late = contentOver(catalog, {
        ...store,
        async write(...args) {
          await content.batch(request, {}, reserve('first'));
          return store.write(...args);
        },
      });
      expect(tell(await late.batch(request, {}, reserve('repeat')))).toEqual(['deleted', 'deleted']);
    });
  });

  it.each([false, true])(
    'finds by a field what another process makes meanwhile, atomic: %s',
    async (atomic) => {
      const request = toRequest(
        [write('upsert', 'slug', { slug: 'a' }), write('update', 'slug', { slug: 'a', text: 'changed' })],
        { atomic },
      );
      let isEarly = true;
      const late = contentOver(catalog, {
        ...store,
        async find(...args) {
          const page = await store.find(...args);
          if (isEarly) await content.batch(request, {}, reserve('first'));
          isEarly = false;
          return page;
        },
      });
      expect(tell(await late.batch(request, {}, reserve('repeat')))).toEqual(['created', 'updated']);
      expect((await notes()).map(({ asset }) => asset.text)).toEqual(['changed']);
    },
  );

  it('repeats a refusal, although a later operation has changed the asset', async () => {
    await prepare({ _id: idOf(1) });
    const { first, second } = await runTwice([
      write('update', '_id', { _id: idOf(1), text: 5 }),
      write('update', '_id', { _id: idOf(1), text: 'sound' }),
    ]);
    expect(tell(first)).toEqual(['invalid_body', 'updated']);
    expect(second).toEqual(first);
  });

  it.each([
    ['creates', (fields: Record<string, Json>) => create(fields)],
    ['upserts', (fields: Record<string, Json>) => write('upsert', 'slug', fields)],
  ])(
    'is refused what it could not make, although a later one has made that asset: %s',
    async (_name, make) => {
      await prepare({ slug: 'taken', code: 1 });
      const { first, second } = await runTwice([
        make({ _id: idOf(1), slug: 'a', code: 1 }),
        make({ _id: idOf(1), slug: 'b', code: 2 }),
      ]);
      expect(tell(first)).toEqual(['value_in_use', 'created']);
      expect(tell(second)[1]).toBe('created');
      expect(first[0]?.kind).toBe(second[0]?.kind);
    },
  );

  it('in atomic mode, does not count a partial deletion by others as applied', async () => {
    await prepare({ _id: idOf(1) }, { _id: idOf(2) });
    const request = toRequest([remove(1), remove(2)], { atomic: true });
    const late = contentOver(catalog, {
      ...store,
      async write(...args) {
        await content.delete({ id: idOf(1) }, {});
        return store.write(...args);
      },
    });
    await expect(late.batch(request, {}, reserve('repeat'))).rejects.toMatchObject({ code: 'not_found' });
    expect(await notes()).toHaveLength(1);
  });
});
