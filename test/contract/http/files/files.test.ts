/** Files of a listening server: what is kept of uploads, and how files are served. */
import { createHash, randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { createContentCalls } from '../../../../src/app/library/content-calls.ts';
import { fileRecordId, fileUseClass, fileUseId } from '../../../../src/content/files/file-record.ts';
import { headOf, openConnection } from '../../../support/connections.ts';
import { startInstance, type TestInstance } from '../../../support/instance.ts';
import { type RawRequest, sendRaw } from '../../../support/raw-http.ts';
import { describeOnEachStore, type StoreLocation } from '../../../support/stores.ts';

const digits = '0123456789';
const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex');

describeOnEachStore('files', (locations, { isWhole }) => {
  let location: StoreLocation;
  let instance: TestInstance;

  beforeAll(async () => {
    location = locations();
    instance = await startInstance(location, { basePath: '/cms' });
  });

  async function upload(bytes: string | Buffer, name: string, type?: string): Promise<{ hash: string }> {
    const query = new URLSearchParams({ name });
    const response = await fetch(`${instance.cmaUrl}/files?${query}`, {
      method: 'POST',
      headers: { ...instance.headers, ...(type && { 'Content-Type': type }) },
      body: Buffer.from(bytes),
    });
    const { result } = Object(await response.json());
    return result;
  }
  const serve = (hash: string, name: string, headers: RawRequest['headers'] = {}, method = 'GET') =>
    sendRaw(instance.url, { method, path: `/files/${hash}/${encodeURIComponent(name)}`, headers });
  async function keysOf(): Promise<string[]> {
    const keys: string[] = [];
    for await (const { key } of instance.services.place.list()) keys.push(key);
    return keys;
  }
  const findRecord = async (hash: string) =>
    (await instance.services.system.get(fileRecordId(hash), {})).asset;

  describe('uploading', () => {
    it('keeps the bytes of equal files once, also of several at the same time', async () => {
      const before = await keysOf();
      const bytes = randomBytes(300_000);
      const uploaded = await Promise.all(Array.from({ length: 20 }, () => upload(bytes, 'same.bin')));
      expect(new Set(uploaded.map(({ hash }) => hash))).toEqual(new Set([sha256(bytes)]));
      const added = (await keysOf()).filter((key) => !before.includes(key));
      expect(added).toEqual([(await findRecord(sha256(bytes))).key]);
    });

    it('renews the date of a known file, and gives it bytes again if they are lost', async () => {
      const { hash } = await upload('renewed', 'a.txt');
      const { _id, uploadedAt, key } = await findRecord(hash);
      await instance.services.system.update({ id: _id, body: { unusedSince: 1 } }, {});
      instance.advanceClock(1000);
      await upload('renewed', 'b.txt');
      const renewed = await findRecord(hash);
      expect(renewed).toMatchObject({ name: 'b.txt', key });
      expect(renewed.unusedSince).toBeUndefined();
      expect(Number(renewed.uploadedAt)).toBeGreaterThan(Number(uploadedAt));
      await instance.services.place.delete(String(key));
      expect((await serve(hash, 'a.txt')).status).toBe(404);
      await upload('renewed', 'a.txt');
      await expect.poll(async () => (await serve(hash, 'a.txt')).text).toBe('renewed');
    });

    it('is possible in the process itself, from bytes and from a stream, which may fail', async () => {
      const { uploadFile } = createContentCalls(instance.services);
      const file = { hash: sha256('of a stream'), name: 'a.txt', mediaType: 'text/plain', bytes: 11 };
      async function* read(parts: readonly string[], error?: Error) {
        for (const part of parts) yield Buffer.from(part);
        if (error) throw error;
      }
      expect(await uploadFile(read(['of a ', 'stream']), { name: 'a.txt' })).toEqual(file);
      expect(await uploadFile(Buffer.from('of a stream'), { name: 'a.txt' })).toEqual(file);
      const before = await keysOf();
      const broken = uploadFile(read(['of a broken'], new Error('broken')), { name: 'b.txt' });
      await expect(broken).rejects.toThrow('broken');
      await expect(uploadFile(Buffer.alloc(0), { name: 'b.txt' })).rejects.toMatchObject({
        code: 'invalid_body',
      });
      expect(await keysOf()).toEqual(before);
    });

    it('leaves nothing when the client disconnects or sends too little', async () => {
      const before = await keysOf();
      const cut = async (body: string) => {
        const connection = await openConnection(instance.url);
        const line = 'POST /api/rest/cma/contents/files?name=cut.bin';
        connection.socket.write(headOf(line, { ...instance.headers, 'Content-Length': 200_000 }) + body);
        connection.socket.end();
        return connection.ended;
      };
      await Promise.all([cut(''), cut('x'), cut('x'.repeat(100_000))]);
      await upload('after them', 'after.txt');
      await expect.poll(async () => (await keysOf()).filter((key) => !before.includes(key)).length).toBe(1);
    });
  });

  describe('serving', () => {
    it('sends the bytes with headers that caches keep for good', async () => {
      const { hash } = await upload(digits, 'digits.txt');
      const { status, headers, text } = await serve(hash, 'digits.txt', { 'Accept-Encoding': 'gzip' });
      expect([status, text]).toEqual([200, digits]);
      expect(headers).toMatchObject({
        'content-type': 'text/plain',
        'content-length': '10',
        'content-disposition': 'attachment; filename="digits.txt"',
        'content-security-policy': expect.stringMatching(/^sandbox;/),
        'x-content-type-options': 'nosniff',
        'cache-control': 'public, max-age=31536000, immutable',
        etag: `"${hash}"`,
        'accept-ranges': 'bytes',
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
      });
      expect(headers).not.toHaveProperty('content-encoding');
      expect(headers).not.toHaveProperty('set-cookie');
    });

    it('answers below the path of the public URL as well', async () => {
      const { hash } = await upload(digits, 'digits.txt');
      expect(
        await sendRaw(instance.url, { method: 'GET', path: `/cms/files/${hash}/digits.txt` }),
      ).toMatchObject({ text: digits });
    });

    it('answers HEAD with the headers alone, and 304 to who has the file', async () => {
      const { hash } = await upload(digits, 'digits.txt');
      const head = await serve(hash, 'digits.txt', { Range: 'bytes=0-1' }, 'HEAD');
      expect([head.status, head.text, head.headers['content-length']]).toEqual([200, '', '10']);
      const known = await serve(hash, 'digits.txt', { 'If-None-Match': `W/"${hash}"`, Range: 'bytes=0-1' });
      expect([known.status, known.text, known.headers.etag]).toEqual([304, '', `"${hash}"`]);
    });

    it('sends ranges: one, the last bytes, several, and none that begins beyond the end', async () => {
      const { hash } = await upload(digits, 'digits.txt');
      const part = async (Range: string, others = {}) => {
        const { status, headers, text } = await serve(hash, 'digits.txt', { Range, ...others });
        return [status, headers['content-range'], headers['content-length'], text];
      };
      expect(await part('bytes=2-4')).toEqual([206, 'bytes 2-4/10', '3', '234']);
      expect(await part('bytes=-2')).toEqual([206, 'bytes 8-9/10', '2', '89']);
      expect(await part('bytes=10-')).toEqual([416, 'bytes */10', '0', '']);
      expect(await part('bytes=2-4', { 'If-Range': `"${hash}"` })).toEqual([206, 'bytes 2-4/10', '3', '234']);
      expect(await part('bytes=2-4', { 'If-Range': '"other"' })).toEqual([200, undefined, '10', digits]);
      expect(await part('bytes=2-4', { 'If-Range': `W/"${hash}"` })).toEqual([200, undefined, '10', digits]);
      const { status, headers, text } = await serve(hash, 'digits.txt', { Range: 'bytes=0-0,5-6' });
      const [, boundary = ''] =
        /^multipart\/byteranges; boundary=(.+)$/.exec(`${headers['content-type']}`) ?? [];
      expect([status, headers['content-length']]).toEqual([206, String(text.length)]);
      expect(text.split(`--${boundary}`).map((one) => one.split('\r\n').filter(Boolean))).toEqual([
        [],
        ['Content-Type: text/plain', 'Content-Range: bytes 0-0/10', '0'],
        ['Content-Type: text/plain', 'Content-Range: bytes 5-6/10', '56'],
        ['--'],
      ]);
    });

    it('shows pictures and PDF, and has everything else saved', async () => {
      const gif = await upload(
        Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=', 'base64'),
        'pixel.gif',
      );
      const { headers } = await serve(gif.hash, 'pixel.gif');
      expect(headers).toMatchObject({
        'content-type': 'image/gif',
        'content-disposition': 'inline; filename="pixel.gif"',
      });
      expect(headers['content-security-policy']).not.toMatch(/sandbox|frame-ancestors/);
      const saved = [
        ['a.svg', svg, 'image/svg+xml'],
        ['a.html', '<script>1</script>', 'application/octet-stream'],
      ] as const;
      for (const [name, bytes, type] of saved) {
        const { headers } = await serve((await upload(bytes, name)).hash, name);
        expect(headers).toMatchObject({
          'content-type': type,
          'content-disposition': `attachment; filename="${name}"`,
        });
        expect(headers['content-security-policy']).toMatch(/^sandbox; default-src 'none';/);
      }
    });

    it.each([
      ['Über 日本.txt', `filename="_ber __.txt"; filename*=UTF-8''%C3%9Cber%20%E6%97%A5%E6%9C%AC.txt`],
      [`it's (50%)!.txt`, `filename="it's (50_)!.txt"; filename*=UTF-8''it%27s%20%2850%25%29%21.txt`],
      ['x"; y="\r\nSet-Cookie: a=b.txt', `filename="x_; y=_Set-Cookie_ a=b.txt"`],
    ])('names it %j in the header', async (name, expected) => {
      const { hash } = await upload(digits, 'digits.txt');
      const { status, headers } = await serve(hash, name);
      expect([status, headers['content-disposition']]).toEqual([200, `attachment; ${expected}`]);
      expect(headers).not.toHaveProperty('set-cookie');
    });

    it('follows the ending of the address where the bytes tell no type, whatever name the first upload had', async () => {
      const served = async (hash: string, name: string) => {
        const { headers } = await serve(hash, name);
        return [headers['content-type'], headers['content-disposition']];
      };
      const text = 'year,place\n1863,Gettysburg';
      expect(await upload(text, 'a.bin', 'text/markdown')).toMatchObject({
        name: 'a.bin',
        mediaType: 'application/octet-stream',
      });
      const { hash, ...named } = await upload(text, 'speech.csv');
      expect(named).toEqual({ name: 'speech.csv', mediaType: 'text/csv', bytes: text.length });
      expect(await served(hash, 'speech.csv')).toEqual(['text/csv', 'attachment; filename="speech.csv"']);
      expect(await served(hash, 'other.txt')).toEqual(['text/plain', 'attachment; filename="other.txt"']);
      for (const name of ['page.html', 'a.svg', 'a.png', 'a'])
        expect(await served(hash, name)).toEqual([
          'application/octet-stream',
          `attachment; filename="${name}"`,
        ]);
    });

    it('answers other paths and methods with errors that no cache keeps', async () => {
      const { hash } = await upload(digits, 'digits.txt');
      const refused = async (path: string, method = 'GET') => {
        const { status, headers, text } = await sendRaw(instance.url, { method, path });
        expect([headers['cache-control'], headers['access-control-allow-origin']]).toEqual(['no-store', '*']);
        return [status, JSON.parse(text).error.code];
      };
      expect(await refused(`/files/${sha256('unknown')}/a.txt`)).toEqual([404, 'not_found']);
      for (const path of [
        '/files',
        '/files/',
        `/files/${hash}`,
        `/files/${hash}/a/b`,
        `/files/${hash.toUpperCase()}/a`,
        '/files/..%2f/a',
        `/files/${hash}/%ff`,
      ])
        expect(await refused(path)).toEqual([404, 'route_not_found']);
      expect(await refused(`/files/${hash}/..`)).toEqual([400, 'invalid_parameter']);
      expect(await refused(`/files/${hash}/digits.txt?x=1`)).toEqual([400, 'invalid_parameter']);
      expect(await refused(`/files/${hash}/digits.txt`, 'POST')).toEqual([405, 'method_not_allowed']);
    });

    it('allows scripts of other origins to ask for ranges', async () => {
      const { status, headers } = await serve(
        sha256('any'),
        'a',
        { Origin: 'https://example.com', 'Access-Control-Request-Method': 'GET' },
        'OPTIONS',
      );
      expect([status, headers['access-control-allow-headers']]).toEqual([
        204,
        expect.stringContaining('Range'),
      ]);
    });

    it('needs credentials or a session where the setting says so', async () => {
      const { hash } = await upload(digits, 'digits.txt');
      const guarded = await startInstance(location, { filesAccess: 'CLIENT_CREDENTIALS' });
      const get = (headers: Readonly<Record<string, string>>) =>
        sendRaw(guarded.url, { method: 'GET', path: `/files/${hash}/digits.txt`, headers });
      const { email, password } = await guarded.createUser();
      const signedIn = await fetch(`${guarded.url}/api/admin/session`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ email, password }),
      });
      const Cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? '';
      expect((await get({})).status).toBe(401);
      expect((await get({ Cookie: `${Cookie}x` })).status).toBe(401);
      for (const headers of [guarded.headers, { Cookie }]) {
        const { status, headers: received, text } = await get(headers);
        expect([status, text, received['cache-control']]).toEqual([
          200,
          digits,
          'private, max-age=31536000, immutable',
        ]);
      }
      await guarded.revoke(guarded.headers);
      await guarded.refresh();
      expect((await get(guarded.headers)).status).toBe(401);
      await guarded.stop();
    });
  });

  describe.runIf(isWhole)('a reader who stops', () => {
    it('holds no place among the requests in progress', async () => {
      const { hash } = await upload(randomBytes(12_000_000), 'large.bin');
      const small = await startInstance(location, { maxRequests: 2 });
      const readers = await Promise.all([1, 2].map(() => openConnection(small.url)));
      for (const { socket } of readers) {
        socket.write(headOf(`GET /files/${hash}/large.bin`));
        socket.pause();
      }
      const statusOf = async (method: string) => {
        const response = await fetch(`${small.url}/files/${hash}/large.bin`, { method });
        await response.body?.cancel();
        return response.status;
      };
      await expect.poll(() => statusOf('GET')).toBe(503);
      expect((await fetch(small.cmaUrl, { headers: small.headers })).status).toBe(400);
      for (const { socket } of readers) socket.destroy();
      await expect.poll(() => statusOf('GET')).toBe(200);
      await small.stop();
    });
  });

  describe('deleting', () => {
    const deleteFile = async (hash: string) => instance.services.files.delete(hash);

    it('is refused while an asset uses the file, and removes the bytes otherwise', async () => {
      const { hash } = await upload('to be deleted', 'deleted.txt');
      const asset = '0190a0c0-0000-7000-8000-00000000abcd';
      const use = { _id: fileUseId(hash, asset), _type: fileUseClass, hash, asset };
      await instance.services.system.create(use, {});
      await expect(deleteFile(hash)).rejects.toMatchObject({ code: 'in_use', details: { users: [asset] } });
      expect((await serve(hash, 'deleted.txt')).status).toBe(200);
      await instance.services.system.delete({ id: use._id }, {});
      const { key } = await findRecord(hash);
      await deleteFile(hash);
      expect((await serve(hash, 'deleted.txt')).status).toBe(404);
      expect(await keysOf()).not.toContain(key);
      await expect(deleteFile(hash)).rejects.toMatchObject({ code: 'not_found' });
    });
  });
});
