/** Exports and imports with files: from a store or a server to a folder, and from there into a store or a server. */
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { environmentOf, runCommand } from '../../support/command-line.ts';
import { startInstance, type TestInstance } from '../../support/instance.ts';
import { openStoreWithFiles } from '../../support/stored-files.ts';
import { describeOnEachStore, type StoreLocation, sqliteLocation, waysOf } from '../../support/stores.ts';
import { catalogOf } from '../../support/types.ts';
import { makeTypesFolder } from '../../support/types-folder.ts';

const sdl = 'type Leaf @contentType(class: "lib.Leaf") { name: String photo: File text: RichText }';
const catalog = catalogOf(sdl);
const large = Buffer.alloc(5_000_000, 'content of a large file\n');

describeOnEachStore('a transfer of content with files', (locations, extent) => {
  const types = makeTypesFolder(sdl);
  let folder: StoreLocation;
  let source: StoreLocation;
  let target: StoreLocation;
  let hashes: readonly [large: string, linked: string, other: string];

  beforeEach(async () => {
    folder = sqliteLocation();
    source = locations();
    target = locations();
    const { upload, create, close } = await openStoreWithFiles(source, catalog);
    hashes = [await upload('large.txt', large), await upload('linked.txt'), await upload('other.txt')];
    const [photo, linked] = hashes;
    await create({ _type: 'lib.Leaf', name: 'value', photo: { hash: photo, alt: 'An alternative' } });
    await create({
      _type: 'lib.Leaf',
      name: 'link',
      text: `<a href="/files/${linked}/linked%20file.txt">x</a>`,
    });
    await create({ _type: 'lib.Leaf', name: 'again', photo: { hash: photo } });
    await close();
  });
  afterEach(() => Promise.all([source, target, folder].map((location) => location.remove())));

  const path = (name: string) => join(folder.config.dataDir, name);
  const inFolder = (hash: string) => join(path('files'), hash.slice(0, 2), hash);

  /** Runs a command on a store, or on a server of it. */
  async function run(words: string[], location: StoreLocation, way: 'over HTTP' | 'directly') {
    const environment = { ...environmentOf(location), COLOPHON_TYPES: types };
    if (way === 'directly') return runCommand(words, environment);
    const instance: TestInstance = await startInstance(location, { typesDir: types });
    try {
      const { 'X-Client-Id': id, 'X-Client-Secret': secret } = instance.headers;
      const server = ['--url', instance.url, '--attempts', '2'];
      return await runCommand([...words, ...server], {
        COLOPHON_TYPES: types,
        COLOPHON_CLIENT_ID: id,
        COLOPHON_CLIENT_SECRET: secret,
      });
    } finally {
      await instance.stop();
    }
  }

  it.each(waysOf(extent))('copies the files that assets name, once, %s', async (way) => {
    const words = ['export', '--from', 'lib.Leaf', '--out', path('content.jsonl'), '--files', path('files')];
    const exported = await run(words, source, way);
    expect(exported).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('copied 2 files\n') });
    expect(readFileSync(inFolder(hashes[0])).equals(large)).toBe(true);
    expect(existsSync(inFolder(hashes[2]))).toBe(false);
    expect((await run(words, source, way)).stderr).toContain('copied 0 files\n');
    const importing = ['import', path('content.jsonl')];
    const foretold = await run([...importing, '--files', path('files'), '--dry-run'], target, way);
    expect(foretold.stdout).toBe('dry run, nothing written: created 3, updated 0, failed 0\n');
    const refused = await run([...importing, '--dry-run'], target, way);
    expect(refused.stdout).toContain('created 1, updated 0, failed 2');
    const imported = await run([...importing, '--files', path('files')], target, way);
    expect(imported).toMatchObject({ exitCode: 0 });
    const verified = await runCommand(['files', 'verify', '--json'], environmentOf(target));
    expect(JSON.parse(verified.stdout)).toEqual({ files: 2, faults: [] });
    const listed = JSON.parse((await runCommand(['files', 'list', '--json'], environmentOf(target))).stdout);
    expect(listed).toContainEqual(expect.objectContaining({ hash: hashes[0], name: 'large.txt', uses: 2 }));
    expect(listed).toContainEqual(
      expect.objectContaining({ hash: hashes[1], name: 'linked file.txt', uses: 1 }),
    );
  });

  it.each(waysOf(extent))(
    'takes a folder as people have it, whose files lines name by their path, %s',
    async (way) => {
      mkdirSync(path('people/deep'), { recursive: true });
      writeFileSync(path('people/deep/a b.txt'), large);
      writeFileSync(path('people/same.txt'), large);
      writeFileSync(path('outside.txt'), 'secret');
      symlinkSync(path('outside.txt'), path('people/link.txt'));
      const named = (file: string, more: object = {}) => ({
        _type: 'lib.Leaf',
        name: file,
        photo: { _file: file, ...more },
      });
      const lines = [
        named('deep/a b.txt', { alt: 'An alternative' }),
        named('same.txt', { name: 'Other.txt' }),
        ...['nowhere.txt', 'link.txt', '../outside.txt', 'deep', path('outside.txt')].map((file) =>
          named(file),
        ),
      ];
      writeFileSync(path('content.jsonl'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
      const words = ['import', path('content.jsonl'), '--files', path('people')];
      expect((await run([...words, '--dry-run'], target, way)).stdout).toContain(
        'created 2, updated 0, failed 5',
      );
      expect(await run(words, target, way)).toMatchObject({
        exitCode: 1,
        stdout: expect.stringContaining('created 2,'),
      });
      const report = readFileSync(path('content.jsonl.failed.ndjson'), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      expect(report.map(({ asset }) => asset)).toEqual(lines.slice(2));
      expect(report.map(({ problems: [{ path, message }] }) => `${path} ${message}`)).toEqual([
        'photo "nowhere.txt" does not exist (ENOENT)',
        'photo "link.txt" is not in the folder',
        'photo "../outside.txt" is not in the folder',
        'photo "deep" is not a file',
        expect.stringContaining('does not exist (ENOENT)'),
      ]);
      const { stdout } = await run(['export', '--from', 'lib.Leaf', '--sort', 'name'], target, way);
      const photos = stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).photo);
      expect(photos).toEqual([
        {
          hash: hashes[0],
          name: 'a b.txt',
          mediaType: 'text/plain',
          bytes: large.length,
          alt: 'An alternative',
        },
        { hash: hashes[0], name: 'Other.txt', mediaType: 'text/plain', bytes: large.length },
      ]);
      const verified = await runCommand(['files', 'verify', '--json'], environmentOf(target));
      expect(JSON.parse(verified.stdout)).toEqual({ files: 1, faults: [] });
    },
  );

  it('says which files an export lacks, and refuses lines whose files an import lacks', async () => {
    const { place, close } = await openStoreWithFiles(source, catalog);
    await place.delete('key-linked-txt');
    await close();
    const words = ['export', '--from', 'lib.Leaf', '--out', path('content.jsonl'), '--files', path('files')];
    const exported = await run(words, source, 'directly');
    expect(exported).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining(`the file ${hashes[1]} is missing`),
    });
    rmSync(inFolder(hashes[0]));
    const imported = await run(
      ['import', path('content.jsonl'), '--files', path('files')],
      target,
      'directly',
    );
    expect(imported.exitCode).not.toBe(0);
    const report = readFileSync(path('content.jsonl.failed.ndjson'), 'utf8').trim().split('\n');
    expect(report.length).toBe(2);
    for (const line of report) expect(line).toContain('names no file that was uploaded');
  });

  it.each(waysOf(extent))('does not take a damaged file of the folder for the file, %s', async (way) => {
    const words = ['export', '--from', 'lib.Leaf', '--out', path('content.jsonl'), '--files', path('files')];
    await run(words, source, way);
    const flipped = Buffer.from(large);
    flipped[4_000_000] = 0;
    writeFileSync(inFolder(hashes[0]), flipped);
    const importing = ['import', path('content.jsonl'), '--files', path('files')];
    expect(await run([...importing, '--restart', '--mode', 'upsert'], target, way)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining(`the file ${hashes[0]} is damaged in the folder`),
    });
    expect((await run(words, source, way)).stderr).toContain('copied 1 files\n');
    expect(readFileSync(inFolder(hashes[0])).equals(large)).toBe(true);
    expect(await run([...importing, '--restart', '--mode', 'upsert'], target, way)).toMatchObject({
      exitCode: 0,
    });
  });

  it.each(waysOf(extent))(
    'names a file that the source has damaged, and mends one of the target, %s',
    async (way) => {
      const words = [
        'export',
        '--from',
        'lib.Leaf',
        '--out',
        path('content.jsonl'),
        '--files',
        path('files'),
      ];
      await run(words, source, way);
      await run(['import', path('content.jsonl'), '--files', path('files')], target, way);
      for (const location of [source, target]) {
        const { place, find, close } = await openStoreWithFiles(location, catalog);
        const key = await find(hashes[0]);
        await place.delete(key);
        await place.write(key, Readable.from([large.subarray(0, 1000)]));
        await close();
      }
      rmSync(inFolder(hashes[0]));
      expect(await run(words, source, way)).toMatchObject({
        exitCode: 1,
        stderr: expect.stringContaining(`the file ${hashes[0]} is missing or damaged`),
      });
      mkdirSync(dirname(inFolder(hashes[0])), { recursive: true });
      writeFileSync(inFolder(hashes[0]), large);
      const again = [
        'import',
        path('content.jsonl'),
        '--files',
        path('files'),
        '--restart',
        '--mode',
        'upsert',
      ];
      expect(await run(again, target, way)).toMatchObject({ exitCode: 0 });
      const verified = await runCommand(['files', 'verify', '--json'], environmentOf(target));
      expect(JSON.parse(verified.stdout)).toEqual({ files: 2, faults: [] });
    },
  );

  it('keeps no bytes under a hash that is not theirs', async () => {
    const words = ['export', '--from', 'lib.Leaf', '--out', path('content.jsonl'), '--files', path('files')];
    await run(words, source, 'directly');
    // What somebody else put into the folder is uploaded under its own hash, which no asset names.
    writeFileSync(inFolder(hashes[0]), 'other bytes');
    const imported = await run(
      ['import', path('content.jsonl'), '--files', path('files')],
      target,
      'directly',
    );
    expect(imported.exitCode).not.toBe(0);
  });
});
