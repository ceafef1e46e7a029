/** Cases of restoring and erasing assets. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { article, author, noAsset, text } from './cma-content.ts';
import { type HistoryContext, versionOf } from './history-cases.ts';

/** Runs the cases. */
export function describeRestoring(context: HistoryContext): void {
  const { call, create, newArticle, newSlug, past } = context;
  const restore = (id: string, body: unknown, headers: Record<string, string> = {}) =>
    call('POST', { path: `/${id}/restore`, body, headers, client: context.historian() });
  const tagOf = async (id: string) => (await call('GET', { path: `/${id}` })).headers.etag ?? '';

  describe('restoring an asset', () => {
    past('writes the whole state of then, and clears what was added since', async () => {
      const publishDate = { 'cms.content.publishDate': 1_600_000_000_000 };
      const { _id, slug } = await create(newArticle({ headline: 'first', tags: ['a'], ...publishDate }));
      const first = await tagOf(_id);
      const later = { headline: 'later', tags: null, summary: 'added', 'cms.content.publishDate': 1 };
      await call('PUT', { path: `/${_id}`, body: later });
      const startedMs = Date.now();
      const restored = await restore(_id, { version: first });
      expect(restored.status).toBe(200);
      const { 'cms.content.updateDate': updateDate, ...state } = restored.body.result;
      const expected = { _id, _type: article, slug, headline: 'first', status: 'DRAFT', tags: ['a'] };
      expect(state).toEqual({ ...expected, ...publishDate });
      expect(updateDate).toBeGreaterThanOrEqual(startedMs);
      const now = await call('GET', { path: `/${_id}` });
      expect([now.body.result, now.headers.etag]).toEqual([restored.body.result, restored.headers.etag]);
      const history = await call('GET', { path: `/${_id}/history`, client: context.historian() });
      const [entry] = history.body.result.items;
      expect(entry).toMatchObject({ action: 'update', version: versionOf(restored.headers.etag) });
      expect(entry.changed.toSorted()).toEqual([
        'cms.content.publishDate',
        'cms.content.updateDate',
        'headline',
        'summary',
        'tags',
      ]);
    });

    past('writes only the chosen fields', async () => {
      const { _id } = await create(newArticle({ headline: 'first', tags: ['a'] }));
      const [{ at }] = (await call('GET', { path: `/${_id}/history`, client: context.historian() })).body
        .result.items;
      await new Promise((resolve) => setTimeout(resolve, 5));
      await call('PUT', { path: `/${_id}`, body: { headline: 'later', summary: 'added', tags: ['b'] } });
      const { body } = await restore(_id, { at, fields: ['headline', 'summary'] });
      expect(body.result).toMatchObject({ headline: 'first', tags: ['b'] });
      expect(body.result).not.toHaveProperty('summary');
    });

    past('creates a deleted asset again, with its _id', async () => {
      const created = await create(newArticle({ headline: 'gone' }));
      const { _id } = created;
      const version = await tagOf(_id);
      await call('DELETE', { path: `/${_id}` });
      const part = await restore(_id, { version, fields: ['headline'] });
      expect([part.status, part.body.error.code]).toEqual([404, 'not_found']);
      const conditional = await restore(_id, { version }, { 'If-Match': version });
      expect(conditional.status).toBe(412);
      const { status, body } = await restore(_id, { version });
      expect(status).toBe(200);
      const { 'cms.content.updateDate': _, ...expected } = created;
      expect(body.result).toMatchObject(expected);
      expect((await call('GET', { path: `/${_id}` })).body.result).toEqual(body.result);
    });

    past('answers 409 when the _id or a unique value is taken', async () => {
      const { _id, slug } = await create(newArticle());
      const version = await tagOf(_id);
      await call('DELETE', { path: `/${_id}` });
      const holder = await create(newArticle({ slug }));
      const taken = await restore(_id, { version });
      expect([taken.status, taken.body.error.code, taken.body.error.path]).toEqual([
        409,
        'value_in_use',
        'slug',
      ]);
      await call('DELETE', { path: `/${holder._id}` });
      await create({ _id, _type: text, name: 'another type' });
      const used = await restore(_id, { version });
      expect([used.status, used.body.error.code]).toEqual([409, 'id_in_use']);
    });

    past('answers 400 with all references that are missing, and writes nothing', async () => {
      const writers = [];
      for (const name of ['a', 'b']) {
        writers.push(await create({ _type: author, slug: newSlug(), name }));
      }
      const [one, other] = writers.map(({ _id }) => ({ _ref: _id, _type: author }));
      const { _id } = await create(newArticle({ author: one, related: [other, one] }));
      const version = await tagOf(_id);
      await call('PUT', { path: `/${_id}`, body: { author: null, related: null } });
      for (const writer of writers) await call('DELETE', { path: `/${writer._id}` });
      const before = await tagOf(_id);
      const { status, body } = await restore(_id, { version });
      expect([status, body.error.code]).toEqual([400, 'invalid_body']);
      const paths = body.error.problems.map(({ path }: { path: string }) => path);
      expect(paths.toSorted()).toEqual(['author', 'related[0]', 'related[1]']);
      expect(await tagOf(_id)).toBe(before);
    });

    past('keeps a reference of an asset to itself', async () => {
      const id = randomUUID();
      const self = { _ref: id, _type: article };
      await create(newArticle({ _id: id, related: [self] }));
      const version = await tagOf(id);
      await call('DELETE', { path: `/${id}` });
      expect((await restore(id, { version })).body.result.related).toEqual([self]);
    });

    past('honours If-Match', async () => {
      const { _id } = await create({ _type: text, name: 'first' });
      const first = await tagOf(_id);
      await call('PUT', { path: `/${_id}`, body: { name: 'second' } });
      expect((await restore(_id, { version: first }, { 'If-Match': first })).status).toBe(412);
      const now = await tagOf(_id);
      expect((await restore(_id, { version: first }, { 'If-Match': `W/${now}` })).status).toBe(200);
    });

    past('refuses a body that names no state, two, or no field', async () => {
      const { _id } = await create({ _type: text, name: 'x' });
      const version = await tagOf(_id);
      const bodies: [unknown, string][] = [
        [{}, ''],
        [{ version, at: 1 }, ''],
        [{ version: '' }, 'version'],
        [{ version: 7 }, 'version'],
        [{ at: -1 }, 'at'],
        [{ at: '1' }, 'at'],
        [{ version, fields: [] }, 'fields'],
        [{ version, fields: ['name', 'colour'] }, 'fields[1]'],
        [{ version, fields: ['_id'] }, 'fields[0]'],
        [{ version, fields: ['cms.content.updateDate'] }, 'fields[0]'],
        [{ version, run: 'x' }, 'run'],
      ];
      for (const [body, path] of bodies) {
        const { status, body: refused } = await restore(_id, body);
        expect([body, status, refused.error.problems[0].path]).toEqual([body, 400, path]);
      }
    });

    past(
      'only checks with validate=true: the answer is that of the write, and nothing is written',
      async () => {
        const { _id, slug } = await create(newArticle({ headline: 'first', tags: ['a'] }));
        const version = await tagOf(_id);
        await call('PUT', { path: `/${_id}`, body: { headline: 'later', summary: 'added' } });
        const check = (body: object, headers: Record<string, string> = {}) =>
          call('POST', {
            path: `/${_id}/restore`,
            body,
            headers,
            query: { validate: 'true' },
            client: context.historian(),
          });
        /** Checks, asserts that nothing is written, then restores for comparison. */
        const compare = async (body: object, headers: Record<string, string> = {}) => {
          const before = await call('GET', { path: `/${_id}` });
          const checked = await check(body, headers);
          const after = await call('GET', { path: `/${_id}` });
          expect([after.status, after.headers.etag]).toEqual([before.status, before.headers.etag]);
          const names = ['etag', 'x-change', 'location'].filter((name) => name in checked.headers);
          expect(names).toEqual([]);
          const restored = await restore(_id, body, headers);
          const { 'cms.content.updateDate': _, ...state } = restored.body.result ?? {};
          expect(checked).toMatchObject({ status: restored.status, body: { result: state } });
          if (restored.status !== 200) expect(checked.body).toEqual(restored.body);
          return restored;
        };
        expect((await compare({ version }, { 'If-Match': version })).status).toBe(412);
        expect((await compare({ version, fields: ['headline'] })).body.result.summary).toBe('added');
        const whole = await compare({ version });
        expect([whole.status, whole.headers['x-change']]).toEqual([200, expect.any(String)]);
        await call('DELETE', { path: `/${_id}` });
        const holder = await create(newArticle({ slug }));
        expect((await compare({ version })).status).toBe(409);
        await call('DELETE', { path: `/${holder._id}` });
        expect((await compare({ version })).status).toBe(200);
      },
    );

    past('is 404 without such a state', async () => {
      const { _id } = await create({ _type: text, name: 'x' });
      expect((await restore(_id, { version: 'never' })).status).toBe(404);
      expect((await restore(_id, { at: 1 })).status).toBe(404);
      expect((await restore(noAsset, { at: 1 })).status).toBe(404);
      expect((await restore('no-uuid', { at: 1 })).status).toBe(404);
    });

    it('answers 413 and 415 as creating does, and 401 before all', async () => {
      const path = `/${noAsset}/restore`;
      const json = { 'Content-Type': 'application/json' };
      const large = `{"version": "${'x'.repeat(17_000_000)}"}`;
      expect((await call('POST', { path, raw: large, headers: json })).status).toBe(413);
      const plain = { 'Content-Type': 'text/plain' };
      expect((await call('POST', { path, raw: '{}', headers: plain })).status).toBe(415);
      expect((await call('POST', { path, body: {}, client: null })).status).toBe(401);
    });

    it.each(['history', 'restore', 'withdraw'])('has no other methods: %s', async (name) => {
      const path = `/${noAsset}/${name}`;
      expect((await call('DELETE', { path })).status).toBe(405);
      expect((await call('DELETE', { path, client: null })).status).toBe(401);
    });

    past('needs the scopes history and cma:write', async () => {
      const { _id } = await create({ _type: text, name: 'x' });
      const version = await tagOf(_id);
      for (const scopes of [['cma:read', 'cma:write'], ['history']] as const) {
        const client = await context.instance().createClient({ scopes: [...scopes] });
        await context.instance().refresh();
        const denied = await call('POST', { path: `/${_id}/restore`, body: { version }, client });
        expect([scopes, denied.status]).toEqual([scopes, 403]);
      }
    });
  });
}

/** Runs the cases of erasing. */
export function describeErasing(context: HistoryContext): void {
  const { call, create, past } = context;
  const eraser = async () => {
    const client = await context.instance().createClient({ scopes: ['admin', 'history'] });
    await context.instance().refresh();
    return client;
  };
  const erase = { erase: 'true' };

  describe('erasing an asset', () => {
    past('removes it with its history, of which one entry remains', async () => {
      const client = await eraser();
      const { _id } = await create({ _type: text, name: 'secret' });
      const path = `/${_id}`;
      const version = (await call('GET', { path })).headers.etag ?? '';
      expect((await call('DELETE', { path, query: erase, client })).body.result).toBeNull();
      expect((await call('GET', { path })).status).toBe(404);
      expect([404, 410]).toContain((await call('GET', { path, query: { version }, client })).status);
      const { items } = (await call('GET', { path: `${path}/history`, query: { values: 'true' }, client }))
        .body.result;
      expect(items).toMatchObject([{ action: 'erase', by: { kind: 'client', id: client['X-Client-Id'] } }]);
      expect(JSON.stringify(items)).not.toContain('secret');
    });

    past('also erases an asset that is deleted already', async () => {
      const client = await eraser();
      const { _id } = await create({ _type: text, name: 'secret' });
      const path = `/${_id}`;
      await call('DELETE', { path });
      expect((await call('DELETE', { path, query: erase, client })).status).toBe(200);
      const { items } = (await call('GET', { path: `${path}/history`, client })).body.result;
      expect(items.map(({ action }: { action: string }) => action)).toEqual(['erase']);
    });

    past('removes the stored response of the request that created it, which does not run again', async () => {
      const client = await eraser();
      const headers = { 'Idempotency-Key': randomUUID() };
      const body = { _type: text, name: 'secret' };
      const created = await call('POST', { body, headers });
      const path = `/${created.body.result._id}`;
      expect((await call('DELETE', { path, query: erase, client })).status).toBe(200);
      const again = await call('POST', { body, headers });
      expect([again.status, again.body.error.code]).toEqual([404, 'not_found']);
      expect((await call('GET', { path })).status).toBe(404);
    });

    past('honours If-Match', async () => {
      const client = await eraser();
      const { _id } = await create({ _type: text, name: 'first' });
      const path = `/${_id}`;
      const first = (await call('GET', { path })).headers.etag ?? '';
      const second = (await call('PUT', { path, body: { name: 'second' } })).headers.etag ?? '';
      const eraseIf = (tag: string) =>
        call('DELETE', { path, query: erase, client, headers: { 'If-Match': tag } });
      expect((await eraseIf(first)).status).toBe(412);
      expect((await call('GET', { path })).body.result.name).toBe('second');
      expect((await eraseIf(second)).status).toBe(200);
      expect((await eraseIf(second)).status).toBe(412);
    });

    past('is 404 for an asset that never was and for a record of Colophon', async () => {
      const client = await eraser();
      const [record] = await context.instance().services.graphqlEndpoints.list();
      const id = record?.id ?? '';
      for (const unknown of [noAsset, id, 'no-uuid']) {
        const { status } = await call('DELETE', { path: `/${unknown}`, query: erase, client });
        expect([unknown, status]).toEqual([unknown, 404]);
      }
    });

    past('needs the scope admin', async () => {
      const { _id } = await create({ _type: text, name: 'x' });
      expect((await call('DELETE', { path: `/${_id}`, query: erase })).status).toBe(403);
      expect((await call('DELETE', { path: `/${_id}`, query: { erase: 'yes' } })).status).toBe(400);
      expect((await call('GET', { path: `/${_id}` })).status).toBe(200);
      expect((await call('DELETE', { path: `/${_id}`, query: { erase: 'false' } })).status).toBe(200);
    });
  });
}
