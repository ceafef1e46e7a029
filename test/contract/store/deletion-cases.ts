/** Deletions that references with `@onDelete(action: RESTRICT)` refuse, also beside new references and in stores that others have open. */
import { describe, expect, test } from 'vitest';
import { isDomainError } from '../../../src/base/errors.ts';
import type { Asset, Json } from '../../../src/model/content-type.ts';
import type { AssetWrite, ContentStore, WriteOutcome } from '../../../src/store/port.ts';
import type { ServedTypes } from '../../../src/store/served-types.ts';
import { catalogOf } from '../../support/types.ts';
import { type CreateHarness, codeOf as errorOf, useRawDatabase, useStore } from './harness.ts';
import { idOf } from './suite-content.ts';

const articleWith = (onDelete: string) =>
  catalogOf(`
    interface Named @contentType(class: "rule.Named") { name: String }
    type Author implements Named @contentType(class: "rule.Author") { name: String }
    type Tag implements Named @contentType(class: "rule.Tag") { name: String }
    type Place { guide: Author @indexed ${onDelete} }
    type Article @contentType(class: "rule.Article") {
      slug: String @indexed(unique: true)
      author: Author @indexed ${onDelete}
      authors: [Author!] @indexed ${onDelete}
      about: Named @indexed ${onDelete}
      place: Place
      places: [Place!]
      next: Article @indexed ${onDelete}
      reader: Author @indexed
    }
  `);
const ruled = articleWith('@onDelete(action: RESTRICT)');
const plain = articleWith('');

const typesOf = (name: string): ServedTypes => ({
  sources: [{ file: `${name}.graphql`, text: '' }],
  folder: `/${name}`,
  areShipped: false,
});
const timing = { heartbeatMs: 60, expiryMs: 60_000 };

type Fields = Readonly<Record<string, Json>>;
const ref = (n: number, type = 'Author') => ({ _ref: idOf(n), _type: `rule.${type}` });
const assetOf = (type: string, n: number, fields: Fields = {}): Asset => ({
  _id: idOf(n),
  _type: `rule.${type}`,
  ...fields,
});

/** Returns the code of an error, or `done`. */
const codeOf = async (result: Promise<unknown>) => (await errorOf(result)) ?? 'done';

/** How many rounds of two writers at once. */
const rounds = 20;

/** Cases for the rules of deletion. */
export function describeDeletions(createHarness: CreateHarness): void {
  let versions = 0;
  const insert = (type: string, n: number, fields: Fields = {}): Extract<AssetWrite, { kind: 'insert' }> => ({
    kind: 'insert',
    asset: assetOf(type, n, fields),
    version: `v-${++versions}`,
  });
  const patch = (n: number, set: Fields, unset: readonly string[] = []): AssetWrite => ({
    kind: 'patch',
    id: idOf(n),
    type: 'rule.Article',
    set,
    unset,
    version: `v-${++versions}`,
  });
  const remove = (type: string, n: number): AssetWrite => ({
    kind: 'delete',
    id: idOf(n),
    type: `rule.${type}`,
  });
  const outcomesOf = (outcomes: readonly WriteOutcome[]) =>
    outcomes.map((outcome) => (outcome.kind === 'failed' ? outcome.error.code : outcome.kind));

  describe('one process', () => {
    const store = useStore(createHarness, { catalog: ruled });
    let base = 0;
    /** Returns numbers that no other case has. */
    const numbers = () => {
      base += 100;
      return [base, base + 1, base + 2, base + 3] as const;
    };
    const write = async (...writes: AssetWrite[]) => outcomesOf(await store().write(writes));
    const writeAll = async (...writes: AssetWrite[]) =>
      outcomesOf(await store().write(writes, { atomic: true }));
    const deletion = (type: string, n: number) =>
      codeOf(store().delete({ id: idOf(n), type: `rule.${type}` }));

    test.each<[string, (author: number) => Fields]>([
      ['a reference', (author) => ({ author: ref(author) })],
      ['a list', (author) => ({ authors: [ref(author)] })],
      ['a reference to an interface', (author) => ({ about: ref(author) })],
      ['an embedded value', (author) => ({ place: { guide: ref(author) } })],
      ['a list of embedded values', (author) => ({ places: [{}, { guide: ref(author) }] })],
    ])('is refused while %s names the asset, and tells the referrers', async (_, fieldsOf) => {
      const [author, article] = numbers();
      await write(insert('Author', author), insert('Article', article, fieldsOf(author)));
      const error = await store()
        .delete({ id: idOf(author), type: 'rule.Author' })
        .catch((thrown) => thrown);
      expect(isDomainError(error, 'referenced') && error.details).toEqual({
        id: idOf(author),
        found: [{ _id: idOf(article), _type: 'rule.Article' }],
      });
      expect(await store().get(idOf(author))).toBeDefined();
      await write(remove('Article', article));
      expect(await deletion('Author', author)).toBe('done');
    });

    test('passes beside other references, those of the asset itself, and those that were taken out', async () => {
      const [author, article, other] = numbers();
      await write(
        insert('Author', author),
        insert('Article', article, { reader: ref(author), next: ref(article, 'Article') }),
        insert('Article', other, { author: ref(author), authors: [ref(author)] }),
        patch(other, { authors: [] }, ['author']),
      );
      expect(await deletion('Author', author)).toBe('done');
      expect(await deletion('Article', article)).toBe('done');
    });

    test('judges independent writes one after the other', async () => {
      const [author, article] = numbers();
      await write(insert('Author', author), insert('Article', article, { author: ref(author) }));
      expect(await write(remove('Author', author), remove('Article', article))).toEqual([
        'referenced',
        'done',
      ]);
      await write(insert('Article', article, { author: ref(author) }));
      expect(await write(remove('Article', article), remove('Author', author))).toEqual(['done', 'done']);
    });

    test('judges an atomic batch by its end state', async () => {
      const [author, article, other] = numbers();
      await write(
        insert('Author', author),
        insert('Article', article, { author: ref(author), slug: `s-${author}` }),
      );
      const added = insert('Article', other, { author: ref(author) });
      expect(await writeAll(remove('Author', author), remove('Article', article), added)).toEqual([
        'referenced',
        'undone',
        'undone',
      ]);
      expect(await store().get(idOf(article))).toBeDefined();
      // The new article takes the slug of the one that goes.
      const taking = insert('Article', other, { slug: `s-${author}` });
      expect(await writeAll(remove('Author', author), taking, remove('Article', article))).toEqual([
        'done',
        'done',
        'done',
      ]);
      expect(await store().get(idOf(author))).toBeUndefined();
    });

    test('accepts an asset that an atomic batch deletes and creates again', async () => {
      const [author, article] = numbers();
      await write(insert('Author', author), insert('Article', article, { author: ref(author) }));
      expect(await writeAll(remove('Author', author), insert('Author', author, { name: 'A' }))).toEqual([
        'done',
        'done',
      ]);
    });

    test('refuses the erasure of a live asset', async () => {
      const [author, article] = numbers();
      await write(insert('Author', author), insert('Article', article, { author: ref(author) }));
      const erasure = { id: idOf(author), type: 'rule.Author', change: 'e', purge: 'later' } as const;
      expect(await codeOf(store().changes.erase(erasure))).toBe('referenced');
      expect(await codeOf(store().delete({ id: idOf(author), type: 'rule.Author', erase: true }))).toBe(
        'referenced',
      );
      expect((await store().changes.history({ asset: idOf(author), limit: 10 })).entries).toHaveLength(1);
    });

    test('refuses a write whose target is gone since its sender has found it, where a rule would have kept it', async () => {
      const [author, article, other] = numbers();
      const targets = [{ id: idOf(author), path: 'author' }];
      const lost = { ...insert('Article', article, { author: ref(author) }), targets };
      expect(await codeOf(store().insert(lost))).toBe('invalid_body');
      expect(await writeAll(insert('Article', other), lost)).toEqual(['undone', 'invalid_body']);
      expect(await write(insert('Article', other), lost)).toEqual(['done', 'invalid_body']);
      expect(await write({ ...patch(other, { author: ref(author) }), targets } as AssetWrite)).toEqual([
        'invalid_body',
      ]);
      // Without them, references may lead nowhere.
      expect(await write(insert('Article', article, { author: ref(author) }))).toEqual(['done']);
      expect(
        await writeAll(
          lost.kind === 'insert' ? { ...lost, asset: { ...lost.asset, _id: idOf(author + 9) } } : lost,
          insert('Author', author),
        ),
      ).toEqual(['done', 'done']);
    });
  });

  describe('several processes', () => {
    const open = useRawDatabase(createHarness);
    const serve = async (catalog: typeof ruled, name: string): Promise<ContentStore> => {
      const store = await open(catalog, { timing });
      await store.serve(typesOf(name));
      return store;
    };

    test('never let a new reference and the deletion of its target both pass', async () => {
      const [one, two] = [await serve(ruled, 'one'), await serve(ruled, 'two')];
      const passed: string[] = [];
      for (let round = 0; round < rounds; round++) {
        const [author, article] = [1_000 + 2 * round, 1_001 + 2 * round];
        await one.insert(insert('Author', author));
        const targets = [{ id: idOf(author), path: 'author' }];
        const added = { ...insert('Article', article, { author: ref(author) }), targets };
        const [adding, deleting] = round % 2 === 0 ? [one, two] : [two, one];
        const results = await Promise.all([
          codeOf(adding.insert(added)),
          codeOf(deleting.delete({ id: idOf(author), type: 'rule.Author' })),
        ]);
        passed.push(results.join());
        const [isThere, refers] = [await one.get(idOf(author)), await one.get(idOf(article))];
        expect([results, isThere !== undefined, refers !== undefined]).toEqual([
          results,
          results[1] !== 'done',
          results[0] === 'done',
        ]);
      }
      expect(new Set(passed).has('done,done')).toBe(false);
      expect(
        [...new Set(passed)].filter((one) => !['done,referenced', 'invalid_body,done'].includes(one)),
      ).toEqual([]);
    });

    test('never let many references and a deletion both pass', async () => {
      const [one, two] = [await serve(ruled, 'one'), await serve(ruled, 'two')];
      for (let round = 0; round < rounds; round++) {
        const author = 2_000 + 10 * round;
        await one.insert(insert('Author', author));
        const targets = [{ id: idOf(author), path: 'authors[0]' }];
        const adding = [1, 2, 3, 4].map((n) => ({
          ...insert('Article', author + n, { authors: [ref(author)] }),
          targets,
        }));
        const [deleted, ...added] = await Promise.all([
          codeOf(two.delete({ id: idOf(author), type: 'rule.Author' })),
          ...adding.map((write, n) => codeOf((n % 2 === 0 ? one : two).insert(write))),
        ]);
        const isAdded = added.includes('done');
        expect([deleted, isAdded]).toEqual(isAdded ? ['referenced', true] : ['done', false]);
      }
    });

    test('obey the rules of each other while they serve', async () => {
      const former = await serve(plain, 'former');
      await former.insert(insert('Author', 1));
      await former.insert(insert('Article', 2, { author: ref(1) }));
      const now = await serve(ruled, 'now');
      const deletion = { id: idOf(1), type: 'rule.Author' };
      expect(await codeOf(former.delete(deletion))).toBe('referenced');
      const targets = [{ id: idOf(9), path: 'author' }];
      expect(await codeOf(former.insert({ ...insert('Article', 3, { author: ref(9) }), targets }))).toBe(
        'invalid_body',
      );
      await now.close();
      // Without a serving process that has the rule, the one that serves decides.
      await expect.poll(() => codeOf(former.delete(deletion)), { timeout: 5_000 }).toBe('done');
    });

    test('start together with different rules, and obey all of them', async () => {
      const other = catalogOf(`
        type Author @contentType(class: "rule.Author") { name: String }
        type Article @contentType(class: "rule.Article") { reader: Author @indexed @onDelete(action: RESTRICT) }`);
      const [one, two] = await Promise.all([serve(ruled, 'one'), serve(other, 'two')]);
      for (const n of [1, 2]) await one.insert(insert('Author', n));
      await one.insert(insert('Article', 3, { reader: ref(1), author: ref(2) }));
      for (const store of [one, two])
        for (const n of [1, 2])
          expect(await codeOf(store.delete({ id: idOf(n), type: 'rule.Author' }))).toBe('referenced');
    });

    test('obey the rules of the last one that served while none does', async () => {
      const last = await serve(ruled, 'last');
      await last.insert(insert('Author', 1));
      await last.insert(insert('Article', 2, { author: ref(1) }));
      await last.close();
      const command = await open(plain);
      expect(await codeOf(command.delete({ id: idOf(1), type: 'rule.Author' }))).toBe('referenced');
    });

    test('answer store_busy until the index of a rule exists', async () => {
      const former = await open(catalogOf('type Author @contentType(class: "rule.Author") { name: String }'));
      await former.prepare();
      await former.insert(insert('Author', 1));
      await former.close();
      const store = await open(ruled);
      expect(await codeOf(store.delete({ id: idOf(1), type: 'rule.Author' }))).toBe('store_busy');
      await store.prepare();
      expect(await codeOf(store.delete({ id: idOf(1), type: 'rule.Author' }))).toBe('done');
    });
  });
}
