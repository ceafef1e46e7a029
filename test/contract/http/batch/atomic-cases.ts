/** Cases of atomic batches, which run completely or not at all. */
import { describe, expect, it } from 'vitest';
import { article, author, noAsset } from '../cma/cma-content.ts';
import { type BatchContext, newId, type Operation, refer } from './batch-context.ts';

/** Runs the cases. */
export function describeAtomicBatches({
  call,
  create,
  newArticle,
  newSlug,
  post,
  run,
  get,
  createOf,
  authorOf,
}: BatchContext): void {
  describe('an atomic batch', () => {
    it('runs all operations, and each sees the results of the earlier ones', async () => {
      const [one, _id, slug] = [await create(newArticle()), newId(), newSlug()];
      expect(
        await run(
          [
            createOf({ author: refer(_id) }),
            { action: 'delete', id: one._id },
            createOf({ slug: one.slug }),
            { action: 'create', asset: authorOf({ _id }) },
            { action: 'upsert', by: 'slug', asset: newArticle({ slug }) },
            { action: 'upsert', by: 'slug', asset: { _type: article, slug, headline: 'twice' } },
          ],
          { atomic: true },
        ),
      ).toEqual(['created', 'deleted', 'created', 'created', 'created', 'updated']);
    });

    it('applies patches all or none, and names what is wrong with them', async () => {
      const { _id } = await create(newArticle({ tags: ['a'] }));
      const patch = (document: unknown) => ({ action: 'patch', id: _id, patch: document });
      const append = patch([{ op: 'add', path: '/tags/-', value: 'b' }]);
      const { status, body } = await post(
        [
          append,
          patch([{ op: 'test', path: '/tags/1', value: 'c' }]),
          patch([{ op: 'remove', path: '/tags/7' }]),
          patch({ headline: null }),
        ],
        { atomic: true },
      );
      const paths = body.error.problems.map(({ path }: { path: string }) => path);
      expect([status, body.error.code, paths]).toEqual([
        409,
        'test_failed',
        ['operations[1].patch[0]', 'operations[2].patch[0].path', 'operations[3].patch.headline'],
      ]);
      expect(await run([append, append], { atomic: true })).toEqual(['updated', 'updated']);
      expect((await get(_id)).tags).toEqual(['a', 'b', 'b']);
    });

    it('answers with the problems of all operations, and the status of the first failed one', async () => {
      const { status, body } = await post(
        [
          createOf(),
          { action: 'update', asset: { _id: noAsset, headline: 'x' } },
          { action: 'create', asset: { _type: article, slug: 'BAD' } },
          { action: 'nothing' },
          createOf({ author: refer(noAsset) }),
          { action: 'delete', id: noAsset, ifMatch: 'unquoted' },
        ],
        { atomic: true },
      );
      expect([status, body.error.code, body.error.path]).toEqual([404, 'not_found', 'operations[1]']);
      expect(body.error.problems.map(({ path }: { path: string }) => path)).toEqual([
        'operations[1]',
        'operations[2].asset.slug',
        'operations[2].asset.headline',
        'operations[2].asset.status',
        'operations[3].action',
        'operations[4].asset.author',
        'operations[5].ifMatch',
      ]);
    });

    const refused: [name: string, operation: (taken: Asset) => Operation, response: string][] = [
      ['400', () => createOf({ score: 7 }), '400 invalid_body operations[1].asset.score'],
      ['404', () => ({ action: 'delete', id: noAsset }), '404 not_found operations[1]'],
      ['409 of an ID', ({ _id }) => createOf({ _id }), '409 id_in_use operations[1].asset._id'],
      ['409 of a value', ({ slug }) => createOf({ slug }), '409 value_in_use operations[1].asset.slug'],
      [
        '412',
        ({ _id }) => ({ action: 'update', asset: { _id }, ifMatch: '"other"' }),
        '412 precondition_failed operations[1]',
      ],
    ];
    it.each(refused)(
      'changes nothing when an operation is refused with %s',
      async (_name, operation, response) => {
        const taken = await create(newArticle());
        const first = createOf();
        const { status, body } = await post([first, operation({ ...taken }), createOf()], { atomic: true });
        const { code, path } = body.error;
        expect(`${status} ${code} ${path}`).toBe(response);
        const query = { from: article, where: 'slug = ?', values: String(first.asset.slug), limit: 0 };
        expect((await call('GET', { query })).body.result.count).toBe(0);
        expect(await get(taken._id)).toEqual(taken);
      },
    );

    it('is refused when two operations set the same unique value', async () => {
      const slug = newSlug();
      const { status, body } = await post([createOf({ slug }), createOf({ slug })], { atomic: true });
      expect([status, body.error.code, body.error.path]).toEqual([
        409,
        'value_in_use',
        'operations[1].asset.slug',
      ]);
    });

    it('with deferred references reports targets that it does not create', async () => {
      const _id = newId();
      const { results } = (
        await post(
          [
            createOf({ author: refer(_id) }),
            { action: 'create', asset: authorOf({ _id }) },
            createOf({ author: refer(noAsset) }),
          ],
          { atomic: true, references: 'deferred' },
        )
      ).body.result;
      expect(results.map(({ unresolved }: { unresolved?: unknown }) => unresolved)).toEqual([
        undefined,
        undefined,
        [{ path: 'author', _ref: noAsset, _type: author }],
      ]);
    });
  });
}

interface Asset {
  readonly _id: string;
  readonly [field: string]: unknown;
}
