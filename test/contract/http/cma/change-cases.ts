/** Cases of the headers that need the change log: `X-Change`, `X-Run` and `X-Base-Version`. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { ClientHeaders } from '../../../support/instance.ts';
import { type CmaContext, text } from './cma-content.ts';

/** Runs the cases. */
export function describeChanges({ call, instance }: CmaContext): void {
  const create = () => call('POST', { body: { _type: text, name: 'one' } });
  const pathOf = ({ body }: Awaited<ReturnType<typeof create>>) => `/${body.result._id}`;
  /** The part of an ETag before the shape. */
  const versionOf = (etag: string | undefined) => /^"([\w-]+)\.[\w-]{8}"$/.exec(etag ?? '')?.[1];

  describe('X-Change', () => {
    it('is the version that a create or an update gives', async () => {
      const created = await create();
      const updated = await call('PUT', { path: pathOf(created), body: { name: 'two' } });
      for (const { headers } of [created, updated]) {
        expect(headers['x-change']).toMatch(/^[\w-]+$/);
        expect(headers['x-change']).toBe(versionOf(headers.etag));
      }
    });

    it('names a deletion, and nothing that only reads or is refused', async () => {
      const created = await create();
      const path = pathOf(created);
      expect((await call('GET', { path })).headers).not.toHaveProperty('x-change');
      expect((await call('PUT', { path, body: { nope: 1 } })).headers).not.toHaveProperty('x-change');
      const deleted = await call('DELETE', { path });
      expect(deleted.headers['x-change']).toMatch(/^[\w-]+$/);
      expect(deleted.headers['x-change']).not.toBe(created.headers['x-change']);
      expect((await call('DELETE', { path })).headers).not.toHaveProperty('x-change');
    });

    it('is the member change of each result of a batch', async () => {
      const { body: one } = await create();
      const { body } = await call('POST', {
        path: '/batch',
        body: {
          operations: [
            { action: 'create', asset: { _type: text, name: 'two' } },
            { action: 'update', asset: { _id: one.result._id, nope: 1 } },
            { action: 'update', asset: { _id: one.result._id, name: 'three' } },
            { action: 'delete', id: one.result._id },
          ],
        },
      });
      const [created, refused, updated, deleted] = body.result.results;
      for (const { change, etag } of [created, updated]) expect(change).toBe(versionOf(etag));
      expect(refused).not.toHaveProperty('change');
      expect(deleted.change).toMatch(/^[\w-]+$/);
    });

    it('is repeated with the answer to a request with the same Idempotency-Key', async () => {
      const headers = { 'Idempotency-Key': randomUUID() };
      const send = () => call('POST', { headers, body: { _type: text, name: 'one' } });
      const [first, second] = [await send(), await send()];
      expect(first.headers['x-change']).toBe(versionOf(first.headers.etag));
      expect(second.headers).toMatchObject({
        'idempotency-replayed': 'true',
        'x-change': first.headers['x-change'],
      });
    });
  });

  describe('X-Run', () => {
    it.each(['', 'a b', 'x'.repeat(65)])('is refused with 400 when it is %j', async (run) => {
      const { status, body } = await call('POST', {
        headers: { 'X-Run': run },
        body: { _type: text, name: 'one' },
      });
      expect([status, body.error?.code, body.error?.path]).toEqual([400, 'invalid_parameter', 'X-Run']);
    });

    it('is refused with 409 when the run belongs to another API client, and nothing is written', async () => {
      const headers = { 'X-Run': `run-${randomUUID()}` };
      const created = await call('POST', { headers, body: { _type: text, name: 'one' } });
      expect(created.status).toBe(200);
      const client = await instance().createClient({});
      await instance().refresh();
      const path = pathOf(created);
      const batch = { operations: [{ action: 'delete', id: created.body.result._id }] };
      const refused = [
        await call('POST', { client, headers, body: { _type: text, name: 'two' } }),
        await call('POST', { client, headers, path: '/batch', body: batch }),
        await call('PUT', { client, headers, path, body: { name: 'two' } }),
        await call('DELETE', { client, headers, path }),
      ];
      for (const { status, body } of refused) {
        expect([status, body.error.code]).toEqual([409, 'run_foreign']);
      }
      expect((await call('GET', { path, headers })).body.result.name).toBe('one');
    });

    describe('of a write that is only checked', () => {
      const query = { validate: 'true' };
      const scopes = ['cma:read', 'cma:write', 'history'] as const;
      const createClient = async () => {
        const client = await instance().createClient({ scopes });
        await instance().refresh();
        return client;
      };

      it('is refused as that of the write, whether it is foreign or closed', async () => {
        const [owner, stranger] = [await createClient(), await createClient()];
        const created = await call('POST', { client: owner, body: { _type: text, name: 'one' } });
        const path = pathOf(created);
        const headers = { 'X-Run': `run-${randomUUID()}` };
        // A run begins with its first write, also if that is refused; so it need not be quiet before it is reverted.
        const { _id } = created.body.result;
        await call('POST', { client: owner, headers, body: { _type: text, name: 'one', _id } });
        const version = versionOf(created.headers.etag);
        const writes = [
          ['POST', '', { _type: text, name: 'two' }],
          ['POST', '', { _type: text, nope: 1 }],
          ['POST', '/batch', { operations: [{ action: 'delete', id: _id }] }],
          ['POST', '/batch', { operations: [{ action: 'update', asset: { _id, name: 'x' } }], atomic: true }],
          ['PUT', path, { name: 'two' }],
          ['PUT', `/${randomUUID()}`, { name: 'two' }],
          ['POST', `${path}/restore`, { version }],
        ] as const;
        /** The status and the code of each write, checked and then done. */
        const send = async (client: ClientHeaders) => {
          const codes: unknown[] = [];
          for (const [method, at, body] of writes) {
            const checked = await call(method, { client, headers, path: at, body, query });
            const done = await call(method, { client, headers, path: at, body });
            expect([method, at, checked.status, checked.body]).toEqual([method, at, done.status, done.body]);
            codes.push(done.body.error.code);
          }
          return codes;
        };
        const refusedWith = (code: string) => [code, 'invalid_body', code, code, code, 'not_found', code];
        expect(await send(stranger)).toEqual(refusedWith('run_foreign'));
        await instance().services.runs.start(headers['X-Run']);
        await instance().services.runs.wait(headers['X-Run']);
        expect(await send(owner)).toEqual(refusedWith('run_closed'));
        expect((await call('GET', { path })).headers.etag).toBe(created.headers.etag);
      });

      it('begins no run, and is no write of one', async () => {
        const client = await createClient();
        const body = { _type: text, name: 'one' };
        const headers = { 'X-Run': `run-${randomUUID()}` };
        const { runs } = instance().services;
        expect((await call('POST', { client, headers, body, query })).status).toBe(200);
        await expect(runs.get(headers['X-Run'])).rejects.toMatchObject({ code: 'not_found' });
        const created = await call('POST', { client, body });
        const again = { ...body, _id: created.body.result._id };
        expect((await call('POST', { client, headers, body: again })).status).toBe(409);
        expect((await call('POST', { client, headers, body, query })).status).toBe(200);
        expect(await runs.get(headers['X-Run'])).toMatchObject({ state: 'open', writes: { create: 0 } });
      });

      it('is refused with 400 when it is malformed', async () => {
        const { status, body } = await call('POST', {
          headers: { 'X-Run': 'a b' },
          body: { _type: text, name: 'one' },
          query,
        });
        expect([status, body.error.path]).toEqual([400, 'X-Run']);
      });
    });
  });

  describe('X-Base-Version', () => {
    /** An asset whose text somebody has changed since the version `base`. */
    async function createChanged() {
      const created = await call('POST', { body: { _type: text, name: 'one', text: 'one' } });
      const path = pathOf(created);
      await call('PUT', { path, body: { text: 'two' } });
      return { path, id: created.body.result._id, base: created.headers.etag ?? '' };
    }
    const put = (path: string, body: object, base: string, headers = {}) =>
      call('PUT', { path, body, headers: { 'X-Base-Version': base, ...headers } });

    it('keeps what others have changed since, whether it is an ETag or a version', async () => {
      const toHeader = [
        (tag: string) => tag,
        (tag: string) => `W/${tag}`,
        (tag: string) => tag.replaceAll('"', ''),
        (tag: string) => `"${versionOf(tag)}"`,
        (tag: string) => String(versionOf(tag)),
      ];
      for (const toBase of toHeader) {
        const { path, base } = await createChanged();
        const { status, headers, body } = await put(path, { name: 'three' }, toBase(base));
        expect([status, body.result.name, body.result.text]).toEqual([200, 'three', 'two']);
        expect(headers['x-change']).toBe(versionOf(headers.etag));
      }
    });

    it('answers 409 with the values of each field that others have changed, too', async () => {
      const { path, base } = await createChanged();
      const { status, body } = await put(path, { name: 'three', text: 'three' }, base);
      expect([status, body.error]).toEqual([
        409,
        {
          code: 'edit_conflict',
          message: expect.any(String),
          path: 'text',
          conflicts: [{ path: 'text', base: 'one', theirs: 'two', yours: 'three' }],
        },
      ]);
      const cleared = await put(path, { text: null }, base);
      expect(cleared.body.error.conflicts).toEqual([{ path: 'text', base: 'one', theirs: 'two' }]);
    });

    it('answers 412 when the version is not known, and when If-Match fails', async () => {
      const { path, base } = await createChanged();
      const unknown = await put(path, { name: 'three' }, '"no-such-version"');
      const outdated = await put(path, { name: 'three' }, base, { 'If-Match': base });
      for (const { status, body } of [unknown, outdated]) {
        expect([status, body.error.code]).toEqual([412, 'precondition_failed']);
      }
    });

    it.each(['', '*', '"a", "b"', '""'])('answers 400 when it is %j', async (base) => {
      const { path } = await createChanged();
      const { status, body } = await put(path, { name: 'three' }, base);
      expect([status, body.error.code, body.error.path]).toEqual([
        400,
        'invalid_parameter',
        'X-Base-Version',
      ]);
    });

    it('is baseVersion in the operations of a batch', async () => {
      const [kept, overlapping] = [await createChanged(), await createChanged()];
      const operations = [
        { action: 'update', asset: { _id: kept.id, name: 'three' }, baseVersion: kept.base },
        { action: 'update', asset: { _id: overlapping.id, text: 'three' }, baseVersion: overlapping.base },
        { action: 'update', asset: { _id: kept.id, name: 'three' }, baseVersion: '*' },
        { action: 'upsert', asset: { _id: randomUUID(), _type: text, name: 'one' }, baseVersion: kept.base },
      ];
      const { body } = await call('POST', { path: '/batch', body: { operations } });
      const [done, conflict, malformed, absent] = body.result.results;
      expect(done.status).toBe(200);
      expect(conflict).toMatchObject({
        status: 409,
        error: { conflicts: [{ path: 'text', base: 'one', theirs: 'two', yours: 'three' }] },
      });
      expect(malformed.error).toMatchObject({ code: 'invalid_parameter', path: 'baseVersion' });
      expect(absent).toMatchObject({ status: 412, error: { code: 'precondition_failed' } });
    });
  });
}
