/** Cases of references in batches, to stored assets and to assets that the batch creates earlier, later or never. */
import { describe, expect, it } from 'vitest';
import { article, author, noAsset, text } from '../cma/cma-content.ts';
import { type BatchContext, newId, refer, summarize } from './batch-context.ts';

/** Runs the cases. */
export function describeBatchReferences({ create, post, run, createOf, authorOf }: BatchContext): void {
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
