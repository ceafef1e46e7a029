/** `colophon mirror`: what it copies, follows, removes and refuses. */
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Environment, environmentOf, runCommand } from '../../support/command-line.ts';
import {
  authorOf,
  authorType,
  createMirrorBench,
  type MirrorBench,
  mirrorId,
  readMirrorFile,
  readStore,
  sectionOf,
  shippedTypes,
} from '../../support/mirror-bench.ts';
import { describeOnEachStore, type StoreLocation, sqliteLocation } from '../../support/stores.ts';
import { makeTypesFolder } from '../../support/types-folder.ts';
import { readStore as readCopy } from '../backup/copies.ts';
import { serveStore } from '../store/renames/changed-types.ts';

// Each test starts several processes.
vi.setConfig({ testTimeout: 600_000 });

let bench: MirrorBench;
beforeEach(async () => {
  bench = await createMirrorBench();
});
afterEach(() => bench.remove());

const createAuthors = (count: number, first = 0) => {
  const operations = Array.from({ length: count }, (_, n) => ({
    action: 'create',
    asset: authorOf(first + n),
  }));
  return bench.send('POST', '/batch', { atomic: true, operations });
};

const setSlugs = (slugs: readonly (readonly [number, string])[]) => {
  const operations = slugs.map(([n, slug]) => ({
    action: 'update',
    asset: { _id: mirrorId(n), _type: authorType, slug },
  }));
  return bench.send('POST', '/batch', { atomic: true, operations });
};

describeOnEachStore('colophon mirror', (locations, { isWhole }) => {
  let target: StoreLocation;
  let words: string[];
  beforeEach(() => {
    target = locations();
    words = ['--to', target.config.mongodbUrl ?? target.config.dataDir];
  });
  afterEach(() => target.remove());

  it('copies assets and follows their changes until it is stopped', async () => {
    await bench.serve();
    await createAuthors(3);
    const mirror = bench.mirror(words);
    await expect.poll(mirror.stderr).toContain('has caught up');
    expect((await bench.send('PUT', `/${mirrorId(0)}`, { slug: 'changed' })).status).toBe(200);
    await bench.send('DELETE', `/${mirrorId(1)}`);
    // The same asset, with another type.
    await bench.send('DELETE', `/${mirrorId(2)}`);
    await bench.send('POST', '', sectionOf(2));
    const source = await bench.readSource();
    await expect.poll(() => readStore(target), { timeout: 120_000, interval: 1_500 }).toEqual(source);
    expect(source.size).toBe(2);
    mirror.signal('SIGTERM');
    expect(await mirror.ended).toMatchObject({ exitCode: 0 });
    expect(await bench.mirrorOnce(words)).toEqual({ written: 0, removed: 0, restarts: 0 });
  });

  it.runIf(isWhole)('refuses a target with content of others, and replaces it when asked to', async () => {
    await bench.serve();
    await createAuthors(2);
    const lines = bench.path('own.ndjson');
    writeFileSync(lines, `${JSON.stringify(authorOf(7))}\n`);
    const importInto = () =>
      runCommand(['import', lines], { ...environmentOf(target), COLOPHON_TYPES: shippedTypes });
    expect((await importInto()).exitCode).toBe(0);
    const refused = await bench.mirror([...words, '--once']).ended;
    expect(refused).toMatchObject({ exitCode: 1 });
    expect(refused.stderr).toContain(`already has content, such as the ${authorType} ${mirrorId(7)}`);
    expect([...(await readStore(target)).keys()]).toEqual([mirrorId(7)]);
    expect(await bench.mirrorOnce([...words, '--replace'])).toMatchObject({ written: 2, removed: 1 });
    expect(await readStore(target)).toEqual(await bench.readSource());
    expect((await importInto()).exitCode).toBe(0);
    const written = await bench.mirror([...words, '--once']).ended;
    expect(written).toMatchObject({ exitCode: 1 });
    expect(written.stderr).toContain('was written to by somebody else: by the command import');
    expect(await bench.mirrorOnce([...words, '--replace'])).toMatchObject({ written: 0, removed: 1 });
    expect(await readStore(target)).toEqual(await bench.readSource());
  });
});

describe('colophon mirror', () => {
  let target: StoreLocation;
  let words: string[];
  beforeEach(() => {
    target = sqliteLocation();
    words = ['--to', join(target.config.dataDir, 'replica')];
  });
  afterEach(() => target.remove());

  const replica = (): StoreLocation => ({ ...target, config: { dataDir: words[1] ?? '' } });

  const refusal = async (more: readonly string[], environment: Environment = {}) => {
    const { exitCode, stderr } = await bench.mirror([...words, '--once', ...more], environment).ended;
    expect(exitCode).not.toBe(0);
    return stderr;
  };

  it('begins again after the source was restored from a backup, and removes what the source no longer has', async () => {
    const serving = await bench.serve();
    await createAuthors(700);
    const backup = bench.path('source.backup');
    expect(await runCommand(['backup', 'create', backup], environmentOf(bench.source))).toMatchObject({
      exitCode: 0,
    });
    await createAuthors(300, 700);
    await setSlugs([[0, 'after-the-backup']]);
    const file = bench.path('copy.ndjson');
    await bench.mirrorOnce(words);
    await bench.mirrorOnce(['--to', file]);
    await serving.stop();
    expect(
      await runCommand(['backup', 'restore', backup, '--replace'], environmentOf(bench.source)),
    ).toMatchObject({ exitCode: 0 });
    await bench.serve();
    const source = await bench.readSource();
    expect(source.size).toBe(700);
    expect(await bench.mirrorOnce(words)).toMatchObject({ written: 1, removed: 300 });
    expect(await readStore(replica())).toEqual(source);
    expect(await bench.mirrorOnce(['--to', file])).toMatchObject({ written: 1, removed: 300 });
    expect(readMirrorFile(file)).toEqual(source);
  });

  it('lets assets of different pages exchange unique values', async () => {
    await bench.serve();
    await createAuthors(900);
    await bench.mirrorOnce(words);
    // Each author gets the slug of the next one, so that every page of the feed takes one from the page after it.
    const all = Array.from({ length: 900 }, (_, n) => n);
    await setSlugs(all.slice(0, 450).map((n) => [n, `free-${n}`]));
    await setSlugs(all.slice(450).map((n) => [n, `free-${n}`]));
    await setSlugs(all.slice(0, 450).map((n) => [n, `author-${(n + 1) % 900}`]));
    await setSlugs(all.slice(450).map((n) => [n, `author-${(n + 1) % 900}`]));
    const source = await bench.readSource();
    expect(source.get(mirrorId(899))).toMatchObject({ slug: 'author-0' });
    await bench.mirrorOnce(words);
    expect(await readStore(replica())).toEqual(source);
  });

  it('names a value that only the target requires to be unique, and writes none of it', async () => {
    const types = bench.path('types');
    mkdirSync(types);
    const sdl = `type Author @contentType(class: "${authorType}") { slug: String! name: String }`;
    writeFileSync(join(types, 'author.graphql'), sdl);
    const other = await createMirrorBench(types);
    try {
      await other.serve();
      for (const n of [1, 2]) await other.send('POST', '', authorOf(n, 'same'));
      const only = ['--to', words[1] ?? '', '--type', authorType, '--once'];
      const { exitCode, stderr } = await other.mirror(only, { COLOPHON_TYPES: shippedTypes }).ended;
      expect(exitCode).toBe(1);
      expect(stderr).toContain(`the source has several ${authorType} with the slug "same"`);
      expect(await readStore(replica())).toEqual(new Map());
    } finally {
      await other.remove();
    }
  });

  it('refuses wrong calls before it writes anything', async () => {
    await bench.serve();
    await createAuthors(1);
    expect(await refusal([], { COLOPHON_CLIENT_SECRET: 'wrong' })).toContain('answers 401');
    expect(await refusal(['--where', 'nothing = 1'])).toContain('answers 400');
    expect(await refusal(['--type', 'com.example.Nothing'])).toContain('com.example.Nothing');
    expect(await refusal([], { COLOPHON_TYPES: '' })).toContain('needs --types or COLOPHON_TYPES');
    expect(existsSync(words[1] ?? '')).toBe(false);
    const bad = await bench.mirror(['--to', 'http://127.0.0.1:1', '--once']).ended;
    expect(bad).toMatchObject({ exitCode: 2 });
    const file = bench.path('others.ndjson');
    writeFileSync(file, 'not of a mirror\n');
    const kept = await bench.mirror(['--to', file, '--once']).ended;
    expect(kept.stderr).toContain('exists, and is no mirror');
    expect(readFileSync(file, 'utf8')).toBe('not of a mirror\n');
  });

  it('refuses a second mirror, other terms and a changed file', async () => {
    await bench.serve();
    await createAuthors(3);
    const file = bench.path('copy.ndjson');
    const where = ['--type', authorType, '--where', 'slug != ?', '--value', 'author-1'];
    for (const to of [words[1] ?? '', file]) {
      const mirror = bench.mirror(['--to', to, ...where]);
      await expect.poll(mirror.stderr).toContain('has caught up');
      const second = await bench.mirror(['--to', to, ...where, '--once']).ended;
      expect(second.stderr).toContain('another mirror fills');
      mirror.signal('SIGINT');
      expect(await mirror.ended).toMatchObject({ exitCode: 0 });
      const others = await bench.mirror(['--to', to, '--once']).ended;
      expect(others.stderr).toContain('is a mirror with other types or another predicate');
    }
    const expected = [mirrorId(0), mirrorId(2)];
    expect([...readMirrorFile(file).keys()]).toEqual(expected);
    expect([...(await readStore(replica())).keys()]).toEqual(expected);
    appendFileSync(file, '{}\n');
    const changed = await bench.mirror(['--to', file, ...where, '--once']).ended;
    expect(changed.stderr).toContain('was changed by somebody else');
    await bench.mirrorOnce(['--to', file, ...where, '--replace']);
    expect([...readMirrorFile(file).keys()]).toEqual(expected);
  });

  it('waits for a server that does not answer, and says so once', async () => {
    const serving = await bench.serve();
    await createAuthors(1);
    const file = bench.path('copy.ndjson');
    const mirror = bench.mirror(['--to', file]);
    await expect.poll(mirror.stderr).toContain('has caught up');
    // A server that stops in order may answer once more in between.
    serving.signal('SIGKILL');
    await serving.ended;
    await expect.poll(mirror.stderr).toContain('trying again until it answers');
    await bench.serve();
    await bench.send('PUT', `/${mirrorId(0)}`, { name: 'Ada' });
    await expect
      .poll(() => readMirrorFile(file).get(mirrorId(0)), { timeout: 120_000 })
      .toMatchObject({ name: 'Ada' });
    expect(mirror.stderr().split('trying again').length).toBe(2);
    mirror.signal('SIGTERM');
    expect(await mirror.ended).toMatchObject({ exitCode: 0 });
  });
});

describeOnEachStore('a mirror of renamed fields', (locations) => {
  const typeOf = (field: string) => `type Note @contentType(class: "n.Note") { ${field} }`;

  it('has the present names in a new store', async () => {
    const folder = makeTypesFolder(typeOf('headline: String @was(name: "title")'));
    const renamed = await createMirrorBench(folder.path);
    const target = locations();
    try {
      const former = await serveStore(renamed.source, typeOf('title: String'));
      await former.insert({ _id: mirrorId(1), _type: 'n.Note', title: 'a' });
      await former.store.close();
      await renamed.serve();
      const { written } = await renamed.mirrorOnce([
        '--to',
        target.config.mongodbUrl ?? target.config.dataDir,
      ]);
      expect(written).toBe(1);
      const stored = async (location: StoreLocation) =>
        (await readCopy(location)).assets.get(mirrorId(1))?.asset;
      expect(await stored(renamed.source)).toMatchObject({ title: 'a' });
      expect(await stored(target)).toMatchObject({ headline: 'a' });
    } finally {
      await renamed.remove();
      await target.remove();
      folder.remove();
    }
  });
});
