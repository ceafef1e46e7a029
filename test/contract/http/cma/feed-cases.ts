/** The feed of the CMA, page by page; `live-feed.test.ts` has the live form. */
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { trimHistory } from '../../../support/history.ts';
import type { ClientHeaders } from '../../../support/instance.ts';
import { author, site, text } from './cma-content.ts';
import type { HistoryContext } from './history-cases.ts';

export function describeFeed(context: HistoryContext): void {
  const { call, create, instance, past } = context;
  const where = 'name startsWith ?';

  /** A feed of texts whose names begin with a mark. */
  const createFeed = (client?: ClientHeaders) => {
    const mark = randomUUID();
    const query = { from: text, where, values: mark };
    const read = (more: object = {}, as = client) =>
      call('GET', { path: '/changes', query: { ...query, ...more }, ...(as && { client: as }) });
    /** Reads on until nothing more is there; returns the items in short. */
    const readOn = async (cursor?: string, more: object = {}) => {
      const items: unknown[] = [];
      for (let at = cursor; ; ) {
        const { status, body } = await read({ ...more, ...(at !== undefined && { cursor: at }) });
        expect([status, body.error]).toEqual([200, undefined]);
        const { result } = body;
        for (const { op, asset, id, type } of result.items)
          items.push(op === 'put' ? [op, asset._id, asset.name.slice(mark.length)] : [op, id, type]);
        at = String(result.cursor);
        if (!result.more) return { items, cursor: at, phase: result.phase };
      }
    };
    const make = (name: string, fields: object = {}) => create({ _type: text, name: mark + name, ...fields });
    return { mark, read, readOn, make };
  };
  const put = (id: string, body: object) => call('PUT', { path: `/${id}`, body });
  const remove = (id: string) => call('DELETE', { path: `/${id}` });

  past('a feed has what matches, and then what changes, once each, as it is now', async () => {
    const { mark, read, readOn, make } = createFeed();
    const [a, b] = [await make('a'), await make('b')];
    const first = await read({ limit: 1 });
    expect(first.body.result).toMatchObject({ phase: 'snapshot', more: true });
    expect(first.body.result.items).toMatchObject([{ op: 'put', asset: a }]);
    const start = await readOn(first.body.result.cursor, { limit: 1 });
    expect(start).toMatchObject({ items: [['put', b._id, 'b']], phase: 'changes' });
    expect(await readOn(start.cursor)).toMatchObject({ items: [] });

    await put(a._id, { name: `${mark}a2` });
    await put(a._id, { name: `${mark}a3` });
    await put(b._id, { name: 'another' });
    const c = await make('c');
    const next = await readOn(start.cursor);
    expect(next.items).toEqual([
      ['put', a._id, 'a3'],
      ['leave', b._id, text],
      ['put', c._id, 'c'],
    ]);
    // What comes and goes between two pages, and what never matched, is not in the feed.
    await remove((await make('d'))._id);
    await remove(b._id);
    await remove(c._id);
    expect((await readOn(next.cursor)).items).toEqual([['delete', c._id, text]]);
    // An old cursor is as good as a new one.
    expect((await readOn(start.cursor)).items).toEqual([
      ['put', a._id, 'a3'],
      ['delete', b._id, text],
    ]);
  });

  past('an erased asset is deleted in every feed of its type', async () => {
    const { readOn } = createFeed();
    const admin = await instance().createClient({ scopes: ['admin'] });
    await instance().refresh();
    const never = await create({ _type: text, name: 'never in the feed' });
    const { cursor } = await readOn();
    await call('DELETE', { path: `/${never._id}`, query: { erase: 'true' }, client: admin });
    expect((await readOn(cursor)).items).toEqual([['delete', never._id, text]]);
  });

  past('a client restricted to sites sees its sites only, and what leaves them', async () => {
    const [own, other] = [
      await create({ _type: site, name: 'own' }),
      await create({ _type: site, name: 'other' }),
    ];
    const ownedBy = ({ _id }: { _id: string }) => ({ 'cms.site.owner': { _ref: _id, _type: site } });
    const held = await instance().createClient({ sites: [own._id] });
    await instance().refresh();
    const { readOn, make } = createFeed(held);
    const [mine, theirs] = [await make('mine', ownedBy(own)), await make('theirs', ownedBy(other))];
    const { items, cursor } = await readOn();
    expect(items).toEqual([['put', mine._id, 'mine']]);
    await put(theirs._id, { text: 'not visible' });
    await put(mine._id, ownedBy(other));
    const next = await readOn(cursor);
    expect(next.items).toEqual([['leave', mine._id, text]]);
    await remove(mine._id);
    expect((await readOn(next.cursor)).items).toEqual([]);
  });

  past('400 for a query that no feed can have, and for the cursor of another query', async () => {
    const { read, readOn } = createFeed();
    const { cursor } = await readOn();
    const wrong: [object, string, string][] = [
      [{ cursor: 'nonsense' }, 'invalid_parameter', 'cursor'],
      [{ cursor, from: author }, 'cursor_mismatch', 'cursor'],
      [{ cursor, values: 'other' }, 'cursor_mismatch', 'cursor'],
      [{ where: 'cms.site.owner/name = ?' }, 'invalid_parameter', 'where'],
      [{ where: 'not (name = ? and (text = x or cms.site.owner/name = a))' }, 'invalid_parameter', 'where'],
      [{ from: 'com.example.None' }, 'unknown_type', 'from'],
      [{ where: 'nothing = ?' }, 'unknown_field', 'nothing'],
      [{ limit: 0 }, 'invalid_parameter', 'limit'],
      [{ limit: 1001 }, 'invalid_parameter', 'limit'],
    ];
    for (const [more, code, path] of wrong) {
      const { status, body } = await read(more);
      expect([more, status, body.error?.code, body.error?.path]).toEqual([more, 400, code, path]);
    }
    const writer = await instance().createClient({ scopes: ['cma:write'] });
    await instance().refresh();
    expect((await read({}, writer)).status).toBe(403);
    expect((await call('GET', { path: '/changes', client: null })).status).toBe(401);
    expect((await call('POST', { path: '/changes', body: {} })).status).toBe(405);
    expect((await call('POST', { path: '/changes', body: {}, client: null })).status).toBe(401);
  });

  past('410 for the cursor of another client, and of a client that may see something else now', async () => {
    const { read, readOn } = createFeed();
    const { cursor } = await readOn();
    const other = await instance().createClient({});
    await instance().refresh();
    const gone = await read({ cursor }, other);
    expect([gone.status, gone.body.error.code, gone.body.error.path]).toEqual([
      410,
      'cursor_expired',
      'cursor',
    ]);
    expect(gone.body.error.message).toContain('begin again without a cursor');
  });

  past('410 for a cursor that is older than the log, or from another history of the store', async () => {
    const { read, readOn, make } = createFeed();
    const { cursor } = await readOn();
    await make('a');
    await make('b');
    await trimHistory(context.location());
    const gone = await read({ cursor });
    expect([gone.status, gone.body.error.code]).toEqual([410, 'cursor_expired']);
    const fresh = await readOn();
    expect(fresh.items).toHaveLength(2);
    const [request, viewer, , ...place] = JSON.parse(Buffer.from(fresh.cursor, 'base64url').toString());
    const restored = Buffer.from(JSON.stringify([request, viewer, 'another epoch', ...place])).toString(
      'base64url',
    );
    expect((await read({ cursor: restored })).body.error.message).toContain('backup was restored');
  });
}
