/** Processes with different types on one store: each adds the indexes it needs, and none is dropped while a process needs it. */
import { describe, expect, test, vi } from 'vitest';
import type { Asset, Catalog } from '../../../src/model/content-type.ts';
import type { ContentStore } from '../../../src/store/port.ts';
import type { ServedTypes, ServingTiming } from '../../../src/store/served-types.ts';
import { catalogOf } from '../../support/types.ts';
import { type CreateHarness, codeOf, useRawDatabase } from './harness.ts';
import { idOf, toWhere } from './suite-content.ts';

const note = (fields: string) => catalogOf(`type Note @contentType(class: "x.Note") { ${fields} }`);
const noteOf = (n: number, fields: object): Asset => ({ _id: idOf(n), _type: 'x.Note', ...fields });
const typesOf = (name: string): ServedTypes => ({
  sources: [{ file: `${name}.graphql`, text: '' }],
  folder: `/${name}`,
  areShipped: false,
});

/** The timing of processes none of which expires in the test, however busy the machine is. */
const steady: ServingTiming = { heartbeatMs: 60, expiryMs: 60_000 };
/** The timing of a process that soon considers others dead. */
const quick: ServingTiming = { heartbeatMs: 60, expiryMs: 600 };
/** The timing of a process that is suspended right after its start: it sends no heartbeat. */
const frozen: ServingTiming = { heartbeatMs: 1_000_000, expiryMs: 600 };

const unique = note('slug: String @indexed(unique: true) title: String tags: [String!] @indexed');
const plain = note('slug: String heading: String');

/** Cases for `prepare` and `serve`. */
export function describeServing(createHarness: CreateHarness): void {
  const open = useRawDatabase(createHarness);

  const serve = async (catalog: Catalog, name: string, timing: ServingTiming = steady) => {
    const store = await open(catalog, { timing });
    await store.serve(typesOf(name));
    return store;
  };
  const add = (store: ContentStore, asset: Asset) => store.insert({ asset, version: 'v' });
  const insert = (store: ContentStore, asset: Asset) => codeOf(add(store, asset));

  test('opening a store with other types changes nothing', async () => {
    const first = await serve(unique, 'unique');
    await add(first, noteOf(1, { slug: 'a', title: 'red fox', tags: ['t'] }));
    const reader = await open(note('slug: String @indexed title: RichText tags: [String!]'));
    expect(await findIds(reader, plain, 'slug = a')).toEqual([1]);
    await reader.close();
    expect(await insert(first, noteOf(2, { slug: 'a' }))).toBe('value_in_use');
    expect(await findIds(first, unique, 'title matches red')).toEqual([1]);
    expect(await findIds(first, unique, 'tags = t')).toEqual([1]);
  });

  test('searches work without indexes, and findUnenforcedUniqueFields lists unique fields that have none', async () => {
    const store = await open(unique);
    await add(store, noteOf(1, { slug: 'a', tags: ['t'] }));
    expect(await findIds(store, unique, 'tags = t')).toEqual([1]);
    expect(await findIds(store, unique, 'slug = a')).toEqual([1]);
    expect(await store.findUnenforcedUniqueFields()).toEqual([{ type: 'x.Note', field: 'slug' }]);
    await store.prepare();
    expect(await store.findUnenforcedUniqueFields()).toEqual([]);
    expect(await findIds(store, unique, 'tags = t')).toEqual([1]);
    expect(await insert(store, noteOf(2, { slug: 'a' }))).toBe('value_in_use');
  });

  describe('with two processes of different types', () => {
    test('the stricter definition of a field applies to both, and full-text search follows the types of each', async () => {
      const strict = await serve(unique, 'unique');
      await add(strict, noteOf(1, { slug: 'a', title: 'red fox' }));
      const lax = await serve(plain, 'plain');
      await add(lax, noteOf(2, { slug: 'b', heading: 'red dog' }));
      expect(await insert(lax, noteOf(3, { slug: 'a' }))).toBe('value_in_use');
      expect(await insert(strict, noteOf(3, { slug: 'b' }))).toBe('value_in_use');
      const patch = { id: idOf(2), type: 'x.Note', set: { slug: 'a' }, unset: [], version: 'w' };
      expect(await codeOf(lax.patch(patch))).toBe('value_in_use');
      const writes = [4, 5].map((n) => ({ asset: noteOf(n, { slug: `c${n % 2}` }), version: 'v' }));
      const batch = [...writes, { asset: noteOf(6, { slug: 'a' }), version: 'v' }];
      const outcomes = await lax.write(batch.map((one) => ({ kind: 'insert', ...one })));
      expect(outcomes.map(({ kind }) => kind)).toEqual(['done', 'done', 'failed']);
      expect(outcomes[2]).toMatchObject({ error: { code: 'value_in_use' } });
      expect(await findIds(strict, unique, 'title matches red')).toEqual([1]);
      expect(await findIds(lax, plain, 'heading matches red')).toEqual([2]);
    });

    test('the indexes of one have what the other writes, whose types lack them', async () => {
      const fields = 'slug: String tags: [String!] count: Int at: Place';
      const withPlace = (sdl: string) =>
        catalogOf(`type Note @contentType(class: "x.Note") { ${sdl} }
        type Place { city: String }`);
      const bare = withPlace(fields);
      const indexed = catalogOf(`type Note @contentType(class: "x.Note") {
        slug: String @indexed tags: [String!] @indexed count: Int @indexed at: Place }
        type Place { city: String @indexed }`);
      const wide = await serve(indexed, 'wide');
      const narrow = await serve(bare, 'narrow');
      const values = { slug: 'a', tags: ['t', 'u'], count: 1, at: { city: 'bern' } };
      for (const n of [1, 2, 3]) await add(narrow, noteOf(n, values));
      const changed = { type: 'x.Note', version: 'w' };
      const set = { tags: ['u', 'w'], at: { city: 'oslo' } };
      await narrow.patch({ ...changed, id: idOf(2), set, unset: ['slug'] });
      await narrow.patch({ ...changed, id: idOf(2), set: { count: 2 }, unset: [] });
      await narrow.delete({ id: idOf(3), type: 'x.Note' });
      const found = async (where: string) => findIds(wide, indexed, where);
      expect(await found('slug = a')).toEqual([1]);
      expect(await found('slug != a')).toEqual([2]);
      expect(await found('tags = t')).toEqual([1]);
      expect(await found('tags = u')).toEqual([1, 2]);
      expect(await found('tags = w')).toEqual([2]);
      expect(await found('count > 1')).toEqual([2]);
      expect(await found('at.city = bern')).toEqual([1]);
      expect(await found('at.city = oslo and count = 2')).toEqual([2]);
    });

    test('a unique field of the later process applies to the earlier one at once', async () => {
      const lax = await serve(plain, 'plain', { heartbeatMs: 1_000_000, expiryMs: 60_000 });
      const strict = await serve(unique, 'unique');
      await add(strict, noteOf(1, { slug: 'a' }));
      const twin = { asset: noteOf(2, { slug: 'a' }), version: 'v' };
      expect(await codeOf(lax.insert(twin))).toBe('value_in_use');
      if (lax.capabilities.transactions) {
        const [outcome] = await lax.write([{ kind: 'insert', ...twin }], { atomic: true });
        expect(outcome).toMatchObject({ kind: 'failed', error: { code: 'value_in_use' } });
      }
    });

    test('a later process extends the full-text index to its fields of stored assets, embedded ones included', async () => {
      const [a, b] = [
        catalogOf('type Note @contentType(class: "x.Note") { at: Place } type Place { city: String }'),
        catalogOf(
          'type Note @contentType(class: "x.Note") { at: Place t: String } type Place { city: String zip: String }',
        ),
      ];
      const wide = await serve(b, 'wide');
      await add(wide, noteOf(1, { at: { city: 'oslo town', zip: 'n 1' }, t: 'words' }));
      const narrow = await serve(a, 'narrow');
      const third = await serve(b, 'wide again');
      for (const store of [wide, third]) {
        expect(await findIds(store, b, 'at.zip matches n')).toEqual([1]);
        expect(await findIds(store, b, 't matches words')).toEqual([1]);
      }
      expect(await findIds(narrow, a, 'at.city matches town')).toEqual([1]);
    });

    test('the rules of a process expire some time after it ends, not before', async () => {
      const expiryMs = 2_000;
      const strict = await serve(unique, 'unique', { ...quick, expiryMs });
      await add(strict, noteOf(1, { slug: 'a', title: 'red' }));
      const lax = await serve(plain, 'plain', { ...quick, expiryMs });
      const startMs = performance.now();
      await strict.close();
      const early = await insert(lax, noteOf(2, { slug: 'a' }));
      // On a machine that stood still for the whole time, nothing is early.
      if (performance.now() - startMs < expiryMs) expect(early).toBe('value_in_use');
      await vi.waitUntil(async () => (await insert(lax, noteOf(3, { slug: 'a' }))) === undefined, {
        timeout: 60_000,
        interval: 50,
      });
      const reader = await open(unique);
      expect(await reader.findUnenforcedUniqueFields()).toHaveLength(1);
      expect(await findIds(lax, plain, 'slug = a')).toEqual(early === undefined ? [1, 2, 3] : [1, 3]);
    });

    test('a process that fails to start leaves the indexes of the other in place', async () => {
      const lax = await serve(plain, 'plain');
      for (const n of [1, 2]) await add(lax, noteOf(n, { slug: 'twice', heading: 'red' }));
      const error: unknown = await serve(unique, 'unique').catch((reason: unknown) => reason);
      expect(String(error)).toMatch(/x\.Note.*slug.*2 assets have "twice"/s);
      const strictElsewhere = note('slug: String heading: String @indexed(unique: true)');
      const failing: unknown = await serve(strictElsewhere, 'other').catch((reason: unknown) => reason);
      expect(String(failing)).toMatch(/heading.*"red"/s);
      expect(await findIds(lax, plain, 'heading matches red')).toEqual([1, 2]);
      expect(await insert(lax, noteOf(3, { slug: 'twice' }))).toBeUndefined();
    });

    test('a process suspended beyond its expiry restores its unique field with its next write', async () => {
      const strict = await serve(unique, 'unique', frozen);
      await add(strict, noteOf(1, { slug: 'a', title: 'red' }));
      const impatient = await serve(plain, 'plain', quick);
      await vi.waitUntil(async () => (await (await open(unique)).findUnenforcedUniqueFields()).length > 0, {
        timeout: 60_000,
        interval: 100,
      });
      // Nobody considers the process dead again, however long the machine takes for its writes.
      await impatient.close();
      const lax = await serve(plain, 'plain');
      // The store is busy while it builds the index, for as long as the machine takes.
      await expect
        .poll(() => insert(strict, noteOf(2, { slug: 'a' })), { timeout: 60_000 })
        .toBe('value_in_use');
      expect(await insert(strict, noteOf(2, { slug: 'b' }))).toBeUndefined();
      expect(await findIds(strict, unique, 'title matches red')).toEqual([1]);
      expect(await insert(lax, noteOf(3, { slug: 'b' }))).toBe('value_in_use');
    });

    test('a process suspended while duplicates were written refuses to write', async () => {
      const strict = await serve(unique, 'unique', frozen);
      await add(strict, noteOf(1, { slug: 'a' }));
      const lax = await serve(plain, 'plain', quick);
      await vi.waitUntil(async () => (await insert(lax, noteOf(2, { slug: 'a' }))) === undefined, {
        timeout: 60_000,
        interval: 100,
      });
      expect(await insert(strict, noteOf(3, { slug: 'c' }))).toBe('store_busy');
      expect(await lax.get(idOf(3))).toBeUndefined();
    });
  });

  test('the full-text index of a field is rebuilt when its type changes and no process needs the old one', async () => {
    const [text, rich] = [note('body: String'), note('body: RichText')];
    const first = await serve(text, 'text');
    await add(first, noteOf(1, { body: '<p>fox</p>' }));
    expect(await findIds(first, text, 'body matches p')).toEqual([1]);
    await first.close();
    const second = await serve(rich, 'rich');
    expect(await findIds(second, rich, 'body matches p')).toEqual([]);
    expect(await findIds(second, rich, 'body matches fox')).toEqual([1]);
  });
}

async function findIds(store: ContentStore, catalog: Catalog, text: string): Promise<number[]> {
  const types = ['x.Note'];
  const where = toWhere(catalog, { classes: types, text });
  const { items } = await store.find({ types, where, offset: 0, limit: 100, withCount: false });
  return items.map(({ asset }) => Number.parseInt(asset._id.slice(-12), 16));
}
