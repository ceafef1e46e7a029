/** The contract of places of files in a bucket, and what only a bucket has. */
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openFilePlace } from '../../../src/store/open-store.ts';
import { hasS3Server, type S3Server, s3Credentials, startS3Server } from '../../support/s3-server.ts';
import { describePlace } from './place-suite.ts';

it.runIf(process.env.CI === 'true')('a server of S3 is installed', () => {
  expect(hasS3Server, 'run .ci/install-s3-server').toBe(true);
});

const dataDir = 'unused';

describe.skipIf(!hasS3Server)('in a bucket', () => {
  let server: S3Server;
  beforeAll(async () => {
    for (const [name, value] of Object.entries(s3Credentials)) vi.stubEnv(name, value);
    server = await startS3Server();
  });
  afterAll(() => server.stop());

  describePlace('a bucket', async () => ({
    place: await openFilePlace({ dataDir, filesUrl: server.urlOf('suite') }),
    remove: async () => {},
  }));

  const write = async (prefix: string, key: string) => {
    const place = await openFilePlace({ dataDir, filesUrl: server.urlOf(prefix) });
    await place.write(key, Readable.from([Buffer.from(key)]));
    return place;
  };
  const keysOf = async (place: Awaited<ReturnType<typeof write>>) => {
    const keys: string[] = [];
    for await (const { key } of place.list()) keys.push(key);
    return keys;
  };

  it('knows the objects with its prefix only, and more of them than a page has', async () => {
    const place = await write('one', 'first');
    await write('one/below', 'second');
    await write('one-more', 'third');
    await fetch(`${server.endpoint}/files/one/README.md`, { method: 'PUT', body: 'of somebody else' });
    expect(await keysOf(place)).toEqual(['first']);
    const keys = Array.from({ length: 1001 }, (_, index) => `key-${index}`);
    for (let from = 0; from < keys.length; from += 50)
      await Promise.all(
        keys
          .slice(from, from + 50)
          .map((key) => fetch(`${server.endpoint}/files/many/${key}`, { method: 'PUT', body: '1' })),
      );
    expect((await keysOf(await write('many', 'last'))).length).toBe(1002);
  });

  it('says what is wrong with the bucket, and is busy when the server cannot be reached', async () => {
    const missing = server.urlOf('x').replace('//files', '//missing');
    const place = await openFilePlace({ dataDir, filesUrl: missing });
    const bytes = () => Readable.from([Buffer.from('x')]);
    await expect(place.write('key', bytes())).rejects.toMatchObject({
      code: 'store_failure',
      cause: { name: 'NoSuchBucket' },
    });
    const elsewhere = await openFilePlace({
      dataDir,
      filesUrl: 's3://files?endpoint=http://127.0.0.1:9&region=x',
    });
    await expect(elsewhere.write('key', bytes())).rejects.toMatchObject({ code: 'store_busy' });
    expect(elsewhere.description).toBe('s3://files/');
  });
});
