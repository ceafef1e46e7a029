/** Variants of pictures: which are made, that they are made once and kept, and that no picture harms the server. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { startInstance, type TestInstance } from '../../../support/instance.ts';
import { type StoreLocation, sqliteLocation } from '../../../support/stores.ts';

let location: StoreLocation;
let instance: TestInstance;

beforeAll(async () => {
  location = sqliteLocation();
  instance = await startInstance(location, { imageSizes: [10, 20, 40, 400] });
});

const formats = ['jpeg', 'png', 'gif', 'webp', 'avif'] as const;

/** A picture whose left half is red and whose right half is green. */
function draw(width = 80, height = 40) {
  const green = { create: { width: width / 2, height, channels: 3, background: '#00ff00' } } as const;
  const red = { width, height, channels: 3, background: '#ff0000' } as const;
  return sharp({ create: red }).composite([{ input: green, left: width / 2, top: 0 }]);
}

async function upload(bytes: Buffer, name: string): Promise<string> {
  const response = await fetch(`${instance.cmaUrl}/files?name=${name}`, {
    method: 'POST',
    headers: instance.headers,
    body: new Uint8Array(bytes),
  });
  return Object(await response.json()).result.hash;
}

async function get(
  hash: string,
  query: string,
  headers: Readonly<Record<string, string>> = {},
  method = 'GET',
) {
  const response = await fetch(`${instance.url}/files/${hash}/a.jpg?${query}`, { method, headers });
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, bytes };
}

async function sizeOf(hash: string, query: string) {
  const { status, bytes } = await get(hash, query);
  if (status !== 200) return status;
  const { width, height, format } = await sharp(bytes).metadata();
  return [width, height, format === 'heif' ? 'avif' : format];
}

async function errorOf(hash: string, query: string) {
  const { status, bytes } = await get(hash, query);
  const { code, message } = JSON.parse(bytes.toString()).error;
  return [status, code, message];
}

describe('a variant', () => {
  it.each(formats)('of %s is scaled in its own format or another one', async (format) => {
    const hash = await upload(await draw().toFormat(format).toBuffer(), `a.${format}`);
    expect(await sizeOf(hash, 'w=40')).toEqual([40, 20, format]);
    for (const other of ['webp', 'avif', 'jpeg', 'png'])
      expect(await sizeOf(hash, `h=10&f=${other}`)).toEqual([20, 10, other]);
  });

  it('covers both measures and is cut, or is contained in them, and is never enlarged', async () => {
    const hash = await upload(await draw().png().toBuffer(), 'b.png');
    expect(await sizeOf(hash, 'w=20&h=20')).toEqual([20, 20, 'png']);
    expect(await sizeOf(hash, 'w=20&h=20&fit=contain')).toEqual([20, 10, 'png']);
    expect(await sizeOf(hash, 'w=400')).toEqual([80, 40, 'png']);
    expect(await sizeOf(hash, 'w=400&h=400')).toEqual([40, 40, 'png']);
    expect(await sizeOf(hash, 'w=400&h=400&fit=contain&f=webp')).toEqual([80, 40, 'webp']);
    expect(await sizeOf(hash, 'f=webp')).toEqual([80, 40, 'webp']);
  });

  it('is turned as the camera notes, and has none of its notes', async () => {
    const exif = { IFD0: { Copyright: 'Ada Lovelace' }, IFD3: { GPSLatitude: '51/1 30/1 0/1' } };
    const photo = await draw().withExif(exif).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    expect(photo.includes('Exif')).toBe(true);
    const { bytes } = await get(await upload(photo, 'photo.jpg'), 'h=40');
    const { width, height, exif: notes, orientation } = await sharp(bytes).metadata();
    expect([width, height, notes, orientation]).toEqual([20, 40, undefined, undefined]);
    const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
    // What was on the left is at the top.
    const at = (x: number, y: number) => [
      ...data.subarray((y * info.width + x) * 3, (y * info.width + x) * 3 + 2),
    ];
    expect(at(10, 3)[0]).toBeGreaterThan(200);
    expect(at(10, 36)[1]).toBeGreaterThan(200);
  });

  it('has headers of its own, a tag, and ranges', async () => {
    const hash = await upload(await draw(100, 50).jpeg().toBuffer(), 'Engine.jpeg');
    const { headers, bytes } = await get(hash, 'w=20&f=webp');
    const etag = headers.get('ETag') ?? '';
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'image/webp',
      'content-disposition': 'inline; filename="a.webp"',
      'content-length': String(bytes.length),
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    });
    expect(etag).not.toBe((await get(hash, 'w=10&f=webp')).headers.get('ETag'));
    expect((await get(hash, 'w=20&f=webp', { 'If-None-Match': etag })).status).toBe(304);
    const part = await get(hash, 'w=20&f=webp', { Range: 'bytes=2-5' });
    expect([part.status, part.bytes]).toEqual([206, bytes.subarray(2, 6)]);
    expect((await get(hash, 'w=20&f=webp', { Range: 'bytes=0-1,4-5' })).bytes).toEqual(bytes);
    const head = await get(hash, 'w=20&f=webp', {}, 'HEAD');
    expect([head.status, head.headers.get('Content-Length')]).toEqual([200, String(bytes.length)]);
  });

  it('is refused for other sizes, words and files', async () => {
    const hash = await upload(await draw().png().toBuffer(), 'c.png');
    const invalid = (message: string) => [400, 'invalid_parameter', message];
    expect(await errorOf(hash, 'w=11')).toEqual(invalid('"w" must be one of 10, 20, 40, 400'));
    expect(await errorOf(hash, 'h=20&h=20')).toEqual(invalid('"h" must be one of 10, 20, 40, 400'));
    expect(await errorOf(hash, 'fit=fill')).toEqual(invalid('"fit" must be one of cover, contain'));
    expect(await errorOf(hash, 'f=gif')).toEqual(invalid('"f" must be one of webp, avif, jpeg, png'));
    expect(await errorOf(hash, 'w=20&x=1')).toEqual(invalid('"x" is not a parameter of files'));
    const text = await upload(Buffer.from('text'), 'a.txt');
    expect(await errorOf(text, 'w=20')).toEqual(
      invalid('"w" is for pictures, and this file is application/octet-stream'),
    );
    const svg = await upload(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'a.svg');
    expect((await errorOf(svg, 'w=20'))[0]).toBe(400);
  });

  it('is made once for several who ask at the same time, and kept until its file is deleted', async () => {
    const madeCount = async () => {
      const metrics = await instance.services.collect('metrics');
      const found = metrics.find(({ name }) => name === 'colophon_picture_variants_total');
      return Object(found?.samples[0]).value;
    };
    const hash = await upload(await draw(120, 60).png().toBuffer(), 'd.png');
    const before = await madeCount();
    const all = await Promise.all(Array.from({ length: 8 }, () => get(hash, 'w=40&f=avif')));
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await get(hash, 'w=40&f=avif')).bytes).toEqual(all[0]?.bytes);
    expect((await madeCount()) - before).toBe(1);
    const folder = join(location.config.dataDir, 'variants', hash);
    expect(readdirSync(folder)).toEqual(['40x0.avif']);
    const client = await instance.createClient({ scopes: ['admin'] });
    await instance.refresh();
    const deleted = await fetch(`${instance.url}/api/admin/files/${hash}`, {
      method: 'DELETE',
      headers: client,
    });
    expect([deleted.status, existsSync(folder)]).toEqual([204, false]);
    expect((await get(hash, 'w=40&f=avif')).status).toBe(404);
  });
});

describe('the work of making variants', () => {
  it('is charged to the sender, who takes turns with others', async () => {
    const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
    const create = { width: 1200, height: 1200, channels: 3, background: 'red', noise } as const;
    const hash = await upload(await sharp({ create }).jpeg().toBuffer(), 'noise.jpg');
    const limited = await startInstance(location, {
      imageSizes: [10, 20, 40, 400],
      imageCacheBytes: 1_000_000,
      rateLimit: { unitsPerSecond: 1, burst: 100_000 },
      trustedProxies: 1,
    });
    const ask = async (query: string, address: string) => {
      const headers = { 'X-Forwarded-For': address };
      const response = await fetch(`${limited.url}/files/${hash}/a.jpg?${query}`, { headers });
      await response.arrayBuffer();
      return response.status;
    };
    const remaining = (address: string) =>
      limited.services.rateLimits?.stateOf(`anonymous ${address}`).remaining ?? 0;
    const [one, other] = ['192.0.2.1', '192.0.2.2'];
    // Loads what makes variants.
    await ask('w=10', '192.0.2.3');
    const ended: string[] = [];
    const flood = [10, 20, 40, 400].flatMap((w) => [10, 20, 40, 400].map((h) => `w=${w}&h=${h}&f=avif`));
    const startMs = performance.now();
    const all = flood.map((query) => ask(query, one).then(() => ended.push('one')));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await ask('w=400&f=webp', other)).toBe(200);
    ended.push('other');
    await Promise.all(all);
    const elapsedMs = performance.now() - startMs;
    expect(ended.indexOf('other')).toBeLessThan(flood.length - 4);
    expect(100_000 - remaining(one)).toBeGreaterThan(elapsedMs / 2);
    const before = remaining(other);
    expect(before).toBeLessThan(100_000 - 10);
    for (const query of flood) expect(await ask(query, '192.0.2.4')).toBe(200);
    expect(100_000 - remaining('192.0.2.4')).toBeLessThan((100_000 - remaining(one)) / 2);
    await limited.stop();
  });
});

describe('a hostile picture', () => {
  it.each(formats)('of %s that is cut off or broken is refused, and the server goes on', async (format) => {
    const whole = await sharp({
      create: {
        width: 300,
        height: 200,
        channels: 3,
        background: 'red',
        noise: { type: 'gaussian', mean: 100, sigma: 50 },
      },
    })
      .toFormat(format)
      .toBuffer();
    const broken = Buffer.from(whole);
    for (let at = Math.floor(whole.length / 3); at < whole.length; at += 17) broken[at] = 0xff;
    for (const bytes of [whole.subarray(0, whole.length / 2), whole.subarray(0, 40), broken]) {
      const { status } = await get(await upload(Buffer.from(bytes), `x.${format}`), 'w=20');
      expect([200, 400]).toContain(status);
    }
    expect((await fetch(`${instance.url}/healthz`)).status).toBe(200);
  });

  it('with more pixels than fit into memory is refused before it is decoded', async () => {
    const png = await draw().png().toBuffer();
    png.writeUInt32BE(60_000, 16);
    png.writeUInt32BE(60_000, 20);
    const [status, code, message] = await errorOf(await upload(png, 'bomb.png'), 'w=20');
    expect([status, code, message]).toEqual([
      400,
      'invalid_parameter',
      expect.stringContaining('at most 64000000 pixels'),
    ]);
  });

  it('that is another file as well is served as what its first bytes say', async () => {
    const gif = await draw().gif().toBuffer();
    const hash = await upload(Buffer.concat([gif, Buffer.from('<script>alert(1)</script>')]), 'both.html');
    expect((await get(hash, 'w=20')).headers.get('Content-Type')).toBe('image/gif');
    const response = await fetch(`${instance.url}/files/${hash}/both.html`);
    expect([response.headers.get('Content-Type'), response.headers.get('X-Content-Type-Options')]).toEqual([
      'image/gif',
      'nosniff',
    ]);
  });
});

describe('the cache of variants', () => {
  it('stays within its bound, and is left out with 0', async () => {
    const hash = await upload(await draw(400, 400).png().toBuffer(), 'e.png');
    const small = await startInstance(location, { imageSizes: [10, 20, 40, 400], imageCacheBytes: 16_000 });
    const folder = join(location.config.dataDir, 'variants');
    for (const f of ['webp', 'avif', 'jpeg', 'png']) {
      for (const w of [10, 20, 40, 400])
        expect((await fetch(`${small.url}/files/${hash}/e.png?w=${w}&f=${f}`)).status).toBe(200);
    }
    await small.stop();
    const size = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
    expect(size).toBeGreaterThan(0);
    expect(size).toBeLessThanOrEqual(16_000);
    const none = await startInstance(location, { imageSizes: [10], imageCacheBytes: 0 });
    expect((await fetch(`${none.url}/files/${hash}/e.png?w=10&h=10`)).status).toBe(200);
    expect(existsSync(join(folder, hash, '10x10-cover.png'))).toBe(false);
    await none.stop();
  });
});
