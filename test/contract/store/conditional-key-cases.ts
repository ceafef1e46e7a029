/** Keys that hold among the assets which meet a condition: in every kind of write, between processes, and on a store that has assets. */
import { describe, expect, test } from 'vitest';
import { isDomainError } from '../../../src/base/errors.ts';
import type { Asset, Json } from '../../../src/model/content-type.ts';
import type { AssetWrite, ContentStore, WriteOutcome } from '../../../src/store/port.ts';
import { catalogOf } from '../../support/types.ts';
import { type CreateHarness, useDatabase, useRawDatabase } from './harness.ts';
import { idOf } from './suite-content.ts';

const pageOf = (directives: string) =>
  catalogOf(`
    type Page @contentType(class: "suite.Page") ${directives} {
      slug: String
      lang: String @indexed
      amount: Decimal
      state: String
      parts: [Part!]
      note: String
    }
    type Part { tags: [String!] }`);
const plain = pageOf('');
// Neither the operators nor the negation can be the filter of an index of MongoDB.
const keyed = pageOf(`
  @unique(fields: ["slug"], where: "not (state contains[c] old or parts.tags = hidden)")
  @unique(fields: ["lang", "amount"], where: "note matches 'spring*'")`);

type Fields = Readonly<Record<string, Json>>;

const typesOf = (name: string) => ({
  sources: [{ file: `${name}.graphql`, text: '' }],
  folder: `/${name}`,
  areShipped: false,
});

/** The timing of processes that soon know of each other. */
const timing = { heartbeatMs: 60, expiryMs: 60_000 };
const type = 'suite.Page';
const text = { kind: 'scalar', scalar: 'String' } as const;
let versions = 0;
const assetOf = (n: number, fields: Fields): Asset => ({ _id: idOf(n), _type: type, ...fields });
const insert = (n: number, fields: Fields): AssetWrite => ({
  kind: 'insert',
  asset: assetOf(n, fields),
  version: `v-${++versions}`,
});
const patch = (n: number, set: Fields, ...unset: string[]): AssetWrite => ({
  kind: 'patch',
  id: idOf(n),
  type,
  set,
  unset,
  version: `v-${++versions}`,
});
const remove = (n: number): AssetWrite => ({ kind: 'delete', id: idOf(n), type });
const outcomeOf = (outcome: WriteOutcome) => (outcome.kind === 'failed' ? outcome.error.code : outcome.kind);

/** Applies each write by itself; returns `done`, or the field and the value that are in use. */
async function each(store: ContentStore, ...writes: AssetWrite[]): Promise<string[]> {
  const results: string[] = [];
  for (const write of writes) {
    try {
      if (write.kind === 'insert') await store.insert(write);
      else if (write.kind === 'patch') await store.patch(write);
      else await store.delete(write);
      results.push('done');
    } catch (error) {
      if (!isDomainError(error, 'value_in_use')) throw error;
      results.push(`${error.details.field}: ${error.details.value}`);
    }
  }
  return results;
}

const apply = async (store: ContentStore, atomic: boolean, ...writes: AssetWrite[]) =>
  (await store.write(writes, { atomic })).map(outcomeOf);

/** Cases for `@unique` with `where`. */
export function describeConditionalKeys(createHarness: CreateHarness): void {
  const prepare = useDatabase(createHarness);

  test('hold among the assets that meet the condition, in single writes', async () => {
    const store = await prepare(keyed);
    expect(
      await each(
        store,
        insert(1, { slug: 'a' }),
        insert(2, { slug: 'a' }),
        insert(2, { slug: 'a', state: 'OLDER' }),
        insert(3, { slug: 'a', parts: [{ tags: ['x', 'hidden'] }] }),
        // Into the condition, by each of the fields that it reads.
        patch(2, {}, 'state'),
        patch(2, { state: 'new' }),
        patch(3, { parts: [] }),
        patch(2, { note: 'says nothing about it' }),
        // Out of it, and by another value.
        patch(1, { state: 'old' }),
        patch(2, { state: 'new' }),
        patch(3, { parts: [], slug: 'c' }),
        patch(1, { state: 'new' }),
        patch(1, { slug: 'b', state: 'new' }),
        patch(2, {}, 'slug'),
        patch(3, { slug: 'a' }),
        remove(3),
        patch(1, { slug: 'a' }),
      ),
    ).toEqual([
      'done',
      'slug: a',
      'done',
      'done',
      'slug: a',
      'slug: a',
      'slug: a',
      'done',
      'done',
      'done',
      'done',
      'slug: a',
      'done',
      'done',
      'done',
      'done',
      'done',
    ]);
  });

  test('compare several fields by their order, and have words in the condition', async () => {
    const store = await prepare(keyed);
    expect(
      await each(
        store,
        insert(1, { lang: 'en', amount: '1.50', note: 'Springtime!' }),
        insert(2, { lang: 'en', amount: '1.5', note: 'autumn' }),
        insert(3, { lang: 'en', amount: '1.5', note: 'of spring' }),
        patch(2, { note: 'SPRING' }),
        patch(2, { note: 'SPRING', lang: 'de' }),
        insert(4, { lang: 'en', note: 'spring' }),
      ),
    ).toEqual(['done', 'done', 'lang,amount: en, 1.5', 'lang,amount: en, 1.5', 'done', 'done']);
  });

  test('hold in batches, in the order of the writes', async () => {
    const store = await prepare(keyed);
    const writes = [
      insert(1, { slug: 'a' }),
      insert(2, { slug: 'a', state: 'old' }),
      patch(2, { state: 'new' }),
      patch(1, { state: 'old' }),
      patch(2, { state: 'new' }),
      insert(3, { slug: 'a' }),
      patch(2, { slug: 'b' }),
      insert(3, { slug: 'a' }),
      patch(1, { state: 'new' }),
      remove(3),
      patch(1, { state: 'new' }),
      patch(1, { note: 'anything' }),
      // What a write leaves behind is released by a later one.
      patch(1, { slug: 'z' }),
      remove(1),
      insert(4, { slug: 'z' }),
      insert(5, { slug: 'a' }),
    ];
    expect(await apply(store, false, ...writes)).toEqual([
      'done',
      'done',
      'value_in_use',
      'done',
      'done',
      'value_in_use',
      'done',
      'done',
      'value_in_use',
      'done',
      'done',
      'done',
      'done',
      'done',
      'done',
      'done',
    ]);
  });

  test('are exchanged by an atomic batch, of which nothing remains if they repeat in the end', async () => {
    const store = await prepare(keyed);
    await store.write([
      insert(1, { slug: 'a', state: 'new' }),
      insert(2, { slug: 'a', state: 'old' }),
      insert(3, { slug: 'b', state: 'new' }),
    ]);
    const takeOver = [patch(2, { state: 'new' }), patch(1, { state: 'old' })];
    expect(await apply(store, true, ...takeOver)).toEqual(['done', 'done']);
    const swap = [patch(2, { slug: 'b' }), patch(3, { slug: 'a' })];
    expect(await apply(store, true, ...swap)).toEqual(['done', 'done']);
    const repeated = [patch(3, { note: 'x' }), patch(1, { state: 'new' })];
    expect(await apply(store, true, ...repeated)).toEqual(['undone', 'value_in_use']);
    expect((await store.get(idOf(3)))?.asset).toEqual(assetOf(3, { slug: 'a', state: 'new' }));
    // What the exchange stored keeps its keys.
    expect(await each(store, insert(4, { slug: 'b' }), insert(5, { slug: 'a', state: 'new' }))).toEqual([
      'slug: b',
      'slug: a',
    ]);
  });

  test('have one winner of 20 writes at once', async () => {
    const store = await prepare(keyed);
    const created = await Promise.all(
      Array.from({ length: 20 }, (_, n) => each(store, insert(n + 1, { slug: 'a' }))),
    );
    expect(created.flat().filter((outcome) => outcome === 'done')).toHaveLength(1);
    await store.write(Array.from({ length: 20 }, (_, n) => insert(n + 30, { slug: 'b', state: 'old' })));
    const entered = await Promise.all(
      Array.from({ length: 20 }, (_, n) => each(store, patch(n + 30, { state: 'new' }))),
    );
    expect(entered.flat().filter((outcome) => outcome === 'done')).toHaveLength(1);
    // The value and the condition come from different writes of one asset.
    await store.write([insert(60, { slug: 'c', state: 'old' }), insert(61, { slug: 'd', state: 'new' })]);
    await Promise.all([each(store, patch(60, { slug: 'd' })), each(store, patch(60, { state: 'new' }))]);
    const { asset } = (await store.get(idOf(60))) ?? {};
    expect([asset?.slug, asset?.state]).not.toEqual(['d', 'new']);
  });

  test('are no index that finds assets', async () => {
    const store = await prepare(keyed);
    await store.write([insert(1, { slug: 'a' }), insert(2, { slug: 'a', state: 'old' })]);
    const path = { text: 'slug', steps: [{ name: 'slug', list: false }], leaf: text };
    const where = { kind: 'equals', path, values: ['a'], ignoreCase: false } as const;
    const { items } = await store.find({ types: [type], where, offset: 0, limit: 10, withCount: false });
    expect(items).toHaveLength(2);
  });

  describe('on a store that has assets', () => {
    const open = useRawDatabase(createHarness);

    test('hold from the start on, unless assets repeat the values, whose start is refused', async () => {
      const former = await open(plain);
      await former.prepare();
      await former.write([
        insert(1, { slug: 'a' }),
        insert(2, { slug: 'a' }),
        insert(3, { slug: 'a', state: 'old' }),
        insert(4, { slug: 'b' }),
      ]);
      const refused = await open(keyed);
      await expect(refused.prepare()).rejects.toThrow(
        `suite.Page slug cannot become unique: 2 assets have "a": ${idOf(1)}, ${idOf(2)}`,
      );
      await each(former, patch(2, { slug: 'c' }));
      const store = await open(keyed);
      await store.prepare();
      expect(
        await each(store, insert(5, { slug: 'a' }), patch(3, { state: 'new' }), patch(4, { slug: 'c' })),
      ).toEqual(['slug: a', 'slug: a', 'slug: c']);
      expect(await store.findUnenforcedUniqueFields()).toEqual([]);
    });

    test('hold for a server whose types lack them', async () => {
      const former = await open(plain, { timing });
      await former.serve(typesOf('former'));
      await former.write([insert(1, { slug: 'a' }), insert(2, { slug: 'a', state: 'old' })]);
      const store = await open(keyed, { timing });
      await store.serve(typesOf('keyed'));
      expect(
        await each(former, insert(3, { slug: 'a' }), patch(2, { state: 'new' }), patch(1, { state: 'old' })),
      ).toEqual(['slug: a', 'slug: a', 'done']);
      expect(await each(store, patch(2, { state: 'new' }), patch(1, { state: 'new' }))).toEqual([
        'done',
        'slug: a',
      ]);
      expect(await apply(former, false, patch(2, { slug: 'b' }), patch(1, { state: 'x' }))).toEqual([
        'done',
        'done',
      ]);
    });
  });
}
