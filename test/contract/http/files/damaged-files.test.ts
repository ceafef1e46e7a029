/** Files whose stored bytes are not those that were uploaded: no response passes them off as whole, and none ends the server. */
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import sharp from 'sharp';
import { beforeAll, expect, it } from 'vitest';
import { silentLogger } from '../../../../src/base/runtime.ts';
import { fileRecordId } from '../../../../src/content/files/file-record.ts';
import { startInstance, type TestInstance } from '../../../support/instance.ts';
import { parseMetrics } from '../../../support/parse-metrics.ts';
import { describeOnEachStore } from '../../../support/stores.ts';

describeOnEachStore('damaged files', (locations) => {
  let instance: TestInstance;
  const logged: object[] = [];
  const log = (fields: object) => logged.push(fields);
  const logger = { ...silentLogger, error: log };

  beforeAll(async () => {
    instance = await startInstance(locations(), { imageSizes: [10] }, logger);
  });

  async function upload(bytes: Buffer, name: string): Promise<string> {
    const response = await fetch(`${instance.cmaUrl}/files?name=${name}`, {
      method: 'POST',
      headers: instance.headers,
      body: new Uint8Array(bytes),
    });
    return Object(await response.json()).result.hash;
  }
  async function replaceBytes(hash: string, bytes: Buffer): Promise<void> {
    const { key } = (await instance.services.system.get(fileRecordId(hash), {})).asset;
    await instance.services.place.delete(String(key));
    await instance.services.place.write(String(key), Readable.from([bytes]));
  }
  const request = (hash: string, query = '', init: RequestInit = {}) =>
    fetch(`${instance.url}/files/${hash}/f.bin${query}`, init);
  async function readGauge(): Promise<number | undefined> {
    const metrics = await instance.createClient({ scopes: ['metrics'] });
    await instance.refresh();
    const response = await fetch(`${instance.url}/metrics`, { headers: metrics });
    return parseMetrics(await response.text()).get('colophon_damaged_files')?.samples[0]?.value;
  }

  it.each([
    ['shorter than its record', (bytes: Buffer) => bytes.subarray(0, 100)],
    ['longer than its record', (bytes: Buffer) => Buffer.concat([bytes, Buffer.alloc(10)])],
    ['empty', () => Buffer.alloc(0)],
  ])('answers 500 to requests for a file that is %s, and logs its hash', async (_, damage) => {
    const bytes = randomBytes(1000);
    const hash = await upload(bytes, 'f.bin');
    await replaceBytes(hash, damage(bytes));
    for (const method of ['GET', 'HEAD']) expect((await request(hash, '', { method })).status).toBe(500);
    for (const range of ['bytes=0-9', 'bytes=500-600', 'bytes=-10', 'bytes=0-9,500-600'])
      expect((await request(hash, '', { headers: { Range: range } })).status).toBe(500);
    expect(logged).toContainEqual(expect.objectContaining({ hash }));
  });

  it('answers 404 to requests for a lost file, also for several ranges', async () => {
    const hash = await upload(randomBytes(1000), 'f.bin');
    const { key } = (await instance.services.system.get(fileRecordId(hash), {})).asset;
    await instance.services.place.delete(String(key));
    for (const range of ['', 'bytes=0-9', 'bytes=0-9,500-600'])
      expect((await request(hash, '', { headers: range === '' ? {} : { Range: range } })).status).toBe(404);
  });

  it('is whole again once its bytes were uploaded again, and is counted until then', async () => {
    const bytes = randomBytes(1000);
    const hash = await upload(bytes, 'f.bin');
    const before = (await readGauge()) ?? 0;
    await replaceBytes(hash, bytes.subarray(0, 100));
    expect((await request(hash)).status).toBe(500);
    expect(await readGauge()).toBe(before + 1);
    await upload(bytes, 'f.bin');
    const response = await request(hash);
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
    expect(await readGauge()).toBe(before);
  });

  it('gets its bytes back by an upload also where only a bit is wrong, and leaves no damaged ones behind', async () => {
    const bytes = randomBytes(1000);
    const hash = await upload(bytes, 'f.bin');
    const flipped = Buffer.from(bytes);
    flipped[500] = (bytes[500] ?? 0) ^ 1;
    await replaceBytes(hash, flipped);
    const count = async () => {
      let files = 0;
      for await (const _ of instance.services.place.list()) files++;
      return files;
    };
    const before = await count();
    await Promise.all([1, 2, 3].map(() => upload(bytes, 'f.bin')));
    expect(await count()).toBe(before);
    await expect
      .poll(async () => Buffer.from(await (await request(hash)).arrayBuffer()).equals(bytes))
      .toBe(true);
  });

  it.each([
    ['is short', (picture: Buffer) => picture.subarray(0, 1000)],
    ['has bytes that no decoder takes', (picture: Buffer) => Buffer.alloc(picture.length, 'x')],
    [
      'has a changed byte that a decoder passes over',
      (picture: Buffer) => Buffer.concat([picture.subarray(0, -1), Buffer.from('x')]),
    ],
  ])('has no variants while it %s, and has them when it is whole', async (_, damage) => {
    const picture = await createPicture();
    const hash = await upload(picture, 'a.jpg');
    await replaceBytes(hash, damage(picture));
    expect((await request(hash, '?w=10')).status).toBe(500);
    await upload(picture, 'a.jpg');
    expect((await request(hash, '?w=10')).status).toBe(200);
  });
});

const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const;
const createPicture = () =>
  sharp({ create: { width: 80, height: 40, channels: 3, background: '#f00', noise } })
    .jpeg()
    .toBuffer();
