/** Cases of uploads: what the response says of a file, and which uploads are refused. */
import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { headOf, openConnection } from '../../../support/connections.ts';
import type { CmaContext } from './cma-content.ts';

/** The limit of the instance that the cases run on. */
export const maxFileBytes = 1_000_000;

/** Runs the cases. */
export function describeUploads({ call, create, instance }: CmaContext): void {
  const upload = (raw: Buffer | string, name: string, headers: Readonly<Record<string, string>> = {}) =>
    call('POST', {
      path: '/files',
      query: { name },
      raw,
      headers: { 'Content-Type': 'application/octet-stream', ...headers },
    });

  describe('uploading a file', () => {
    it('returns its hash, its cleaned name, its media type and its size', async () => {
      const background = { r: 1, g: 2, b: 3 };
      const bytes = await sharp({ create: { width: 30, height: 20, channels: 3, background } })
        .png()
        .toBuffer();
      const { status, body } = await upload(bytes, 'pictures/Über "x".png', { 'Content-Type': 'text/html' });
      expect([status, body.result]).toEqual([
        200,
        {
          hash: createHash('sha256').update(bytes).digest('hex'),
          name: 'Über _x_.png',
          mediaType: 'image/png',
          bytes: bytes.length,
          width: 30,
          height: 20,
        },
      ]);
    });

    it('returns the same file for equal bytes, with the name that is given', async () => {
      const [one, other] = [await upload('equal bytes', 'one.txt'), await upload('equal bytes', 'other.csv')];
      expect(one.body.result).toMatchObject({ name: 'one.txt', mediaType: 'text/plain' });
      expect(other.body.result).toEqual({ ...one.body.result, name: 'other.csv', mediaType: 'text/csv' });
    });

    it('is possible for a client that is restricted to a site', async () => {
      const { _id } = await create({ _type: 'com.colophon.cms.db.Site', name: 'A site' });
      const client = await instance().createClient({ sites: [_id] });
      await instance().refresh();
      const query = { name: 'a.txt' };
      expect((await call('POST', { path: '/files', query, raw: 'of a site', client })).status).toBe(200);
    });

    it('is refused without a name, with none that names a file, and without a byte', async () => {
      const refused = [
        await call('POST', { path: '/files', raw: 'x' }),
        await upload('x', '..'),
        await upload('x', 'x'.repeat(256)),
        await upload('', 'empty.txt'),
      ];
      expect(refused.map(({ status, body }) => [status, body.error.code, body.error.path])).toEqual([
        ...[1, 2, 3].map(() => [400, 'invalid_parameter', 'name']),
        [400, 'invalid_body', ''],
      ]);
    });

    it('is refused in a content coding, without the scope, and without credentials', async () => {
      expect((await upload('x', 'a.txt', { 'Content-Encoding': 'gzip' })).status).toBe(415);
      expect((await upload('x', 'a.txt', { 'Content-Encoding': 'identity' })).status).toBe(200);
      const client = await instance().createClient({ scopes: ['cma:read'] });
      await instance().refresh();
      const query = { name: 'a.txt' };
      expect((await call('POST', { path: '/files', query, raw: 'x', client })).status).toBe(403);
      expect((await call('POST', { path: '/files', query, raw: 'x', client: null })).status).toBe(401);
      const { status, headers } = await call('GET', { path: '/files' });
      expect([status, headers.allow]).toEqual([405, 'POST']);
    });

    it('is refused beyond the limit, by its length or at the first byte beyond', async () => {
      const { status, body } = await upload('x'.repeat(maxFileBytes + 1), 'large.txt');
      expect([status, body.error.code]).toEqual([413, 'body_too_large']);
      expect((await upload('y'.repeat(maxFileBytes), 'largest.txt')).status).toBe(200);
      const connection = await openConnection(instance().url);
      const line = 'POST /api/rest/cma/contents/files?name=a.txt';
      connection.socket.write(headOf(line, { ...instance().headers, 'Transfer-Encoding': 'chunked' }));
      connection.socket.write(`${(maxFileBytes + 1).toString(16)}\r\n${'z'.repeat(maxFileBytes + 1)}`);
      expect(await connection.ended).toMatch(/^HTTP\/1\.1 413 /);
    });

    it('asks a client that waits for it, unless the head is refused already', async () => {
      const send = async (query: string) => {
        const connection = await openConnection(instance().url);
        const headers = {
          ...instance().headers,
          Expect: '100-continue',
          'Content-Length': '5',
          Connection: 'close',
        };
        connection.socket.write(headOf(`POST /api/rest/cma/contents/files?${query}`, headers));
        connection.socket.once('data', () => connection.socket.write('bytes'));
        return connection.ended;
      };
      expect(await send('name=expected.txt')).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /);
      expect(await send('name=..')).toMatch(/^HTTP\/1\.1 400 /);
    });
  });
}
