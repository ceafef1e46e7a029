import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { storeBusy } from '../../../../src/base/errors.ts';
import type { BatchOperation, OperationOutcome } from '../../../../src/content/batch/batch.ts';
import type { Json } from '../../../../src/model/content-type.ts';
import type { ContentStore } from '../../../../src/store/port.ts';
import { contentOver, openStoreAt } from '../../../support/content.ts';
import { describeOnEachStore, type StoreLocation } from '../../../support/stores.ts';
import { catalogOf } from '../../../support/types.ts';

const noteType = 'x.Note';
const catalog = catalogOf(`type Note @contentType(class: "${noteType}") {
  slug: String @indexed(unique: true)
  code: Int @indexed(unique: true)
  next: Note
}`);
const idOf = (n: number) => `0190a0c0-0000-7000-8000-${String(n).padStart(12, '0')}`;
const note = (fields: Record<string, Json>) => ({ _type: noteType, ...fields });
const referTo = (n: number) => ({ _ref: idOf(n), _type: noteType });
const create = (fields: Record<string, Json>): BatchOperation => ({ action: 'create', asset: note(fields) });
const upsert = (by: string, fields: Record<string, Json>): BatchOperation => ({
  action: 'upsert',
  by,
  asset: note(fields),
});
const tell = (outcomes: readonly OperationOutcome[]) =>
  outcomes.map((outcome) => (outcome.kind === 'done' ? outcome.effect : outcome.error.code));
/** Returns a store that reports the name of every method before it is called. */
function recordCalls(store: ContentStore, report: (name: string) => void): ContentStore {
  const methods = Object.entries(store).map(([name, member]) => {
    if (typeof member !== 'function') return [name, member];
    return [
      name,
      (...values: unknown[]) => {
        report(name);
        return Reflect.apply(member, store, values);
      },
    ];
  });
  // The same members as before.
  return Object.fromEntries(methods) as unknown as ContentStore;
}
const range = (count: number) => Array.from({ length: count }, (_, n) => n);

describeOnEachStore('batches', (locations) => {
  let location: StoreLocation;
  let store: ContentStore;
  /** The called methods, in order. */
  let calls: string[];

  beforeEach(async () => {
    location = locations();
    calls = [];
    store = recordCalls(await openStoreAt(location, catalog), (name) => calls.push(name));
  });
  afterEach(() => store.close());

  const run = async (
    operations: readonly BatchOperation[],
    more: object = {},
    content = contentOver(catalog, store),
  ) => {
    calls = [];
    return content.batch({ operations, atomic: false, references: 'checked', ...more }, {});
  };

  describe('the number of store calls does not depend on the number of operations', () => {
    it.each([
      ['creates', (n: number) => create({ slug: `s${n}` }), ['write']],
      [
        'creates with references',
        (n: number) => create({ slug: `s${n}`, next: referTo(n) }),
        ['getTypes', 'write'],
      ],
      ['upserts by _id', (n: number) => upsert('_id', { _id: idOf(n), slug: `s${n}` }), ['getMany', 'write']],
      [
        'upserts by a field, with references',
        (n: number) => upsert('slug', { slug: `s${n}`, next: referTo(n % 7) }),
        ['find', 'getTypes', 'write'],
      ],
      [
        'upserts by two fields',
        (n: number) => (n % 2 ? upsert('slug', { slug: `s${n}` }) : upsert('code', { code: n })),
        ['find', 'find', 'write'],
      ],
      ['deletes', (n: number): BatchOperation => ({ action: 'delete', id: idOf(n) }), ['getMany', 'write']],
    ])('%s', async (_name, operation, expected) => {
      await run(range(60).map((n) => create({ _id: idOf(n), slug: `old ${n}` })));
      for (const [atomic, from] of [
        [false, 0],
        [true, 30],
      ] as const) {
        const outcomes = await run(
          range(30).map((n) => operation(from + n)),
          { atomic },
        );
        expect(outcomes.every(({ kind }) => kind === 'done')).toBe(true);
        expect(calls.toSorted()).toEqual(expected);
      }
    });
  });

  it('yield to other requests while they are prepared', async () => {
    let turns = 0;
    let isOver = false;
    const turn = () => {
      turns++;
      if (!isOver) setImmediate(turn);
    };
    setImmediate(turn);
    await run(range(1000).map((n) => create({ nope: n })));
    isOver = true;
    expect(turns).toBeGreaterThan(20);
  });

  it('write dependent operations in as few store calls as possible', async () => {
    const outcomes = await run([
      ...range(10).map((n) => create({ _id: idOf(n) })),
      ...range(10).map((n) => create({ slug: `child ${n}`, next: referTo(n) })),
      ...range(10).map((n) => upsert('slug', { slug: `child ${n}`, code: n })),
    ]);
    expect(tell(outcomes)).toEqual([...Array(20).fill('created'), ...Array(10).fill('updated')]);
    expect(calls.filter((name) => name === 'write')).toHaveLength(3);
  });

  it('lets assets exchange unique values when it is atomic', async () => {
    const content = contentOver(catalog, store);
    await run([create({ _id: idOf(1), slug: 'a' }), create({ _id: idOf(2), slug: 'b' })], {}, content);
    const operations = [
      upsert('_id', { _id: idOf(1), slug: 'b' }),
      upsert('_id', { _id: idOf(2), slug: 'a' }),
    ];
    const batch = { operations, atomic: true, references: 'checked' } as const;
    expect(tell(await content.trial({}).batch(batch, {}))).toEqual(['updated', 'updated']);
    expect(tell(await content.batch(batch, {}))).toEqual(['updated', 'updated']);
    expect((await store.get(idOf(1)))?.asset.slug).toBe('b');
  });

  it('cannot be atomic without transactions', async () => {
    const content = contentOver(catalog, { ...store, capabilities: { transactions: false, changes: false } });
    await expect(run([create({})], { atomic: true }, content)).rejects.toMatchObject({
      code: 'atomic_unsupported',
    });
    expect(calls).toEqual([]);
  });

  it('do not check references when references are unchecked, and report them on request', async () => {
    const content = contentOver(catalog, store, { referencesChecked: false });
    const operations = [create({ next: referTo(77) })];
    for (const atomic of [false, true]) {
      expect(await run(operations, { atomic }, content)).toMatchObject([{ kind: 'done', unresolved: [] }]);
      const [outcome] = await run(operations, { atomic, references: 'deferred' }, content);
      expect(outcome).toMatchObject({ unresolved: [{ path: 'next', reference: referTo(77) }] });
    }
  });

  it('name by a key the asset that has it, not one whose creation is refused because of it', async () => {
    const named = { _type: noteType, _by: { slug: 'a' } };
    const operations = [
      create({ _id: idOf(1), slug: 'a' }),
      create({ _id: idOf(2), slug: 'a' }),
      create({ _id: idOf(3), next: named }),
      create({ _id: idOf(4), slug: 'a' }),
      create({ _id: idOf(5), next: named }),
    ];
    const outcomes = await run(operations, { references: 'deferred' });
    expect(tell(outcomes)).toEqual(['created', 'value_in_use', 'created', 'value_in_use', 'created']);
    for (const n of [3, 5]) expect((await store.get(idOf(n)))?.asset.next).toEqual(referTo(1));
  });

  describe('when the store fails', () => {
    /** A store whose writes fail after the first `good` ones. */
    const failingAfter = (good: number): ContentStore => {
      let writes = 0;
      return {
        ...store,
        write: async (...args) => {
          if (writes++ >= good) throw storeBusy('for the test');
          return store.write(...args);
        },
      };
    };
    const operations = [
      create({ _id: idOf(1) }),
      create({ next: referTo(1) }),
      create({ nope: 1 }),
      create({}),
    ];

    it('half-way, report the applied operations, and the rest as failed without trying them', async () => {
      const outcomes = await run(operations, {}, contentOver(catalog, failingAfter(1)));
      expect(tell(outcomes)).toEqual(['created', 'store_busy', 'invalid_body', 'store_busy']);
      expect(await store.get(idOf(1))).toBeDefined();
    });

    it('before the first write, the whole batch fails', async () => {
      const sound = operations.slice(0, 2);
      await expect(run(sound, {}, contentOver(catalog, failingAfter(0)))).rejects.toMatchObject({
        code: 'store_busy',
      });
      await expect(run(sound, { atomic: true }, contentOver(catalog, failingAfter(0)))).rejects.toMatchObject(
        {
          code: 'store_busy',
        },
      );
    });
  });

  it('by a number, find the existing asset', async () => {
    const [made] = await run([upsert('code', { code: 5, slug: 'a' })]);
    const [changed] = await run([upsert('code', { code: 5, slug: 'b' })]);
    expect([made, changed]).toMatchObject([
      { effect: 'created', id: made?.kind === 'done' ? made.id : '' },
      { effect: 'updated', id: made?.kind === 'done' ? made.id : '' },
    ]);
  });
});
