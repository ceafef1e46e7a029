/** Cases of batch operations, alone and after other operations on the same assets. */
import { describe, expect, it } from 'vitest';
import { article, site } from '../cma/cma-content.ts';
import { type BatchContext, newId, refer, summarize } from './batch-context.ts';

/** Runs the cases. */
export function describeBatches({
  call,
  create,
  newArticle,
  newSlug,
  instance,
  post,
  run,
  get,
  createOf,
  authorOf,
}: BatchContext): void {
  describe('a batch', () => {
    it('creates, updates, upserts and deletes, and returns the ID and ETag of each asset', async () => {
      const [kept, gone] = [await create(newArticle()), await create(newArticle())];
      const slug = newSlug();
      const { body } = await post([
        createOf(),
        { action: 'update', asset: { _id: kept._id, headline: 'new', summary: null } },
        { action: 'upsert', by: 'slug', asset: newArticle({ slug }) },
        { action: 'upsert', asset: { ...newArticle(), _id: newId() } },
        { action: 'delete', id: gone._id },
      ]);
      const { results } = body.result;
      expect(results.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
        'created',
        'updated',
        'created',
        'created',
        'deleted',
      ]);
      for (const { _id, etag } of results.slice(0, 4)) {
        expect((await call('GET', { path: `/${_id}` })).headers.etag).toBe(etag);
      }
      expect(results[4]).toMatchObject({ status: 200, outcome: 'deleted', _id: gone._id });
      expect(results[4]).not.toHaveProperty('etag');
      expect((await get(kept._id)).headline).toBe('new');
      expect((await call('GET', { path: `/${gone._id}` })).status).toBe(404);
    });

    it('replaces assets, and leaves those that are equal as they are', async () => {
      const [slug, other] = [newSlug(), newSlug()];
      const { _id } = await create(newArticle({ slug, tags: ['a'], summary: 'old' }));
      const before = await call('GET', { path: `/${_id}` });
      const same = { ...newArticle({ slug, tags: ['a'], summary: 'old' }), _id };
      const whole = newArticle({ slug, tags: ['b'] });
      const operations = [
        { action: 'replace', asset: same },
        { action: 'replace', by: 'slug', asset: whole },
        { action: 'replace', by: 'slug', asset: newArticle({ slug: other }) },
        { action: 'replace', by: 'slug', asset: newArticle({ slug: other }) },
        { action: 'replace', asset: newArticle() },
        { action: 'replace', asset: { ...authorOf(), _id } },
        { action: 'replace', asset: same, ifMatch: '"other"' },
      ];
      const outcomes = ['unchanged', 'updated', 'created', 'unchanged', '400 invalid_body _id'];
      const refused = ['400 invalid_body _type', '400 invalid_body ifMatch'];
      const checked = await call('POST', { path: '/batch?validate=true', body: { operations } });
      expect(checked.body.result.results.map(summarize)).toEqual([...outcomes, ...refused]);
      const { body } = await post(operations);
      expect(body.result.results.map(summarize)).toEqual([...outcomes, ...refused]);
      expect(body.result.results[0]).toEqual({
        status: 200,
        outcome: 'unchanged',
        _id,
        etag: before.headers.etag,
      });
      const after = await get(_id);
      expect(after).toMatchObject({ tags: ['b'] });
      expect(after).not.toHaveProperty('summary');
      expect(after['cms.content.publishDate']).toBe(before.body.result['cms.content.publishDate']);
      const update = { action: 'update', asset: { _id, tags: ['b'] } };
      expect(await run([update], { skipUnchanged: true })).toEqual(['unchanged']);
      expect(await run([update])).toEqual(['updated']);
    });

    it('applies patches, each to the result of the earlier operations', async () => {
      const { _id } = await create(newArticle({ tags: ['a'], summary: 'old' }));
      const patch = (document: unknown, more: object = {}) => ({
        action: 'patch',
        id: _id,
        patch: document,
        ...more,
      });
      const append = (value: string) => patch([{ op: 'add', path: '/tags/-', value }]);
      expect(
        await run([
          append('b'),
          append('c'),
          patch({ summary: null, author: { _type: article, _by: { slug: 'nobody' } } }),
          patch({ summary: null }),
          patch([{ op: 'test', path: '/summary', value: 'old' }]),
          patch([{ op: 'add', path: 'tags' }]),
          patch('text'),
          { action: 'patch', id: _id },
          patch({}, { ifMatch: '"other"' }),
          { action: 'patch', id: newId(), patch: {} },
          { action: 'patch', id: 'no UUID', patch: {} },
          { action: 'update', asset: { _id }, patch: {} },
        ]),
      ).toEqual([
        'updated',
        'updated',
        '400 invalid_body author._type',
        'updated',
        '409 test_failed [0]',
        '400 invalid_body patch[0].path',
        '400 invalid_body patch',
        '400 invalid_body patch',
        '412 precondition_failed',
        '404 not_found',
        '400 invalid_body id',
        '400 invalid_body patch',
      ]);
      const { tags, summary } = await get(_id);
      expect([tags, summary]).toEqual([['a', 'b', 'c'], undefined]);
    });

    it('creates assets with the same dates and fields as a single create', async () => {
      const body = newArticle({ 'cms.content.publishDate': 5 });
      const single = await create(body);
      const { results } = (await post([{ action: 'create', asset: { ...body, slug: newSlug() } }])).body
        .result;
      expect(Object.keys(await get(results[0]._id)).toSorted()).toEqual(Object.keys(single).toSorted());
    });

    it('accepts a thousand operations', async () => {
      const results = await run(Array.from({ length: 1000 }, () => createOf()));
      expect(new Set(results)).toEqual(new Set(['created']));
    });

    it('applies each operation to the result of the earlier ones on the same asset', async () => {
      const [_id, slug] = [newId(), newSlug()];
      expect(
        await run([
          { action: 'update', asset: { _id, headline: 'too early' } },
          { action: 'create', asset: newArticle({ _id, slug }) },
          { action: 'create', asset: newArticle({ _id }) },
          { action: 'update', asset: { _id, headline: 'one' } },
          { action: 'upsert', by: 'slug', asset: { _type: article, slug, summary: 'two' } },
          { action: 'delete', id: _id },
          { action: 'delete', id: _id },
          { action: 'upsert', by: 'slug', asset: newArticle({ slug, _id, headline: 'again' }) },
        ]),
      ).toEqual([
        '404 not_found',
        'created',
        '409 id_in_use _id',
        'updated',
        'updated',
        'deleted',
        '404 not_found',
        'created',
      ]);
      expect(await get(_id)).toMatchObject({ headline: 'again' });
      expect(await get(_id)).not.toHaveProperty('summary');
    });

    it('creates and then updates when one key is upserted twice', async () => {
      const slug = newSlug();
      const { results } = (
        await post([
          { action: 'upsert', by: 'slug', asset: newArticle({ slug, headline: 'one' }) },
          { action: 'upsert', by: 'slug', asset: { _type: article, slug, summary: 'two' } },
        ])
      ).body.result;
      expect(results.map(summarize)).toEqual(['created', 'updated']);
      expect(results[0]._id).toBe(results[1]._id);
      expect(await get(results[0]._id)).toMatchObject({ headline: 'one', summary: 'two' });
    });

    it('allows a unique value that an earlier operation frees, but not one that a later operation frees', async () => {
      const [one, other] = [await create(newArticle()), await create(newArticle())];
      expect(
        await run([
          createOf({ slug: other.slug }),
          { action: 'delete', id: one._id },
          createOf({ slug: one.slug }),
          { action: 'delete', id: other._id },
          { action: 'upsert', by: 'slug', asset: newArticle({ slug: other.slug }) },
        ]),
      ).toEqual(['409 value_in_use slug', 'deleted', 'created', 'deleted', 'created']);
    });

    it('upserts by a value that an earlier operation has set', async () => {
      const one = await create(newArticle());
      const slug = newSlug();
      expect(
        await run([
          { action: 'update', asset: { _id: one._id, slug } },
          { action: 'update', by: 'slug', asset: { _type: article, slug, headline: 'found' } },
          { action: 'update', by: 'slug', asset: { _type: article, slug: one.slug, headline: 'lost' } },
        ]),
      ).toEqual(['updated', 'updated', '404 not_found']);
      expect(await get(one._id)).toMatchObject({ slug, headline: 'found' });
    });

    it('honours ifMatch in updates and deletes', async () => {
      const [one, other] = [await create(newArticle()), await create(newArticle())];
      const etag = (await call('GET', { path: `/${one._id}` })).headers.etag ?? '';
      const update = (more: object, _id = one._id) => ({ action: 'update', asset: { _id }, ...more });
      expect(
        await run([
          update({ ifMatch: '"other"' }),
          { action: 'update', by: 'slug', asset: { _type: article, slug: one.slug }, ifMatch: '"other"' },
          update({ ifMatch: `"other", ${etag}` }),
          update({ ifMatch: etag }),
          update({ ifMatch: '*' }),
          update({ ifMatch: 'unquoted' }),
          { action: 'delete', id: one._id, ifMatch: etag },
          { action: 'delete', id: other._id, ifMatch: '*' },
          update({ ifMatch: '*' }, other._id),
        ]),
      ).toEqual([
        '412 precondition_failed',
        '412 precondition_failed',
        'updated',
        '412 precondition_failed',
        'updated',
        '400 invalid_parameter ifMatch',
        '412 precondition_failed',
        'deleted',
        '404 not_found',
      ]);
    });

    it('accepts type IDs, and IDs in upper case', async () => {
      const _id = newId();
      const { results } = (
        await post([
          { action: 'create', asset: { _id, _type: 'dd62b631-f0a1-51a4-9b23-6c140c233be7', name: 'x' } },
          { action: 'update', asset: { _id: _id.toUpperCase(), name: 'y' } },
          { action: 'delete', id: _id.toUpperCase() },
        ])
      ).body.result;
      expect(results.map(summarize)).toEqual(['created', 'updated', 'deleted']);
      expect(new Set(results.map((result: { _id: string }) => result._id))).toEqual(new Set([_id]));
    });
  });

  describe('a batch of a client restricted to a site', () => {
    it('reads and writes only the assets of its site', async () => {
      const [mine, theirs] = [
        await create({ _type: site, name: 'mine' }),
        await create({ _type: site, name: 'theirs' }),
      ];
      const owned = (owner: { _id: string }) => ({ 'cms.site.owner': refer(owner._id, site) });
      const [ownedByMe, ownedByThem] = [
        await create(newArticle(owned(mine))),
        await create(newArticle(owned(theirs))),
      ];
      const client = await instance().createClient({ sites: [mine._id] });
      await instance().refresh();
      const operations = [
        createOf(owned(mine)),
        createOf(owned(theirs)),
        createOf(),
        { action: 'update', asset: { _id: ownedByMe._id, headline: 'x' } },
        { action: 'update', asset: { _id: ownedByMe._id, ...owned(theirs) } },
        { action: 'update', asset: { _id: ownedByThem._id, headline: 'x' } },
        { action: 'update', by: 'slug', asset: { _type: article, slug: ownedByThem.slug, headline: 'x' } },
        { action: 'upsert', by: 'slug', asset: { ...newArticle(owned(mine)), slug: ownedByThem.slug } },
        { action: 'upsert', asset: { ...newArticle(owned(mine)), _id: ownedByThem._id } },
        { action: 'delete', id: ownedByThem._id },
        { action: 'delete', id: ownedByMe._id },
      ];
      const { body } = await call('POST', { path: '/batch', body: { operations }, client });
      expect(body.result.results.map(summarize)).toEqual([
        'created',
        '403 forbidden',
        '403 forbidden',
        'updated',
        '403 forbidden',
        '404 not_found',
        '404 not_found',
        '409 value_in_use slug',
        '409 id_in_use _id',
        '404 not_found',
        'deleted',
      ]);
      expect(await get(ownedByThem._id)).toEqual(ownedByThem);
      const atomic = { operations: operations.slice(1, 2), atomic: true };
      expect((await call('POST', { path: '/batch', body: atomic, client })).status).toBe(403);
    });
  });

  it('an upsert does not update an asset of another type', async () => {
    const slug = newSlug();
    await create(authorOf({ slug }));
    expect(await run([{ action: 'upsert', by: 'slug', asset: newArticle({ slug }) }])).toEqual(['created']);
    const writer = await create(authorOf());
    expect(await run([{ action: 'upsert', asset: newArticle({ _id: writer._id }) }])).toEqual([
      '400 invalid_body _type',
    ]);
  });
}
