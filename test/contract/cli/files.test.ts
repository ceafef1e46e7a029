/** `colophon files …`, and what `colophon verify` says of files, on stores that have files. */
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { environmentOf, runCommand } from '../../support/command-line.ts';
import { openStoreWithFiles, type StoreWithFiles } from '../../support/stored-files.ts';
import { describeOnEachStore, type StoreLocation } from '../../support/stores.ts';
import { catalogOf } from '../../support/types.ts';

const catalog = catalogOf('type Page @contentType(class: "lib.Page") { photo: File text: RichText }');
const week = 7 * 86_400_000;

describeOnEachStore('colophon files', (locations) => {
  let location: StoreLocation;
  let opened: StoreWithFiles;
  let hashes: Record<'used' | 'linked' | 'old' | 'fresh', string>;
  let page: string;

  beforeEach(async () => {
    location = locations();
    opened = await openStoreWithFiles(location, catalog);
    const { upload, create } = opened;
    hashes = {
      used: await upload('used.txt', 'used', week),
      linked: await upload('linked.txt', 'linked', week),
      old: await upload('old.txt', 'old file', week),
      fresh: await upload('fresh.txt', 'fresh'),
    };
    page = await create({ _type: 'lib.Page', photo: { hash: hashes.used } });
    await create({ _type: 'lib.Page', text: `/files/${hashes.linked}/linked.txt` });
  });
  afterEach(() => opened.close());

  const run = (...words: string[]) => runCommand(words, environmentOf(location));
  const json = async (...words: string[]) => {
    const { stdout, exitCode, stderr } = await run(...words, '--json');
    return { ...JSON.parse(stdout || 'null'), exitCode, stderr };
  };

  it('list says how many assets may name each', async () => {
    const { stdout, exitCode } = await run('files', 'list', '--json');
    const uses = JSON.parse(stdout).map((file: { name: string; uses: number }) => [file.name, file.uses]);
    expect(Object.fromEntries(uses)).toEqual({
      'used.txt': 1,
      'linked.txt': 1,
      'old.txt': 0,
      'fresh.txt': 0,
    });
    expect(exitCode).toBe(0);
    const lines = (await run('files', 'list')).stdout.split('\n');
    expect(lines[0]).toMatch(/^HASH +BYTES +UPLOADED +USES +NAME$/);
    expect(lines).toContainEqual(expect.stringMatching(`^${hashes.used}  4 .* 1 +used.txt$`));
  });

  it('prune deletes those that nothing names, with --dry-run none', async () => {
    const { place } = opened;
    await place.write('orphan', Readable.from([Buffer.from('x')]));
    const planned = await json('files', 'prune', '--dry-run');
    expect(planned).toMatchObject({ files: [{ hash: hashes.old, name: 'old.txt' }], exitCode: 0 });
    expect(await place.find('key-old-txt')).toBeDefined();
    expect(await run('files', 'prune', '--orphans')).toMatchObject({
      stdout: `${hashes.old}  old.txt\ndeleted 1 files (8 bytes), and bytes without a record, 0 times\n`,
      exitCode: 0,
    });
    expect(await place.find('key-old-txt')).toBeUndefined();
    expect(await json('files', 'prune', '--days', '0')).toMatchObject({ files: [{ name: 'fresh.txt' }] });
    const { stdout } = await run('files', 'list', '--json');
    expect(JSON.parse(stdout).length).toBe(2);
    for (const key of ['key-used-txt', 'key-linked-txt', 'orphan'])
      expect(await place.find(key)).toBeDefined();
  });

  it('prune deletes a file that was used only when nothing can be about to use it', async () => {
    await opened.store.delete({ id: page, type: 'lib.Page' });
    while ((await opened.store.changes.trim({ beforeMs: Date.now() + 1000, limit: 100 })) > 0);
    await opened.create({ _type: 'lib.Page' });
    await opened.store.changes.waitUntilNumbered();
    while ((await opened.store.changes.trim({ beforeMs: Date.now() + 1000, limit: 100 })) > 0);
    await opened.store.serve({ sources: [], folder: 'x', areShipped: false });
    expect(await run('files', 'prune')).toMatchObject({
      stdout: expect.stringMatching(/old\.txt\n1 more are unused since now, .*\ndeleted 1 files/),
    });
    expect(await opened.place.find('key-used-txt')).toBeDefined();
    await opened.close();
    expect(await run('files', 'prune')).toMatchObject({
      stdout: expect.stringContaining('used.txt\ndeleted 1 files'),
    });
    opened = await openStoreWithFiles(location, catalog);
    expect(await opened.place.find('key-used-txt')).toBeUndefined();
    expect(await opened.place.find('key-linked-txt')).toBeDefined();
  });

  it('verify, and `colophon verify`, name the assets of files that are missing or damaged', async () => {
    expect(await json('files', 'verify')).toMatchObject({ files: 4, faults: [], exitCode: 0 });
    expect(await run('verify')).toMatchObject({ exitCode: 0 });
    const { place } = opened;
    const replace = async (key: string, bytes: string) => {
      await place.delete(key);
      await place.write(key, Readable.from([Buffer.from(bytes)]));
    };
    await replace('key-used-txt', 'USED');
    const damaged = await json('files', 'verify');
    expect(damaged).toMatchObject({
      faults: [{ hash: hashes.used, fault: 'are not those that were uploaded', assets: [page] }],
      exitCode: 1,
    });
    // Only a look at the bytes finds it.
    expect(await run('verify')).toMatchObject({ exitCode: 0 });
    await replace('key-used-txt', 'too long');
    await place.delete('key-fresh-txt');
    expect((await run('files', 'verify')).stdout.split('\n').toSorted()).toEqual([
      '',
      'checked 4 files: 2 damaged',
      `the bytes of fresh.txt (${hashes.fresh}) are missing`,
      `the bytes of used.txt (${hashes.used}) have another size; named by ${page}`,
    ]);
    const { stdout, exitCode } = await run('verify');
    expect(stdout).toContain(`damage in files: the bytes of used.txt (${hashes.used}) have another size\n`);
    expect(stdout).toContain(`damage in files: the bytes of fresh.txt (${hashes.fresh}) are missing\n`);
    expect(stdout).toContain(`damage in files: an asset may name a file that is not whole (${page})\n`);
    expect(exitCode).toBe(1);
  });
});
