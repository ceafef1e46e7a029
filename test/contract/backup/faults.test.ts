/** Damaged backup files, stores that are not empty or in use, and commands that are killed. */
import { copyFileSync, existsSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { randomIds, silentLogger } from '../../../src/base/runtime.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { headBytes, preambleBytes, readHead, toBlock } from '../../../src/transfer/backup/blocks.ts';
import { environmentOf, runCommand, startCommand, startServing } from '../../support/command-line.ts';
import { describeKillsOnEachStore, type StoreLocation, sqliteLocation } from '../../support/stores.ts';
import { catalogOf } from '../../support/types.ts';
import { createFolder, load, openFor, readFile, readStore, save } from './copies.ts';

const type = 'log.Note';
const catalog = catalogOf(`type Note @contentType(class: "${type}") { title: String @indexed }`);
const folder = createFolder();
const good = folder.path('good');
const text = Array.from({ length: 3000 }, (_, n) => `word${n * 7919}`).join(' ');

async function fill(location: StoreLocation, count: number): Promise<void> {
  const store = await openFor(location, catalog);
  const toInsert = () => ({
    kind: 'insert' as const,
    asset: { _id: randomIds.assetId(), _type: type, title: text },
    version: randomIds.version(),
  });
  await store.write(Array.from({ length: count }, toInsert));
  await store.close();
}

beforeAll(async () => {
  const location = sqliteLocation();
  await fill(location, 300);
  await save(location, good);
  await location.remove();
});

/** The places of the blocks of a file. */
function blocksOf(path: string): { from: number; end: number }[] {
  const bytes = readFileSync(path);
  const blocks = [];
  for (let from = preambleBytes; from < bytes.length; ) {
    const end = from + headBytes + (readHead(bytes.subarray(from))?.length ?? 0);
    blocks.push({ from, end });
    from = end;
  }
  return blocks;
}

describe('a damaged backup', () => {
  const bad = folder.path('bad');
  let location: StoreLocation;
  beforeEach(() => {
    location = sqliteLocation();
    copyFileSync(good, bad);
  });
  afterEach(() => location.remove());

  const messageOf = () =>
    load(location, bad).then(
      () => 'restored',
      (error: Error) => error.message,
    );
  const change = (edit: (bytes: Buffer) => Buffer) => writeFileSync(bad, edit(readFileSync(bad)));
  const flip = (at: number) =>
    change((bytes) => {
      bytes.writeUInt8(bytes.readUInt8(at) ^ 0x10, at);
      return bytes;
    });

  it('is refused before anything is written, whatever block is damaged', async () => {
    const blocks = blocksOf(good);
    expect(blocks.length).toBeGreaterThan(4);
    for (const [number, { from, end }] of blocks.entries()) {
      for (const at of [from, from + 5, from + 9, from + 13, from + headBytes, end - 1]) {
        copyFileSync(good, bad);
        flip(at);
        expect(await messageOf()).toMatch(
          at < from + 4
            ? /is damaged: block|cut off/
            : `is damaged: block ${number}, which begins at byte ${from}`,
        );
      }
    }
    expect(readdirSync(location.config.dataDir)).toEqual([]);
  });

  it('is refused when it is cut off anywhere, also between two blocks', async () => {
    const size = readFileSync(good).length;
    const cuts = [size - 1, ...blocksOf(good).flatMap(({ from }) => [from, from + 3, from + headBytes + 1])];
    for (const cut of cuts) {
      copyFileSync(good, bad);
      truncateSync(bad, cut);
      expect(await messageOf()).toContain(`it was cut off after ${cut} bytes`);
    }
  });

  it('is refused when blocks are missing, repeated, or in another order', async () => {
    const [first, second] = blocksOf(good);
    if (!first || !second) throw new Error('The backup has too few blocks');
    const [head, tail] = [readFileSync(good).subarray(0, first.end), readFileSync(good).subarray(second.end)];
    const one = readFileSync(good).subarray(second.from, second.end);
    for (const parts of [
      [head, tail],
      [head, one, one, tail],
    ]) {
      writeFileSync(bad, Buffer.concat(parts));
      expect(await messageOf()).toContain('is damaged: block');
    }
    // Blocks whose checksums are right, but which are not those of the end.
    const last = blocksOf(good).at(-1);
    writeFileSync(
      bad,
      Buffer.concat([
        readFileSync(good).subarray(0, last?.from),
        toBlock(blocksOf(good).length - 1, '{"end":{"assets":{"log.Note":299},"entries":300}}'),
      ]),
    );
    expect(await messageOf()).toContain('should have 299 assets and 300 entries, and has 300 and 300');
    expect(existsSync(join(location.config.dataDir, 'colophon.db'))).toBe(false);
  });

  it('is refused with what it is instead', async () => {
    writeFileSync(bad, 'SQLite format 3\0 and so on, more than twenty bytes');
    expect(await messageOf()).toContain('a database file');
    writeFileSync(bad, '{"_id":"x","_type":"log.Note"}\n');
    expect(await messageOf()).toContain('`colophon import` reads it');
    writeFileSync(bad, '');
    expect(await messageOf()).toContain('it is empty');
    copyFileSync(good, bad);
    change((bytes) => {
      bytes.writeUInt32LE(3, preambleBytes - 4);
      return bytes;
    });
    expect(await messageOf()).toContain(
      'is a backup of format 3, and this version of Colophon reads format 2 alone',
    );
  });
});

describeKillsOnEachStore('a store that a backup is restored to', (locate) => {
  let location: StoreLocation;
  let environment: Record<string, string>;
  beforeEach(() => {
    location = locate();
    environment = { ...environmentOf(location) };
  });
  afterEach(() => location.remove());
  const restore = (...options: string[]) => runCommand(['backup', 'restore', good, ...options], environment);

  it('is refused when the store has content, except with --replace, and while a server uses the store', async () => {
    const serving = await startServing(environment);
    expect(await restore('--replace')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('is in use'),
    });
    expect((await fetch(`${serving.url}/readyz`)).status).toBe(200);
    await serving.stop();
    expect(await restore()).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('--replace') });
    expect(await restore('--replace')).toMatchObject({ exitCode: 0 });
    expect((await readStore(location)).assets).toEqual(readFile(good).assets);
  });

  it('refuses to be used when the command was killed, until it is run again', async () => {
    const restoring = startCommand(['backup', 'restore', good], environment);
    await untilBegun(location);
    restoring.signal('SIGKILL');
    expect((await restoring.ended).exitCode).toBe(null);
    const serving = startCommand(['serve'], { ...environment, COLOPHON_PORT: '0' });
    expect(await serving.ended).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining(
        'a backup was being restored here and is not complete. Run `colophon backup restore',
      ),
    });
    await expect.poll(async () => (await restore()).exitCode, { interval: 2_000 }).toBe(0);
    expect((await readStore(location)).assets).toEqual(readFile(good).assets);
  });
});

/** Waits until a restore has begun to write. */
async function untilBegun({ config }: StoreLocation): Promise<void> {
  const hasBegun = async () => {
    if (config.mongodbUrl === undefined) return existsSync(join(config.dataDir, 'colophon.db.restoring'));
    try {
      await (await openStore({ ...config, catalog, logger: silentLogger })).close();
      return false;
    } catch {
      return true;
    }
  };
  while (!(await hasBegun())) await setTimeout(1);
}

it('a backup that is killed or stopped leaves no file under its name', async () => {
  const location = sqliteLocation();
  await fill(location, 600);
  for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
    const path = folder.path(`killed by ${signal}`);
    const saving = startCommand(['backup', 'create', path], { ...environmentOf(location) });
    const isBegun = () =>
      readdirSync(folder.path('.')).some((name) => name.startsWith(`killed by ${signal}`));
    while (!isBegun()) await setTimeout(1);
    saving.signal(signal);
    const { exitCode, stderr } = await saving.ended;
    expect(exitCode).toBe(signal === 'SIGKILL' ? null : 1);
    if (signal === 'SIGTERM') expect(stderr).toContain('stopped; no backup was written');
    expect(existsSync(path)).toBe(false);
  }
  await location.remove();
});
