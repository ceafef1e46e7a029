/** Backups with files: copied to a folder that several backups share, and back into a store of either kind. */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
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
  afterEach(async () => {
    await source.remove();
    await folder.remove();
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
