/** Cases of references in batches, to stored assets and to assets that the batch creates earlier, later or never. */
import { describe, expect, it } from 'vitest';
import { article, author, noAsset, text } from '../cma/cma-content.ts';
import { type BatchContext, newId, refer, summarize } from './batch-context.ts';

/** Runs the cases. */
export function describeBatchReferences(context: BatchContext): void {
  const { create, post, run, createOf, authorOf } = context;
  describeNamedReferences(context);
  describe('a reference in a batch', () => {
    it('may point to an asset that an earlier operation has created', async () => {
      const [made, failed] = [newId(), newId()];
      expect(
        await run([
          createOf({ author: refer(made) }),
          { action: 'create', asset: authorOf({ _id: made }) },
          { action: 'create', asset: { _id: failed, _type: author } },
          createOf({ author: refer(made) }),
          createOf({ author: refer(failed) }),
          createOf({ related: [refer(made, article)] }),
          { action: 'delete', id: made },
          createOf({ author: refer(made) }),
        ]),
      ).toEqual([
        '400 invalid_body author',
        'created',
        '400 invalid_body slug',
        'created',
        '400 invalid_body author',
        '400 invalid_body related[0]._type',
        'deleted',
        '400 invalid_body author',
      ]);
    });

    it('may point to its own asset', async () => {
      const _id = newId();
      expect(await run([createOf({ _id, related: [refer(_id, article)] })])).toEqual(['created']);
    });

    it('may point to an earlier operation along a chain of forty', async () => {
      const chain = Array.from({ length: 40 }, () => newId());
      const operations = chain.map((_id, n) =>
        createOf({ _id, ...(n > 0 ? { related: [refer(chain[n - 1] ?? '', article)] } : {}) }),
      );
      expect(new Set(await run(operations))).toEqual(new Set(['created']));
    });

    it('may be deferred: a missing target is reported and a target of another type refused', async () => {
      const [later, failed] = [newId(), newId()];
      const other = await create({ _type: text, name: 'no author' });
      const { results } = (
        await post(
          [
            createOf({ author: refer(later), related: [refer(noAsset, article)] }),
            { action: 'create', asset: authorOf({ _id: later }) },
            createOf({ author: refer(later) }),
            createOf({ author: refer(other._id) }),
            { action: 'create', asset: { _id: failed, _type: author, slug: 'BAD', name: 'x' } },
            createOf({ author: refer(failed) }),
          ],
          { references: 'deferred' },
        )
      ).body.result;
      expect(results.map(summarize)).toEqual([
        'created',
        'created',
        'created',
        '400 invalid_body author._type',
        '400 invalid_body slug',
        'created',
      ]);
      expect(results.map(({ unresolved }: { unresolved?: unknown }) => unresolved)).toEqual([
        [
          { path: 'author', _ref: later, _type: author },
          { path: 'related[0]', _ref: noAsset, _type: article },
        ],
        undefined,
        undefined,
        undefined,
        undefined,
        [{ path: 'author', _ref: failed, _type: author }],
      ]);
    });

    it('is reported, when deferred, if the store then refuses its target', async () => {
      const [taken, lost] = [await create(authorOf()), newId()];
      const { results } = (
        await post(
          [
            { action: 'create', asset: authorOf({ _id: lost, slug: taken.slug }) },
            createOf({ author: refer(lost) }),
          ],
          { references: 'deferred' },
        )
      ).body.result;
      expect(results.map(summarize)).toEqual(['409 value_in_use slug', 'created']);
      expect(results[1].unresolved).toEqual([{ path: 'author', _ref: lost, _type: author }]);
    });

    it('may be part of a cycle in an atomic or a deferred batch', async () => {
      const circle = (ids: readonly string[]) =>
        ids.map((_id, n) => createOf({ _id, related: [refer(ids[(n + 1) % ids.length] ?? '', article)] }));
      const three = [newId(), newId(), newId()];
      expect(await run(circle(three), { atomic: true })).toEqual(['created', 'created', 'created']);
      const { results } = (await post(circle([newId(), newId()]), { references: 'deferred' })).body.result;
      expect(results.map(({ unresolved }: { unresolved?: [] }) => unresolved?.length)).toEqual([
        1,
        undefined,
      ]);
      expect(await run(circle([newId(), newId()]))).toEqual([
        '400 invalid_body related[0]',
        '400 invalid_body related[0]',
      ]);
    });
  });
}

/** Names an author, or another asset, by its slug. */
const named = (slug: unknown, _type = author) => ({ _type, _by: { slug } });

/** Runs the cases of references that name their target by a unique field. */
function describeNamedReferences({
  call,
  create,
  post,
  run,
  get,
  createOf,
  authorOf,
  newSlug,
}: BatchContext) {
  describe('a reference by a unique field', () => {
    it('is stored with the _id of its target, also of one that an earlier operation creates, renames or deletes', async () => {
      const [there, made, renamed] = [newSlug(), newSlug(), newSlug()];
      const { _id } = await create(authorOf({ slug: there }));
      const operations = [
        createOf({ author: named(there) }),
        createOf({ author: named(made) }),
        { action: 'create', asset: authorOf({ slug: made }) },
        createOf({ author: named(made) }),
        { action: 'update', asset: { _id, slug: renamed } },
        createOf({ author: named(there) }),
        createOf({ author: named(renamed) }),
        { action: 'upsert', by: 'slug', asset: { ...createOf().asset, author: named(renamed) } },
        { action: 'delete', id: _id },
        createOf({ author: named(renamed) }),
      ];
      const { results } = (await post(operations)).body.result;
      expect(results.map(summarize)).toEqual([
        'created',
        '400 invalid_body author._by',
        'created',
        'created',
        'updated',
        '400 invalid_body author._by',
        'created',
        'created',
        'deleted',
        '400 invalid_body author._by',
      ]);
      for (const [index, target] of [
        [0, _id],
        [3, results[2]._id],
        [6, _id],
        [7, _id],
      ] as const) {
        expect((await get(results[index]._id)).author).toEqual(refer(target));
      }
    });

    it.each([{ atomic: true }, { references: 'deferred' }])(
      'leads to assets of earlier operations alone: %j',
      async (mode) => {
        const slugs = [newSlug(), newSlug()];
        const authors = slugs.map((slug) => ({ action: 'create', asset: authorOf({ slug }) }));
        const articles = slugs.map((slug) => createOf({ author: named(slug) }));
        const { results } = (await post([...authors, ...articles], mode)).body.result;
        expect(results.map(summarize)).toEqual(['created', 'created', 'created', 'created']);
        for (const [index, target] of [
          [2, results[0]._id],
          [3, results[1]._id],
        ] as const) {
          expect((await get(results[index]._id)).author).toEqual(refer(target));
        }
        const late = newSlug();
        const ahead = [
          createOf({ author: named(late) }),
          { action: 'create', asset: authorOf({ slug: late }) },
        ];
        const { status, body } = await post(ahead, mode);
        const path = status === 400 ? body.error.path : body.result.results[0].error.path;
        expect(path.replace('operations[0].asset.', '')).toBe('author._by');
      },
    );

    it('is refused with the path of its mistake', async () => {
      const there = String((await create(authorOf())).slug);
      const of = (author: unknown) => createOf({ author });
      const type = author;
      const message = async (author: unknown) =>
        (await post([of(author)])).body.result.results[0].error.message;
      expect(
        await run([
          of({ _type: type, _by: {} }),
          of({ _type: type, _by: 'ada' }),
          of({ _type: type, _by: null }),
          of({ _type: type, _by: { slug: there, name: 'Ada' } }),
          of({ _type: type, _by: { name: 'Ada' } }),
          of({ _type: type, _by: { slug: 'NOT A SLUG' } }),
          of({ _type: type, _by: { slug: 7 } }),
          of({ _type: type, _by: { slug: there }, _ref: noAsset }),
          of({ _type: type, _by: { slug: there }, name: 'Ada' }),
          of({ _by: { slug: there } }),
          of(named(there, article)),
          createOf({ lead: { _type: 'com.example.news.Image', _by: { url: 'https://a.example/' } } }),
          createOf({ related: [named(there), named(newSlug(), article)] }),
        ]),
      ).toEqual([
        ...Array(4).fill('400 invalid_body author._by'),
        '400 invalid_body author._by.name',
        '400 invalid_body author._by.slug',
        '400 invalid_body author._by.slug',
        '400 invalid_body author._by',
        '400 invalid_body author.name',
        '400 invalid_body author._type',
        '400 invalid_body author._type',
        '400 invalid_body lead._by',
        '400 invalid_body related[1]._by',
      ]);
      expect(await message(named('nobody'))).toBe(
        `author._by names no asset: there is no ${author} with the slug "nobody"`,
      );
      expect(await message({ _type: type, _by: { name: 'Ada' } })).toBe(
        `author._by.name must be a unique field of ${author}: slug`,
      );
    });

    it('is accepted in single writes, and left alone in JSON data', async () => {
      const slug = newSlug();
      const { _id } = await create(authorOf({ slug }));
      const asset = await create({ ...createOf().asset, author: named(slug), importData: named(slug) });
      expect([asset.author, asset.importData]).toEqual([refer(_id), named(slug)]);
      const put = (author: unknown) => call('PUT', { path: `/${asset._id}`, body: { author } });
      await put(null);
      expect((await put(named(slug))).body.result.author).toEqual(refer(_id));
      expect((await put(named('nobody'))).body.error.path).toBe('author._by');
      expect((await call('POST', { body: { ...createOf().asset, author: named('nobody') } })).status).toBe(
        400,
      );
    });

    it('is looked up beside hundreds of others', async () => {
      const there = newSlug();
      await create(authorOf({ slug: there }));
      const missing = (n: number) => Array.from({ length: 20 }, (_, m) => named(`missing-${n}-${m}`));
      const operations = Array.from({ length: 30 }, (_, n) => createOf({ related: missing(n) }));
      const found = createOf({ related: [named(there)] });
      expect(new Set(await run([...operations, found]))).toEqual(
        new Set(['400 invalid_body related[0]._by', 'created']),
      );
    });
  });
}
