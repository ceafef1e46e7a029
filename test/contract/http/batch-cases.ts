/** Cases of batches: what each operation does and is answered, alone, after others, and all or none. */
import { describe, expect, it } from 'vitest';
import { article, author, type CmaContext, noAsset, site, text } from './cma-content.ts';

type Operation = Readonly<Record<string, unknown>> | null | string | number | readonly unknown[];

let ids = 0;
const newId = () => `0190a0c0-1111-7000-8000-${String(ids++).padStart(12, '0')}`;

/** Runs the cases. */
export function describeBatches(context: CmaContext): void {
  const { call, create, newArticle, newSlug, instance } = context;
  const post = (operations: readonly Operation[], more: object = {}) =>
    call('POST', { path: '/batch', body: { operations, ...more } });
  /** What became of each operation: its outcome, or its status with code and path. */
  const run = async (operations: readonly Operation[], more: object = {}) => {
    const { status, body } = await post(operations, more);
    expect(status).toBe(200);
    const { failed, results } = body.result;
    expect(results).toHaveLength(operations.length);
    expect(failed).toBe(results.filter((result: { status: number }) => result.status !== 200).length);
    return results.map(tell);
  };
  const get = async (id: string) => (await call('GET', { path: `/${id}` })).body.result;
  const createOf = (fields: object = {}) => ({ action: 'create', asset: newArticle(fields) });
  const authorOf = (fields: object = {}) => ({ _type: author, slug: newSlug(), name: 'Ada', ...fields });
  const refer = (_ref: string, _type = author) => ({ _ref, _type });

  describe('a batch', () => {
    it('creates, updates, upserts and deletes, and answers each with its ID and ETag', async () => {
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
      expect(results[4]).toEqual({ status: 200, outcome: 'deleted', _id: gone._id });
      expect((await get(kept._id)).headline).toBe('new');
      expect((await call('GET', { path: `/${gone._id}` })).status).toBe(404);
    });

    it('gives what it creates the same dates and fields as a single create does', async () => {
      const body = newArticle({ 'cms.content.publishDate': 5 });
      const single = await create(body);
      const { results } = (await post([{ action: 'create', asset: { ...body, slug: newSlug() } }])).body
        .result;
      expect(Object.keys(await get(results[0]._id)).toSorted()).toEqual(Object.keys(single).toSorted());
    });

    it('takes a thousand operations', async () => {
      const results = await run(Array.from({ length: 1000 }, () => createOf()));
      expect(new Set(results)).toEqual(new Set(['created']));
    });

    it('shows each operation what those before it did to the same asset', async () => {
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

    it('upserts one key twice: made, then changed', async () => {
      const slug = newSlug();
      const { results } = (
        await post([
          { action: 'upsert', by: 'slug', asset: newArticle({ slug, headline: 'one' }) },
          { action: 'upsert', by: 'slug', asset: { _type: article, slug, summary: 'two' } },
        ])
      ).body.result;
      expect(results.map(tell)).toEqual(['created', 'updated']);
      expect(results[0]._id).toBe(results[1]._id);
      expect(await get(results[0]._id)).toMatchObject({ headline: 'one', summary: 'two' });
    });

    it('lets a unique value be taken that an earlier operation frees, and not one that a later one frees', async () => {
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

    it('finds an asset by a value that an earlier operation gives it', async () => {
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

    it('takes a type ID, and IDs in capitals', async () => {
      const _id = newId();
      const { results } = (
        await post([
          { action: 'create', asset: { _id, _type: 'dd62b631-f0a1-51a4-9b23-6c140c233be7', name: 'x' } },
          { action: 'update', asset: { _id: _id.toUpperCase(), name: 'y' } },
          { action: 'delete', id: _id.toUpperCase() },
        ])
      ).body.result;
      expect(results.map(tell)).toEqual(['created', 'updated', 'deleted']);
      expect(new Set(results.map((result: { _id: string }) => result._id))).toEqual(new Set([_id]));
    });

    const bad: [name: string, operation: () => Operation, answer: string][] = [
      ['null', () => null, '400 invalid_body '],
      ['a list', () => [], '400 invalid_body '],
      ['a text', () => 'create', '400 invalid_body '],
      ['a number', () => 1, '400 invalid_body '],
      ['no action', () => ({}), '400 invalid_body action'],
      ['an unknown action', () => ({ action: 'replace' }), '400 invalid_body action'],
      ['an action that every object has', () => ({ action: 'constructor' }), '400 invalid_body action'],
      ['an unknown member', () => ({ ...createOf(), extra: 1 }), '400 invalid_body extra'],
      ['a member of another action', () => ({ ...createOf(), ifMatch: '*' }), '400 invalid_body ifMatch'],
      ['no asset', () => ({ action: 'create' }), '400 invalid_body asset'],
      ['an asset that is null', () => ({ action: 'upsert', asset: null }), '400 invalid_body asset'],
      ['an asset that is a list', () => ({ action: 'update', asset: [] }), '400 invalid_body asset'],
      ['no id', () => ({ action: 'delete' }), '400 invalid_body id'],
      ['an id that is no text', () => ({ action: 'delete', id: 5 }), '400 invalid_body id'],
      ['an id that is no UUID', () => ({ action: 'delete', id: 'x' }), '404 not_found'],
      ['an update without _id', () => ({ action: 'update', asset: {} }), '400 invalid_body _id'],
      [
        'an update with a wrong _id',
        () => ({ action: 'update', asset: { _id: 'x' } }),
        '400 invalid_body _id',
      ],
      [
        'an upsert without _type',
        () => ({ action: 'upsert', asset: { _id: noAsset } }),
        '400 invalid_body _type',
      ],
      ['an upsert without _id', () => ({ action: 'upsert', asset: { _type: text } }), '400 invalid_body _id'],
      ['an unknown type', () => ({ action: 'create', asset: { _type: 'x.Y' } }), '400 unknown_type _type'],
      ['by of a wrong type', () => ({ action: 'upsert', by: 5, asset: newArticle() }), '400 invalid_body by'],
      ['by null', () => ({ action: 'upsert', by: null, asset: newArticle() }), '400 invalid_body by'],
      [
        'by an unknown field',
        () => ({ action: 'upsert', by: 'nope', asset: newArticle() }),
        '400 invalid_body by',
      ],
      [
        'by a plain field',
        () => ({ action: 'upsert', by: 'headline', asset: newArticle() }),
        '400 invalid_body by',
      ],
      [
        'by an embedded field',
        () => ({ action: 'upsert', by: 'place.name', asset: newArticle() }),
        '400 invalid_body by',
      ],
      ['by _type', () => ({ action: 'upsert', by: '_type', asset: newArticle() }), '400 invalid_body by'],
      [
        'by a field that is absent',
        () => ({ action: 'update', by: 'slug', asset: { _type: article } }),
        '400 invalid_body slug',
      ],
      [
        'by a field that is null',
        () => ({ action: 'upsert', by: 'slug', asset: newArticle({ slug: null }) }),
        '400 invalid_body slug',
      ],
      [
        'by a field of a wrong type',
        () => ({ action: 'update', by: 'slug', asset: newArticle({ slug: { $gt: '' } }) }),
        '400 invalid_body slug',
      ],
      ['a field that breaks a rule', () => createOf({ score: 7 }), '400 invalid_body score'],
      ['a dangling reference', () => createOf({ author: refer(noAsset) }), '400 invalid_body author'],
    ];
    it.each(bad)('refuses one operation, and not its neighbours: %s', async (_name, operation, answer) => {
      expect(await run([createOf(), operation(), createOf()])).toEqual(['created', answer, 'created']);
    });

    it('tells of everything wrong with one operation', async () => {
      const { results } = (
        await post([{ action: 'create', asset: { _type: article, slug: 'A', score: 3, place: {} } }])
      ).body.result;
      expect(results[0].error.problems.map(({ path }: { path: string }) => path)).toEqual([
        'slug',
        'headline',
        'status',
        'score',
        'place.name',
      ]);
    });

    const whole: [name: string, body: () => object, path: string][] = [
      ['nothing', () => ({}), 'operations'],
      ['null', () => ({ operations: null }), 'operations'],
      ['an object', () => ({ operations: {} }), 'operations'],
      ['none', () => ({ operations: [] }), 'operations'],
      ['1,001', () => ({ operations: Array(1001).fill({ action: 'delete', id: noAsset }) }), 'operations'],
      ['an unknown member', () => ({ operations: [createOf()], dryRun: true }), 'dryRun'],
      ['a text for atomic', () => ({ operations: [createOf()], atomic: 'true' }), 'atomic'],
      ['null for atomic', () => ({ operations: [createOf()], atomic: null }), 'atomic'],
      ['another word for references', () => ({ operations: [createOf()], references: 'none' }), 'references'],
    ];
    it.each(whole)('is refused as a whole: %s', async (_name, body, path) => {
      const answer = await call('POST', { path: '/batch', body: body() });
      expect([answer.status, answer.body.error.code, answer.body.error.path]).toEqual([
        400,
        'invalid_body',
        path,
      ]);
    });

    it('is refused as a whole when its JSON has a name twice', async () => {
      const raw = `{"operations":[{"action":"delete","id":"${noAsset}","id":"${noAsset}"}]}`;
      const answer = await call('POST', {
        path: '/batch',
        raw,
        headers: { 'Content-Type': 'application/json' },
      });
      expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_json']);
    });

    it('answers 413 and 415 as creating does', async () => {
      const path = '/batch';
      expect((await call('POST', { path, body: { operations: 'x'.repeat(5_000_000) } })).status).toBe(413);
      const headers = { 'Content-Type': 'text/plain' };
      expect((await call('POST', { path, raw: 'x', headers })).status).toBe(415);
    });

    it('takes an asset of several MB among small ones', async () => {
      const large = createOf({ body: `<p>${'lorem '.repeat(500_000)}</p>` });
      expect(await run([createOf(), large, createOf()])).toEqual(['created', 'created', 'created']);
    });

    it('has no other methods', async () => {
      for (const method of ['GET', 'PUT', 'DELETE']) {
        const { status, headers } = await call(method, {
          path: '/batch',
          ...(method === 'PUT' ? { body: {} } : {}),
        });
        expect([status, headers.allow]).toEqual([405, 'POST']);
      }
      expect((await call('GET', { path: '/batch', client: null })).status).toBe(401);
    });

    it('needs a client that is not revoked, with the scope cma:write', async () => {
      const body = { operations: [createOf()] };
      expect((await call('POST', { path: '/batch', body, client: null })).status).toBe(401);
      const reader = await instance().createClient({ scopes: ['cma:read'] });
      const revoked = await instance().createClient({});
      await instance().revoke(revoked);
      await instance().refresh();
      expect((await call('POST', { path: '/batch', body, client: reader })).status).toBe(403);
      expect((await call('POST', { path: '/batch', body, client: revoked })).status).toBe(401);
    });
  });

  describe('a reference in a batch', () => {
    it('may point at what an earlier operation creates, if that was created', async () => {
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

    it('may point at the asset that has it', async () => {
      const _id = newId();
      expect(await run([createOf({ _id, related: [refer(_id, article)] })])).toEqual(['created']);
    });

    it('leads along a chain', async () => {
      const chain = Array.from({ length: 40 }, () => newId());
      const operations = chain.map((_id, n) =>
        createOf({ _id, ...(n > 0 ? { related: [refer(chain[n - 1] ?? '', article)] } : {}) }),
      );
      expect(new Set(await run(operations))).toEqual(new Set(['created']));
    });

    it('deferred, may point at nothing as yet, which is told; but not at another type', async () => {
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
      expect(results.map(tell)).toEqual([
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

    it('deferred, to what the store then refuses, is told as well', async () => {
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
      expect(results.map(tell)).toEqual(['409 value_in_use slug', 'created']);
      expect(results[1].unresolved).toEqual([{ path: 'author', _ref: lost, _type: author }]);
    });

    it('may close a circle, atomic or deferred', async () => {
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

  describe('an atomic batch', () => {
    it('does all, each operation seeing those before it', async () => {
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

    it('answers with the problems of all, and the status of the first', async () => {
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

    const guilty: [name: string, operation: (taken: Asset) => Operation, answer: string][] = [
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
    it.each(guilty)('does nothing when an operation is refused with %s', async (_name, operation, answer) => {
      const taken = await create(newArticle());
      const first = createOf();
      const { status, body } = await post([first, operation({ ...taken }), createOf()], { atomic: true });
      const { code, path } = body.error;
      expect(`${status} ${code} ${path}`).toBe(answer);
      const query = { from: article, where: 'slug = ?', values: first.asset.slug, limit: 0 };
      expect((await call('GET', { query })).body.result.count).toBe(0);
      expect(await get(taken._id)).toEqual(taken);
    });

    it('of two operations that take one value is refused', async () => {
      const slug = newSlug();
      const { status, body } = await post([createOf({ slug }), createOf({ slug })], { atomic: true });
      expect([status, body.error.code, body.error.path]).toEqual([
        409,
        'value_in_use',
        'operations[1].asset.slug',
      ]);
    });

    it('with deferred references tells of those that nothing in it makes', async () => {
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

  describe('a batch of a client held to a site', () => {
    it('sees and writes the assets of its site alone', async () => {
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
      expect(body.result.results.map(tell)).toEqual([
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

  it('an upsert does not take an asset of another type for its own', async () => {
    const slug = newSlug();
    await create(authorOf({ slug }));
    expect(await run([{ action: 'upsert', by: 'slug', asset: newArticle({ slug }) }])).toEqual(['created']);
    const writer = await create(authorOf());
    expect(await run([{ action: 'upsert', asset: newArticle({ _id: writer._id }) }])).toEqual([
      '400 invalid_body _type',
    ]);
  });
}

interface Asset {
  readonly _id: string;
  readonly [field: string]: unknown;
}

interface Result {
  readonly status: number;
  readonly outcome?: string;
  readonly error?: { readonly code: string; readonly path?: string };
}

function tell({ status, outcome, error }: Result): string | undefined {
  if (!error) return outcome;
  return [status, error.code, ...(error.path === undefined ? [] : [error.path])].join(' ');
}
