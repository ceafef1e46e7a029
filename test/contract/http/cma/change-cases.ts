/** Cases of `X-Change`, which names the entry of a write in the change log. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type CmaContext, text } from './cma-content.ts';

/** Runs the cases. */
export function describeChanges({ call }: CmaContext): void {
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
  });
}
