/**
 * Files whose writers are killed: nothing that was acknowledged is missing, and nothing is half. And large files, in little memory.
 */
import { spawn } from 'node:child_process';
import { createHash, randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FileLocation, openFilePlace } from '../../src/store/open-store.ts';
import { environmentOf, type ServingProcess, startCommand, startServing } from '../support/command-line.ts';
import { mongodbUrl } from '../support/mongo-url.ts';
import { hasS3Server, type S3Server, s3Credentials, startS3Server } from '../support/s3-server.ts';
import { mongoLocation, type StoreLocation, sqliteLocation } from '../support/stores.ts';
import { makeTypesFolder } from '../support/types-folder.ts';
import { createFullClient, credentials } from '../support/workers.ts';

const kills = 20;
const megabyte = 1_048_576;
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const serverUrl = mongodbUrl();

describe.each<{ name: string; large: number; isSkipped: boolean; locate: () => Promise<Located> }>([
  {
    name: 'a folder',
    large: 500 * megabyte,
    isSkipped: false,
    locate: async () => inStore(sqliteLocation()),
  },
  {
    name: 'GridFS',
    large: 50 * megabyte,
    isSkipped: serverUrl === '',
    locate: async () => inStore(mongoLocation(serverUrl)),
  },
  { name: 'a bucket', large: 500 * megabyte, isSkipped: !hasS3Server, locate: inBucket },
])('$name', ({ large, isSkipped, locate }) => {
  let located: Located;
  beforeAll(async () => {
    if (!isSkipped) located = await locate();
  });
  afterAll(() => located?.remove());

  it.skipIf(isSkipped)(
    'keeps every file whole whose writer was killed afterwards, and no part of others',
    async () => {
      const hashes = new Map<string, string>();
      const written = new Set<string>();
      const deleted = new Set<string>();
      for (let run = 0; run < kills; run++) {
        const writer = spawn(
          process.execPath,
          [
            fileURLToPath(new URL('./place-writer.ts', import.meta.url)),
            JSON.stringify(located.location),
            String(run),
          ],
          { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, ...s3Credentials } },
        );
        const closed = once(writer, 'close');
        let output = '';
        writer.stdout.setEncoding('utf8').on('data', (text: string) => {
          output += text;
        });
        while (!output.includes('\n') && writer.exitCode === null) await setTimeout(10);
        await setTimeout(randomInt(20, 1000));
        writer.kill('SIGKILL');
        await closed;
        for (const [word, key = '', hash = ''] of output.split('\n').map((line) => line.split(' '))) {
          if (word === 'begin') hashes.set(key, hash);
          if (word === 'done') written.add(key);
          if (word === 'delete') deleted.add(key);
        }
      }
      const place = await openFilePlace(located.location);
      const found = new Set<string>();
      for await (const { key, bytes } of place.list()) {
        found.add(key);
        const stream = (await place.read(key))?.stream;
        const whole = Buffer.concat((await stream?.toArray()) ?? []);
        expect(whole.length).toBe(bytes);
        expect(sha256(whole), key).toBe(hashes.get(key));
      }
      const missing = [...written].filter((key) => !found.has(key) && !deleted.has(key));
      expect(missing).toEqual([]);
      expect(written.size).toBeGreaterThan(kills);
      await place.close();
    },
  );

  it.skipIf(isSkipped)('streams a large file', async () => {
    const place = await openFilePlace(located.location);
    const chunk = randomBytes(megabyte);
    const sent = createHash('sha256');
    const idle = process.memoryUsage().rss;
    let most = 0;
    await place.write(
      'large',
      Readable.from(
        (function* () {
          for (let position = 0; position < large; position += chunk.length) {
            sent.update(chunk);
            most = Math.max(most, process.memoryUsage().rss - idle);
            yield chunk;
          }
        })(),
      ),
    );
    const received = createHash('sha256');
    for await (const part of (await place.read('large'))?.stream ?? []) {
      received.update(part);
      most = Math.max(most, process.memoryUsage().rss - idle);
    }
    expect(received.digest('hex')).toBe(sent.digest('hex'));
    // The garbage between two collections counts.
    expect(most).toBeLessThan(250 * megabyte);
    await place.close();
  });
});

/** A place of files for a test. */
interface Located {
  readonly location: FileLocation;
  remove(): Promise<void>;
}

const inStore = ({ config, remove }: StoreLocation): Located => ({ location: config, remove });

async function inBucket(): Promise<Located> {
  Object.assign(process.env, s3Credentials);
  const server: S3Server = await startS3Server();
  return { location: { dataDir: 'unused', filesUrl: server.urlOf('drill') }, remove: server.stop };
}

describe('a server that is killed amid uploads, writes, erasures and prunes', () => {
  it('has every file that an acknowledged asset names', async () => {
    const types = makeTypesFolder('type Leaf @contentType(class: "lib.Leaf") { photo: File }');
    const location = sqliteLocation();
    await createFullClient(location);
    const environment = { ...environmentOf(location), COLOPHON_TYPES: types };
    const named = new Map<string, Buffer>();
    let serving: ServingProcess = await startServing(environment);
    let isOver = false;

    const request = (path: string, init: RequestInit) =>
      fetch(`${serving.url}/api/rest/cma/contents${path}`, {
        ...init,
        headers: { ...credentials, ...init.headers },
        signal: AbortSignal.timeout(10_000),
      });
    /** Uploads a file, some of them again, and names it in an asset. */
    async function write(shared: Buffer): Promise<void> {
      const bytes = randomInt(3) === 0 ? shared : randomBytes(randomInt(1, 400_000));
      const uploaded = await request('/files?name=x.bin', { method: 'POST', body: new Uint8Array(bytes) });
      if (!uploaded.ok) return;
      const { hash } = Object(await uploaded.json()).result;
      expect(hash).toBe(sha256(bytes));
      const created = await request('', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ _type: 'lib.Leaf', photo: { hash } }),
      });
      if (created.ok) named.set(Object(await created.json()).result._id, bytes);
      // A prune may have deleted the file before it was used.
      else expect(created.status).toBeGreaterThanOrEqual(400);
    }
    async function erase(): Promise<void> {
      if (named.size < 50) return write(randomBytes(10));
      const id = [...named.keys()][randomInt(named.size)] ?? '';
      // Also when the answer is lost.
      named.delete(id);
      await request(`/${id}?erase=true`, { method: 'DELETE' });
    }
    async function work(shared: Buffer): Promise<void> {
      while (!isOver) await (randomInt(4) === 0 ? erase() : write(shared)).catch(() => setTimeout(50));
    }
    async function prune(): Promise<void> {
      while (!isOver) {
        const command = startCommand(['files', 'prune', '--days', '0', '--orphans'], environment);
        if (randomInt(3) === 0) {
          await setTimeout(randomInt(300, 1500));
          command.signal('SIGKILL');
        }
        await command.ended;
      }
    }

    const shared = [randomBytes(100_000), randomBytes(1000)];
    const loads = [...shared, ...shared].map(work);
    loads.push(prune());
    for (let kill = 0; kill < kills; kill++) {
      await setTimeout(randomInt(300, 2500));
      serving.signal('SIGKILL');
      await serving.ended;
      serving = await startServing(environment);
    }
    isOver = true;
    await Promise.all(loads);
    expect(named.size).toBeGreaterThan(kills);
    for (const [id, bytes] of named) {
      const { photo } = Object(await (await request(`/${id}`, {})).json()).result;
      const response = await fetch(`${serving.url}/files/${photo.hash}/x.bin`);
      expect(response.status, id).toBe(200);
      expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
    }
    const verified = await startCommand(['files', 'verify', '--json'], environment).ended;
    expect(JSON.parse(verified.stdout)).toMatchObject({ faults: [] });
    expect(verified.exitCode).toBe(0);
    await serving.stop();
    await location.remove();
  });
});
