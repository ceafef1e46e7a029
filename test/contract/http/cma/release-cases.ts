/** Cases of the parameter `release`: drafts of assets, which nothing but the release has. */
import { randomUUID } from 'node:crypto';
import { beforeAll, expect } from 'vitest';
import type { ClientHeaders } from '../../../support/instance.ts';
import type { Call } from './caller.ts';
import { article, author, noAsset, site, text } from './cma-content.ts';
import type { HistoryContext } from './history-cases.ts';

export function describeReleases({
  call,
  create,
  instance,
  newArticle,
  newSlug,
  past,
}: HistoryContext): void {
  const release = 'drafts';
  const mergePatch = { 'Content-Type': 'application/merge-patch+json' };
  let client: ClientHeaders;
  beforeAll(async () => {
    client = await instance().createClient({ scopes: ['cma:draft', 'history'] });
    await instance().refresh();
  });

  const draft = (method: string, sent: Call = {}) =>
    call(method, { client, ...sent, query: { release, ...sent.query } });
  const liveOf = async (id: string) => (await call('GET', { path: `/${id}` })).body.result;
  const draftOf = async (id: string) => (await draft('GET', { path: `/${id}` })).body.result;

  past('drafts changes, creations and deletions', async () => {
    const mark = randomUUID();
    const [changed, deleted] = [
      await create({ _type: text, name: `${mark} a` }),
      await create({ _type: text, name: `${mark} b` }),
    ];
    const put = await draft('PUT', { path: `/${changed._id}`, body: { name: `${mark} z`, text: 'New' } });
    expect(put.headers).toMatchObject({ 'x-release': release, 'cache-control': 'private, no-store' });
    const created = await draft('POST', { body: { _type: text, name: `${mark} c` } });
    const { _id } = created.body.result;
    expect(created.headers.location).toMatch(`/${_id}?release=drafts`);
    expect((await draft('DELETE', { path: `/${deleted._id}` })).status).toBe(200);

    const got = await draft('GET', {
      path: `/${changed._id}`,
      headers: { 'If-None-Match': put.headers.etag ?? '' },
    });
    expect(got).toMatchObject({
      status: 200,
      body: put.body,
      headers: { etag: put.headers.etag, 'x-release': release },
    });
    expect(await liveOf(changed._id)).toEqual(changed);
    expect((await call('GET', { path: `/${_id}` })).status).toBe(404);
    expect(await liveOf(deleted._id)).toEqual(deleted);

    const query = { from: text, where: 'name startsWith ?', values: [mark], sort: ['-name'] };
    const names = ({ body }: { body: { result: { items: { name: string }[]; count?: number } } }) => [
      body.result.items.map(({ name }) => name.slice(mark.length + 1)),
      body.result.count,
    ];
    expect(names(await call('POST', { path: '/query', body: query }))).toEqual([['b', 'a'], 2]);
    const drafted = await draft('POST', { path: '/query', body: query });
    expect(names(drafted)).toEqual([['z', 'c'], 2]);
    expect(drafted.headers['x-release']).toBe(release);
    const parameters = { from: text, where: 'name startsWith ?', values: mark, sort: '-name' };
    expect(names(await draft('GET', { query: parameters }))).toEqual([['z', 'c'], 2]);
  });

  past('takes patches and batches, conditions and bases, and discards drafts', async () => {
    const { _id: id } = await create(newArticle({ headline: 'Live', tags: ['a'] }));
    const path = `/${id}`;
    const live = await call('GET', { path });
    const patched = await draft('PATCH', {
      path,
      raw: JSON.stringify([{ op: 'add', path: '/tags/-', value: 'b' }]),
      headers: { 'If-Match': live.headers.etag ?? '', 'Content-Type': 'application/json-patch+json' },
    });
    expect(patched.body.result).toMatchObject({ tags: ['a', 'b'] });
    const body = { headline: 'Mine' };
    const stale = { 'If-Match': live.headers.etag ?? '' };
    expect((await draft('PUT', { path, body, headers: stale })).status).toBe(412);
    const based = { 'X-Base-Version': live.headers.etag ?? '' };
    expect((await draft('PUT', { path, body: { tags: [] }, headers: based })).body.error).toMatchObject({
      code: 'edit_conflict',
      conflicts: [{ path: 'tags', base: ['a'], theirs: ['a', 'b'], yours: [] }],
    });
    expect((await draft('PUT', { path, body, headers: based })).status).toBe(200);
    const batch = await draft('POST', {
      path: '/batch',
      body: {
        atomic: true,
        operations: [
          { action: 'update', asset: { _id: id, tags: ['a'] } },
          { action: 'create', asset: newArticle({ _id: randomUUID() }) },
        ],
      },
    });
    expect(batch.body.result).toMatchObject({ failed: 0 });
    const { headers } = await draft('GET', { path });
    expect(headers.etag).toBe(batch.body.result.results[0].etag);
    expect((await draft('DELETE', { path, query: { discard: 'true' }, headers: stale })).status).toBe(412);
    const own = { 'If-Match': headers.etag ?? '' };
    expect((await draft('DELETE', { path, query: { discard: 'true' }, headers: own })).status).toBe(200);
    expect(await draftOf(id)).toEqual(live.body.result);
    expect((await draft('DELETE', { path, query: { discard: 'true' } })).body.error.code).toBe('not_found');

    const history = await draft('GET', { path: `${path}/history`, query: { values: 'true' } });
    expect(history.body.result.items.map(({ action }: { action: string }) => action)).toEqual(
      Array(4).fill('update'),
    );
    expect(history.body.result.items[3]).toMatchObject({ before: { tags: ['a'] }, by: { kind: 'client' } });
    const liveHistory = await call('GET', { path: `${path}/history`, client: await historian() });
    expect(liveHistory.body.result.items).toHaveLength(1);
  });

  const historian = async () => {
    const reader = await instance().createClient({ scopes: ['cma:read', 'history'] });
    await instance().refresh();
    return reader;
  };

  past('accepts what is not complete yet, and reports it', async () => {
    const missing = { _ref: noAsset, _type: author };
    const created = await draft('POST', { body: { _type: article, slug: newSlug(), author: missing } });
    const unfit = [
      { path: 'headline', message: 'is required' },
      { path: 'status', message: 'is required' },
    ];
    const { result } = created.body;
    expect(created).toMatchObject({
      status: 200,
      body: { unfit: unfit.map((one) => ({ _id: result._id, ...one })) },
    });
    const listed = await draft('GET', { query: { from: article, where: 'slug = ?', values: result.slug } });
    expect(listed.body).toMatchObject({ result: { items: [result] }, unfit: created.body.unfit });
    const wrong = await draft('PUT', { path: `/${result._id}`, body: { readingMinutes: -1 } });
    expect(wrong.body.error).toMatchObject({ code: 'invalid_body', path: 'readingMinutes' });
  });

  past('includes, counts and pages what is drafted, and binds cursors to the release', async () => {
    const mark = randomUUID();
    const ada = await create({ _type: author, slug: newSlug(), name: mark });
    const by = { author: { _ref: ada._id, _type: author } };
    const articles = [await create(newArticle(by)), await create(newArticle(by))];
    await draft('PUT', { path: `/${ada._id}`, body: { name: `${mark} drafted` } });
    await draft('PUT', { path: `/${articles[0]?._id}`, body: { status: 'PUBLISHED' } });
    const query = { from: article, where: 'author/name = ?', values: `${mark} drafted` };
    const page = await draft('GET', {
      query: { ...query, include: 'author', facets: 'status', limit: 1, cursor: '' },
    });
    expect(page.body.result).toMatchObject({
      count: 2,
      items: [{ _id: articles[0]?._id }],
      included: { [ada._id]: { name: `${mark} drafted` } },
      facets: {
        status: [
          { value: 'DRAFT', count: 1 },
          { value: 'PUBLISHED', count: 1 },
        ],
      },
    });
    const next = { ...query, include: 'author', facets: 'status', limit: 1, cursor: page.body.result.next };
    expect((await draft('GET', { query: next })).body.result.items).toMatchObject([
      { _id: articles[1]?._id },
    ]);
    expect((await call('GET', { query: next })).body.error.code).toBe('cursor_mismatch');
    expect((await call('GET', { query })).body.result.count).toBe(0);
  });

  past('checks drafts without writing them, and repeats none with an Idempotency-Key', async () => {
    const body = { _type: text, name: 'keyed' };
    const checked = await draft('POST', { body, query: { validate: 'true' } });
    expect(checked.headers).not.toHaveProperty('etag');
    expect((await draft('GET', { path: `/${checked.body.result._id}` })).status).toBe(404);
    const keyed = { body, headers: { 'Idempotency-Key': randomUUID() } };
    const first = await draft('POST', keyed);
    const again = await draft('POST', keyed);
    expect(again.body).toEqual(first.body);
    expect(again.headers).toMatchObject({ 'idempotency-replayed': 'true', 'x-release': release });
    const live = await call('POST', { ...keyed, client: await writer() });
    expect(live.status).toBe(200);
    const path = `/${first.body.result._id}`;
    const update = { path, body: { name: 'other' }, headers: { 'Idempotency-Key': randomUUID() } };
    await draft('PUT', update);
    expect((await draft('PUT', update)).headers['idempotency-replayed']).toBe('true');
    const key = { 'Idempotency-Key': randomUUID() };
    await draft('DELETE', { path, headers: key });
    expect((await draft('DELETE', { path, headers: key })).status).toBe(200);
    expect((await draft('DELETE', { path, headers: key, query: { discard: 'true' } })).body.error.code).toBe(
      'idempotency_key_reused',
    );
  });

  const writer = async () => {
    const made = await instance().createClient({ scopes: ['cma:read', 'cma:write', 'cma:draft'] });
    await instance().refresh();
    return made;
  };

  past('withdraws a live asset into the release drafts', async () => {
    const ada = await create({ _type: author, slug: newSlug(), name: 'Ada' });
    const { _id } = await create(newArticle({ author: { _ref: ada._id, _type: author } }));
    const [path, both] = [`/${ada._id}`, await writer()];
    const withdraw = (sent: Call = {}) => call('POST', { path: `${path}/withdraw`, client: both, ...sent });
    const { etag = '' } = (await call('GET', { path })).headers;
    for (const scope of ['cma:draft', 'cma:write'] as const) {
      const single = await instance().createClient({ scopes: [scope] });
      await instance().refresh();
      expect((await withdraw({ client: single })).body.error.code).toBe('forbidden');
    }
    expect((await withdraw({ headers: { 'If-Match': '"other"' } })).status).toBe(412);
    expect((await withdraw({ headers: { 'If-Match': '*,' } })).status).toBe(400);
    const twice = { _type: text, _id: randomUUID(), name: 'twice' };
    await draft('POST', { body: twice });
    await create(twice);
    expect((await withdraw({ path: `/${twice._id}/withdraw` })).body.error.code).toBe('id_in_use');
    expect((await withdraw({ client: null })).status).toBe(401);
    const keyed = { headers: { 'If-Match': etag, 'Idempotency-Key': newSlug() } };
    const done = await withdraw(keyed);
    expect(done.body.result.references).toMatchObject({ count: 1, items: [{ _id }] });
    expect(done.body.result.schedules).toEqual([]);
    expect(done.headers).toHaveProperty('x-change');
    const again = await withdraw(keyed);
    expect([
      again.status,
      again.body,
      again.headers['x-change'],
      again.headers['idempotency-replayed'],
    ]).toEqual([200, done.body, done.headers['x-change'], 'true']);
    expect((await withdraw()).status).toBe(404);
    expect((await call('GET', { path })).status).toBe(404);
    const { 'cms.content.updateDate': _, ...kept } = ada;
    expect(await draftOf(ada._id)).toMatchObject(kept);
  });

  past('refuses other scopes, unknown releases, and what no release has', async () => {
    const { _id } = await create({ _type: text, name: 'live' });
    const path = `/${_id}`;
    const codes = async (method: string, sent: Call) => {
      const { status, body } = await call(method, { client, ...sent });
      return `${status} ${body.error?.code}`;
    };
    expect(await codes('GET', { path })).toBe('403 forbidden');
    const onlyLive = instance().headers;
    for (const [method, sent] of [
      ['GET', { query: { from: text } }],
      ['POST', { path: '/query', body: { from: text } }],
      ['POST', { body: { _type: text, name: 'x' } }],
      ['GET', { path }],
      ['PUT', { path, body: { name: 'x' } }],
      ['PATCH', { path, raw: '{}', headers: mergePatch }],
      ['DELETE', { path }],
      ['DELETE', { path, query: { discard: 'true' } }],
      ['POST', { path: '/batch', body: { operations: [{ action: 'delete', id: _id }] } }],
      ['GET', { path: `${path}/history` }],
      ['GET', { path, query: { version: 'x' } }],
    ] as [string, Call][]) {
      const query = { ...sent.query, release: 'spring' };
      expect([method, await codes(method, { ...sent, query, client: onlyLive })]).toEqual([
        method,
        '403 forbidden',
      ]);
      expect([method, await codes(method, { ...sent, query })]).toEqual([method, '404 not_found']);
    }
    const invalid = '400 invalid_parameter';
    const query = { release };
    expect(await codes('GET', { path, query: { release: '..' } })).toBe(invalid);
    expect(await codes('GET', { path, query: { ...query, at: '1' } })).toBe(invalid);
    expect(await codes('DELETE', { path, query: { ...query, erase: 'true' } })).toBe(invalid);
    expect(await codes('DELETE', { path, query: { discard: 'true' } })).toBe(invalid);
    expect(await codes('GET', { path: '/changes', query: { ...query, from: text } })).toBe(invalid);
    expect(await codes('POST', { path: `${path}/restore`, query, body: { version: 'x' } })).toBe(invalid);
    expect(await codes('PUT', { path, query, body: { name: 'x' }, headers: { 'X-Run': 'one' } })).toBe(
      invalid,
    );
  });

  past('discards what others have drafted only for clients that may write live content', async () => {
    const { _id: id } = await create({ _type: text, name: 'Live' });
    const path = `/${id}`;
    await draft('PUT', { path, body: { name: 'Drafted' } });
    const other = await instance().createClient({ scopes: ['cma:draft'] });
    const editor = await instance().createClient({ scopes: ['cma:draft', 'cma:write'] });
    await instance().refresh();
    const discard = { path, query: { discard: 'true' } };
    expect((await draft('PUT', { path, body: { text: 'More' }, client: other })).status).toBe(200);
    for (const sent of [{ client: other }, {}]) {
      expect((await draft('DELETE', { ...discard, ...sent })).body.error.code).toBe('forbidden');
      expect((await draft('PUT', { path, body: { name: 'Live' }, ...sent })).status).toBe(403);
    }
    expect(await draftOf(id)).toMatchObject({ name: 'Drafted', text: 'More' });
    expect((await draft('DELETE', { ...discard, client: editor })).status).toBe(200);
  });

  past('refuses a draft of what others have published since it was read', async () => {
    const { _id: id } = await create(newArticle({ headline: 'Live', tags: ['a'] }));
    const path = `/${id}`;
    const first = await draft('PUT', { path, body: { headline: 'Drafted' } });
    const before = await draft('GET', { path });
    const { etag = '' } = before.headers;
    expect(etag).toMatch(/^"[\w-]+~[\w-]+\.\w+"$/);
    const live = await call('PUT', { path, body: { tags: ['theirs'] } });
    const { headers } = await draft('GET', { path });
    expect(headers.etag).not.toBe(etag);
    expect(headers.etag).toContain(live.headers.etag?.slice(1));
    const body = { tags: ['mine'] };
    const conflict = {
      code: 'edit_conflict',
      conflicts: [expect.objectContaining({ base: ['a'], theirs: ['theirs'], yours: ['mine'] })],
    };
    const based = await draft('PUT', { path, body, headers: { 'X-Base-Version': etag } });
    expect(based.body.error).toMatchObject(conflict);
    const condition = { 'If-Match': etag };
    expect((await draft('PUT', { path, body, headers: condition })).status).toBe(412);
    const patch = { path, raw: JSON.stringify(body), headers: { ...condition, ...mergePatch } };
    expect((await draft('PATCH', patch)).status).toBe(412);
    const update = { action: 'update', asset: { _id: id, ...body } };
    const operations = [
      { ...update, baseVersion: etag },
      { ...update, ifMatch: etag },
      { action: 'patch', id, patch: body, ifMatch: etag },
      { ...update, asset: { _id: id, headline: 'Again' }, baseVersion: etag },
    ];
    const batch = await draft('POST', { path: '/batch', body: { operations } });
    expect(
      batch.body.result.results.map((result: { error?: { code: string } }) => result.error?.code),
    ).toEqual(['edit_conflict', 'precondition_failed', 'precondition_failed', undefined]);
    const old = await draft('GET', { path, query: { version: etag } });
    expect([old.headers.etag, old.body]).toEqual([etag, before.body]);
    const present = await draft('GET', { path });
    const history = await draft('GET', { path: `${path}/history` });
    const versions = history.body.result.items.map(({ version }: { version: string }) => version);
    expect([present.headers.etag, etag].map((tag = '') => tag.slice(1).split('.')[0])).toEqual(versions);
    const changes = history.body.result.items.map((item: { id: string }) => item.id);
    expect(changes).toEqual([batch.body.result.results[3].change, first.headers['x-change']]);
    const unknown = await draft('PUT', { path, body, headers: { 'X-Base-Version': 'a~b' } });
    expect(unknown.status).toBe(412);
    const again = { path, body, headers: { 'X-Base-Version': present.headers.etag ?? '' } };
    expect((await draft('PUT', again)).status).toBe(200);
  });

  past('needs the live and the drafted owner of a client that is held to sites', async () => {
    const [here, there] = [
      await create({ _type: site, name: 'here' }),
      await create({ _type: site, name: 'there' }),
    ];
    const owned = (owner: { _id: string }) => ({ 'cms.site.owner': { _ref: owner._id, _type: site } });
    const [mine, other, gone] = [
      await create({ _type: text, name: 'mine', ...owned(here) }),
      await create({ _type: text, name: 'other', ...owned(there) }),
      await create({ _type: text, name: 'gone', ...owned(there) }),
    ];
    const held = await instance().createClient({ scopes: ['cma:draft', 'history'], sites: [here._id] });
    await instance().refresh();
    const moved = [
      await draft('PUT', { path: `/${mine._id}`, body: owned(there) }),
      await draft('PUT', { path: `/${other._id}`, body: owned(here) }),
    ];
    await draft('DELETE', { path: `/${gone._id}` });
    for (const { _id } of [mine, other, gone]) {
      const path = `/${_id}`;
      expect((await draft('GET', { path, client: held })).status).toBe(404);
      expect((await draft('PUT', { path, body: { name: 'x' }, client: held })).status).toBe(404);
      expect((await draft('DELETE', { path, query: { discard: 'true' }, client: held })).status).toBe(404);
      expect((await draft('GET', { path: `${path}/history`, client: held })).status).toBe(404);
    }
    for (const { body, headers } of moved) {
      const past = { path: `/${body.result._id}`, query: { version: headers.etag ?? '' } };
      expect((await draft('GET', past)).status).toBe(200);
      expect((await draft('GET', { ...past, client: held })).status).toBe(404);
    }
    const again = { _type: text, _id: gone._id, name: 'again', ...owned(here) };
    expect((await draft('POST', { body: again, client: held })).body.error.code).toBe('id_in_use');
    const list = await draft('GET', { query: { from: text, limit: 0 }, client: held });
    expect(list.body.result.count).toBe(0);
    const created = await draft('POST', { body: { _type: text, name: 'new', ...owned(here) }, client: held });
    expect((await draft('GET', { path: `/${created.body.result._id}`, client: held })).status).toBe(200);
    expect((await draft('POST', { body: { _type: text, name: 'x' }, client: held })).status).toBe(403);
  });

  past('says nothing of drafts in the feed, and erases them with their asset', async () => {
    const mark = randomUUID();
    const { _id } = await create({ _type: text, name: mark });
    const feed = async (cursor?: string) => {
      const query = {
        from: text,
        where: 'name startsWith ?',
        values: mark,
        ...(cursor !== undefined && { cursor }),
      };
      return (await call('GET', { path: '/changes', query })).body.result;
    };
    let page = await feed();
    while (page.more) page = await feed(page.cursor);
    await draft('PUT', { path: `/${_id}`, body: { name: `${mark} drafted` } });
    await draft('POST', { body: { _type: text, name: `${mark} new` } });
    expect(await feed(page.cursor)).toMatchObject({ items: [] });
    await draft('DELETE', { path: `/${_id}`, query: { discard: 'true' } });
    await draft('PUT', { path: `/${_id}`, body: { name: `${mark} again` } });
    const eraser = await instance().createClient({ scopes: ['admin'] });
    await instance().refresh();
    expect((await call('DELETE', { path: `/${_id}`, query: { erase: 'true' }, client: eraser })).status).toBe(
      200,
    );
    expect((await draft('GET', { path: `/${_id}/history` })).status).toBe(404);
    const left = await instance().services.store.changes.read({ order: 'oldest first', limit: 10_000 });
    expect(JSON.stringify(left.entries.filter(({ before }) => before))).not.toContain(`${mark} `);
  });
}
