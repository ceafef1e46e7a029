/** The contract of places of files in the folder beside an SQLite store, and what only a folder has. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FilePlace } from '../../../src/store/file-place.ts';
import { openFilePlace } from '../../../src/store/open-store.ts';
import { mayMount, mountSmallDisk, type SmallDisk } from '../../support/small-disk.ts';
import { type StoreLocation, sqliteLocation } from '../../support/stores.ts';
import { describePlace } from './place-suite.ts';

describePlace('a folder', async () => {
  const { config, remove } = sqliteLocation();
  return { place: await openFilePlace(config), remove };
});

describe('a folder of files', () => {
  let location: StoreLocation;
  let place: FilePlace;
  let folder: string;
  beforeEach(async () => {
    location = sqliteLocation();
    folder = join(location.config.dataDir, 'files');
    place = await openFilePlace(location.config);
  });
  const write = (key: string, text = 'bytes') => place.write(key, Readable.from([Buffer.from(text)]));

  it('does not exist before the first write, and only its owner can read what is written', async () => {
    expect(await place.find('key')).toBeUndefined();
    for await (const file of place.list()) expect(file).toBeUndefined();
    expect(readdirSync(location.config.dataDir)).toEqual([]);
    await write('key');
    const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) =>
      join(folder, path),
    );
    expect(paths.map((path) => statSync(path).mode & 0o077)).toEqual(paths.map(() => 0));
  });

  it('does not replace a file', async () => {
    await write('key');
    await expect(write('key', 'other')).rejects.toMatchObject({ code: 'store_failure' });
    expect(await place.find('key')).toMatchObject({ bytes: 5 });
  });

  it('hides what killed processes left, and removes it after a day', async () => {
    const incomplete = join(folder, 'incomplete');
    mkdirSync(incomplete, { recursive: true });
    for (const name of ['fresh', 'old']) writeFileSync(join(incomplete, name), 'half');
    utimesSync(join(incomplete, 'old'), 0, Date.now() / 1000 - 90_000);
    await write('key');
    const keys: string[] = [];
    for await (const { key } of place.list()) keys.push(key);
    expect(keys).toEqual(['key']);
    expect(readdirSync(incomplete)).toEqual(['fresh']);
  });

  it.each([false, true])(
    'creates nothing where the data folder was (another in its place: %s)',
    async (isReplaced) => {
      const { dataDir } = location.config;
      await write('before');
      renameSync(dataDir, `${dataDir}-moved`);
      if (isReplaced) mkdirSync(dataDir);
      await expect(write('key')).rejects.toMatchObject({ code: 'store_gone' });
      const other = await openFilePlace({ dataDir: `${dataDir}-moved` });
      rmSync(`${dataDir}-moved`, { recursive: true });
      // The first write of this one.
      await expect(other.write('key', Readable.from([Buffer.from('a')]))).rejects.toMatchObject({
        code: 'store_gone',
      });
      expect([`${dataDir}-moved`, join(dataDir, 'files')].filter((path) => existsSync(path))).toEqual([]);
      mkdirSync(dataDir, { recursive: true });
    },
  );

  it('says what the file system says', async () => {
    writeFileSync(folder, 'a file where the folder belongs');
    await expect(write('key')).rejects.toMatchObject({ code: 'store_failure', cause: { code: 'ENOTDIR' } });
  });
});

describe.skipIf(!mayMount())('a folder of files on a full disk', () => {
  let disk: SmallDisk;
  beforeEach(() => {
    disk = mountSmallDisk();
  });
  afterEach(() => disk.location.remove());

  it('is full, keeps nothing, and takes files again when there is space', async () => {
    const place = await openFilePlace(disk.location.config);
    const write = (key: string) =>
      place.write(key, Readable.from(Array.from({ length: 40 }, () => Buffer.alloc(100_000))));
    await write('before');
    disk.fill();
    await expect(write('key')).rejects.toMatchObject({ code: 'store_full' });
    await expect(place.ping?.()).rejects.toMatchObject({ code: 'store_full' });
    expect(await place.find('key')).toBeUndefined();
    disk.empty();
    await place.ping?.();
    await write('key');
    expect(await place.find('key')).toMatchObject({ bytes: 4_000_000 });
  });
});
