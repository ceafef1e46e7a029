/** Formats of the database file: one that 0.1 has written is upgraded, one of a newer version is left alone. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { silentLogger } from '../../../../src/base/runtime.ts';
import type { ContentStore } from '../../../../src/store/port.ts';
import { createSqliteStore } from '../../../../src/store/sqlite/sqlite-store.ts';
import { catalogOf } from '../../../support/types.ts';

const written = fileURLToPath(new URL('./formats/format-1.db', import.meta.url));
const catalog = catalogOf(`type Note @contentType(class: "x.Note") {
  title: String @indexed
  slug: String @indexed(unique: true)
  tags: [String!] @indexed
  text: String
}`);
let folder: string;
let file: string;
let opened: ContentStore[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'colophon-formats-'));
  file = join(folder, 'content.db');
  opened = [];
});
afterEach(async () => {
  await Promise.all(opened.map((store) => store.close()));
  rmSync(folder, { recursive: true });
});

async function open({ isReadOnly = false } = {}): Promise<ContentStore> {
  const store = await createSqliteStore({ file, catalog, logger: silentLogger, isReadOnly });
  opened.push(store);
  return store;
}

const idOf = (n: number) => `0190a0c0-0000-7000-8000-${String(n).padStart(12, '0')}`;
const page = { types: ['x.Note'], offset: 0, limit: 100, withCount: true };
const origin = { by: { kind: 'command' }, atMs: 1_000 } as const;
const patch = (n: number, version: string) => ({
  id: idOf(n),
  type: 'x.Note',
  set: { title: 'new' },
  unset: [],
  version,
});
const setFormat = (format: number) => {
  const database = new DatabaseSync(file);
  database.exec(`PRAGMA user_version = ${format}`);
  database.close();
};
const formatOf = () => {
  const database = new DatabaseSync(file, { readOnly: true });
  const format = database.prepare('PRAGMA user_version').get()?.user_version;
  database.close();
  return format;
};

describe('a file that 0.1 has written', () => {
  beforeEach(() => copyFileSync(written, file));

  test('keeps its assets, versions, totals and indexes, and has an empty log', async () => {
    const store = await open();
    await store.prepare();
    const { count, items } = await store.find(page);
    expect([count, items.length]).toEqual([30, 30]);
    expect(await store.get(idOf(3))).toEqual({
      asset: {
        _id: idOf(3),
        _type: 'x.Note',
        title: 'Note 3',
        slug: 'former-slug-3',
        tags: ['a', 'former-tag-3'],
        text: 'former-text-3 '.repeat(20),
      },
      version: 'old-3',
    });
    expect((await store.get(idOf(1)))?.version).toBe('old-1-b');
    expect(await store.revision(['x.Note'])).toMatch(/^[0-9a-f-]{36}-64$/);
    expect(await store.changes.position()).toMatchObject({ first: 0, last: 0 });
    const twin = { asset: { _id: idOf(99), _type: 'x.Note', slug: 'slug-1' }, version: 'v' };
    await expect(store.insert(twin)).rejects.toMatchObject({ code: 'value_in_use' });
    await store.close();
    const database = new DatabaseSync(file);
    expect(database.prepare('PRAGMA integrity_check').get()?.integrity_check).toBe('ok');
    database.close();
  });

  test('logs what is written from now on; what is older is known as far as the assets have not changed', async () => {
    const store = await open();
    const stateOf = (n: number, moment: Parameters<typeof store.changes.stateOf>[1]) =>
      store.changes.stateOf(idOf(n), moment);
    const old = await store.get(idOf(3));
    expect(await stateOf(3, { version: 'old-3' })).toEqual({ kind: 'exists', ...old, number: 0 });
    expect(await stateOf(3, { atMs: Date.now() + 60_000 })).toEqual({ kind: 'exists', ...old, number: 0 });
    expect(await stateOf(3, { atMs: 1_000 })).toEqual({ kind: 'removed' });
    expect(await stateOf(1, { version: 'old-1' })).toEqual({ kind: 'removed' });
    await store.patch(patch(3, 'new-3'), { ...origin, atMs: Date.now() + 120_000 });
    const { entries } = await store.changes.history({ asset: idOf(3), limit: 10 });
    expect(entries).toMatchObject([
      { number: 1, action: 'update', previousVersion: 'old-3', before: { title: 'Note 3' } },
    ]);
    expect(await stateOf(3, { version: 'old-3' })).toEqual({ kind: 'exists', ...old, number: 0 });
    expect(await stateOf(3, { atMs: Date.now() + 60_000 })).toEqual({ kind: 'exists', ...old, number: 0 });
    expect(await stateOf(3, { number: 1 })).toMatchObject({ kind: 'exists', version: 'new-3' });
    for (let n = 0; n < 140; n++) await store.patch({ ...patch(3, `v-${n}`), set: { title: `${n}` } });
    expect(await stateOf(3, { version: 'old-3' })).toEqual({ kind: 'exists', ...old, number: 0 });
  });

  test('is upgraded once by processes that open it at the same time', async () => {
    const stores = await Promise.all([open(), open(), open()]);
    const positions = await Promise.all(stores.map((store) => store.changes.position()));
    expect(new Set(positions.map(({ epoch }) => epoch)).size).toBe(1);
    expect(formatOf()).toBe(2);
  });

  test('is not upgraded by opening it read-only, and has no log as long as it is only read', async () => {
    const store = await open({ isReadOnly: true });
    expect(store.capabilities.changes).toBe(false);
    await expect(store.changes.position()).rejects.toMatchObject({ code: 'not_supported' });
    expect((await store.find(page)).count).toBe(30);
    await expect(store.patch(patch(3, 'new'))).rejects.toMatchObject({ code: 'store_failure' });
    await store.close();
    expect(formatOf()).toBe(1);
  });

  test('keeps no value that 0.1 has deleted or replaced after the first erasure', async () => {
    // Another process reads, because closing a file ends the locks that SQLite has on it in this one.
    const text = () =>
      execFileSync('cat', readdirSync(folder), { cwd: folder, encoding: 'latin1', maxBuffer: 1e9 });
    expect(text()).toContain('former-text-2 ');
    const store = await open();
    expect(await store.changes.erase({ id: idOf(3), change: 'e-3' }, origin)).toBe(true);
    const stored = (await store.find(page)).items.map(({ asset }) => JSON.stringify(asset)).join('');
    const kept = new Set(stored.match(/former-(text|slug|tag)-\d+\b/g));
    const found = new Set(text().match(/former-(text|slug|tag)-\d+\b/g));
    expect([...found].filter((word) => !kept.has(word))).toEqual([]);
    expect(found.size).toBeGreaterThan(10);
  });
});

test('a process that runs while a newer one upgrades the file goes on reading and writes no more', async () => {
  const store = await open();
  const asset = { _id: idOf(1), _type: 'x.Note', title: 'one' };
  await store.insert({ asset, version: 'v' });
  setFormat(3);
  const refused = { code: 'store_busy', message: expect.stringContaining('has format 3') };
  await expect(store.patch(patch(1, 'w'))).rejects.toMatchObject(refused);
  await expect(store.write([{ kind: 'delete', id: idOf(1), type: 'x.Note' }])).rejects.toMatchObject(refused);
  await expect(store.changes.trim({ beforeMs: 1, limit: 1 })).rejects.toMatchObject(refused);
  await expect(store.changes.erase({ id: idOf(1), change: 'e' }, origin)).rejects.toMatchObject(refused);
  await expect(store.serve({ sources: [], folder: 'here', areShipped: true })).rejects.toMatchObject(refused);
  await expect(store.ping()).rejects.toMatchObject(refused);
  expect(await store.get(idOf(1))).toEqual({ asset, version: 'v' });
  expect((await store.changes.position()).last).toBe(1);
});
