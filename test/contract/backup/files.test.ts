/** Backups with files: copied to a folder that several backups share, and back into a store of either kind. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, it } from 'vitest';
import { environmentOf, runCommand } from '../../support/command-line.ts';
import { mongodbUrl } from '../../support/mongo-url.ts';
import { openStoreWithFiles } from '../../support/stored-files.ts';
import { mongoLocation, type StoreLocation, sqliteLocation } from '../../support/stores.ts';
import { catalogOf } from '../../support/types.ts';

const catalog = catalogOf('type Page @contentType(class: "lib.Page") { photo: File }');
const serverUrl = mongodbUrl();

describe.each<[string, () => StoreLocation, boolean]>([
  ['SQLite', sqliteLocation, false],
  ['MongoDB', () => mongoLocation(serverUrl), serverUrl === ''],
])('a backup with files, restored into %s', (_, target, isSkipped) => {
  let source: StoreLocation;
  let folder: StoreLocation;
  beforeEach(() => {
    source = sqliteLocation();
    folder = sqliteLocation();
  });

  it.skipIf(isSkipped)('has each file once, and gives back all of them', async () => {
    const path = (name: string) => join(folder.config.dataDir, name);
    const backup = (...words: string[]) => ['backup', ...words, '--files', path('files')];
    const store = await openStoreWithFiles(source, catalog);
    const first = await store.upload('first.txt');
    await store.create({ _type: 'lib.Page', photo: { hash: first } });
    const created = await runCommand(backup('create', path('1.backup')), environmentOf(source));
    expect(created).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('copied 1 files; 0 were there'),
    });
    const second = await store.upload('second.txt', Buffer.alloc(3_000_000, 'x'));
    await store.close();
    const again = await runCommand(backup('create', path('2.backup')), environmentOf(source));
    expect(again.stdout).toContain('copied 1 files; 1 were there already');
    const stored = readdirSync(path('files'), { recursive: true, encoding: 'utf8' });
    expect(stored.filter((name) => name.length > 2).toSorted()).toEqual(
      [first, second].map((hash) => join(hash.slice(0, 2), hash)).toSorted(),
    );
    const location = target();
    try {
      const restored = await runCommand(backup('restore', path('2.backup')), environmentOf(location));
      expect(restored).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('copied 2 files') });
      const verified = await runCommand(['files', 'verify', '--json'], environmentOf(location));
      expect(JSON.parse(verified.stdout)).toEqual({ files: 2, faults: [] });
    } finally {
      await location.remove();
    }
  });
});

it('says which files are missing, and keeps no damaged one', async () => {
  const [source, folder] = [sqliteLocation(), sqliteLocation()];
  const path = (name: string) => join(folder.config.dataDir, name);
  const store = await openStoreWithFiles(source, catalog);
  const [lost, damaged, kept] = [
    await store.upload('lost.txt'),
    await store.upload('damaged.txt'),
    await store.upload('kept.txt'),
  ];
  await store.place.delete('key-lost-txt');
  const files = join(source.config.dataDir, 'files');
  const [name = ''] = readdirSync(files, { recursive: true, encoding: 'utf8' }).filter((one) =>
    one.endsWith('key-damaged-txt'),
  );
  writeFileSync(join(files, name), 'other bytes');
  await store.close();
  const words = ['backup', 'create', path('1.backup'), '--files', path('files')];
  const { exitCode, stdout, stderr } = await runCommand(words, environmentOf(source));
  expect(exitCode).toBe(1);
  expect(stdout).toContain('copied 1 files');
  for (const hash of [lost, damaged]) expect(stderr).toContain(`the file ${hash} is missing or damaged`);
  const stored = readdirSync(path('files'), { recursive: true, encoding: 'utf8' });
  expect(stored.filter((one) => one.length > 2)).toEqual([join(kept.slice(0, 2), kept)]);
  await source.remove();
  await folder.remove();
});

const damages = [
  ['cut to nothing', () => Buffer.alloc(0)],
  ['cut', (bytes: Buffer) => bytes.subarray(0, 5)],
  [
    'flipped in one bit',
    (bytes: Buffer) => {
      const flipped = Buffer.from(bytes);
      flipped[0] = (bytes[0] ?? 0) ^ 1;
      return flipped;
    },
  ],
] as const;

describe.each(damages)('with a file that is %s', (_, damage) => {
  let source: StoreLocation;
  let folder: StoreLocation;
  let hashes: readonly [damaged: string, other: string];
  const path = (name: string) => join(folder.config.dataDir, name);
  const inFolder = (hash: string) => join(path('files'), hash.slice(0, 2), hash);
  const damageFile = (file: string) => writeFileSync(file, damage(readFileSync(file)));
  const backup = (...words: string[]) => ['backup', ...words, '--files', path('files')];
  const placed = (location: StoreLocation, key: string) => {
    const files = join(location.config.dataDir, 'files');
    const names = readdirSync(files, { recursive: true, encoding: 'utf8' });
    return join(files, names.find((name) => name.endsWith(key)) ?? '');
  };

  beforeEach(async () => {
    source = sqliteLocation();
    folder = sqliteLocation();
    const store = await openStoreWithFiles(source, catalog);
    hashes = [await store.upload('first.txt'), await store.upload('second.txt')];
    await store.close();
    await runCommand(backup('create', path('1.backup')), environmentOf(source));
  });

  it('in the folder, a backup copies it again, and says so', async () => {
    damageFile(inFolder(hashes[0]));
    const checked = await runCommand(['files', 'verify', path('files')]);
    expect(checked).toMatchObject({
      exitCode: 1,
      stdout: `the bytes of ${inFolder(hashes[0])} are not those that were copied\nchecked 2 files: 1 damaged\n`,
    });
    const again = await runCommand(backup('create', path('2.backup')), environmentOf(source));
    expect(again).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('copied 1 files; 1 were there already'),
      stderr: expect.stringContaining(`the file ${hashes[0]} was damaged in the folder, and is copied again`),
    });
    expect(await runCommand(['files', 'verify', path('files')])).toMatchObject({
      exitCode: 0,
      stdout: 'checked 2 files: no damage\n',
    });
  });

  it('in the folder and in the store, a backup names it', async () => {
    damageFile(inFolder(hashes[0]));
    damageFile(placed(source, 'key-first-txt'));
    const again = await runCommand(backup('create', path('2.backup')), environmentOf(source));
    expect(again).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining(`the file ${hashes[0]} is missing or damaged`),
    });
  });

  it('in the folder, a restore names it, and writes nothing for it', async () => {
    damageFile(inFolder(hashes[0]));
    const target = sqliteLocation();
    const restored = await runCommand(backup('restore', path('1.backup')), environmentOf(target));
    expect(restored).toMatchObject({
      exitCode: 1,
      stdout: expect.stringContaining('copied 1 files'),
      stderr: expect.stringContaining(`the file ${hashes[0]} is missing or damaged`),
    });
    const verified = await runCommand(['files', 'verify', '--json'], environmentOf(target));
    expect(JSON.parse(verified.stdout)).toMatchObject({
      faults: [{ hash: hashes[0], fault: 'are missing' }],
    });
    await target.remove();
  });

  it('in the store, a restore mends it; in both, it leaves the bytes alone', async () => {
    const file = placed(source, 'key-first-txt');
    damageFile(file);
    const restore = () => runCommand(backup('restore', path('1.backup'), '--replace'), environmentOf(source));
    expect(await restore()).toMatchObject({
      exitCode: 0,
      stderr: expect.stringContaining(`the file ${hashes[0]} was damaged in the place of files`),
    });
    const verified = await runCommand(['files', 'verify', '--json'], environmentOf(source));
    expect(JSON.parse(verified.stdout)).toEqual({ files: 2, faults: [] });
    damageFile(inFolder(hashes[0]));
    damageFile(file);
    const left = readFileSync(file);
    expect(await restore()).toMatchObject({ exitCode: 1 });
    expect(readFileSync(file)).toEqual(left);
  });
});

it('the check of a folder refuses one that is not there', async () => {
  expect(await runCommand(['files', 'verify', '/nowhere/files'])).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('there is no folder /nowhere/files'),
  });
});

it('finds the files of a store whose records can only be read row by row', async () => {
  const [source, folder] = [sqliteLocation(), sqliteLocation()];
  const path = (name: string) => join(folder.config.dataDir, name);
  const store = await openStoreWithFiles(source, catalog);
  const hash = await store.upload('only.txt');
  await store.close();
  const file = join(source.config.dataDir, 'colophon.db');
  const database = new DatabaseSync(file);
  const { page } = Object(
    database
      .prepare(
        `SELECT rootpage AS page FROM sqlite_schema WHERE name =
          (SELECT 'type_' || number FROM types WHERE class = 'com.colophon.system.StoredFile')`,
      )
      .get(),
  );
  database.close();
  const pageBytes = 4_096;
  writeFileSync(file, readFileSync(file).fill(0, (page - 1) * pageBytes, page * pageBytes));
  const words = ['backup', 'create', path('1.backup'), '--files', path('files')];
  expect(await runCommand(words, environmentOf(source))).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining('copied 1 files'),
  });
  expect(readFileSync(join(path('files'), hash.slice(0, 2), hash), 'utf8')).toBe('the bytes of only.txt');
  await source.remove();
  await folder.remove();
});
