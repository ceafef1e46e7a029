import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { silentLogger } from '../../../../src/base/runtime.ts';
import type { ContentStore } from '../../../../src/store/port.ts';
import { createSqliteStore } from '../../../../src/store/sqlite/sqlite-store.ts';
import { temporaryFolder } from '../../../support/opened.ts';
import { catalogOf } from '../../../support/types.ts';

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
  folder = temporaryFolder();
  file = join(folder, 'content.db');
  opened = [];
});
afterEach(() => Promise.all(opened.map((store) => store.close())));

async function open(): Promise<ContentStore> {
  const store = await createSqliteStore({ file, catalog, logger: silentLogger });
  opened.push(store);
  return store;
}

const idOf = (n: number) => `0190a0c0-0000-7000-8000-${String(n).padStart(12, '0')}`;
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

test('a process whose file gets another format goes on reading and writes no more', async () => {
  const store = await open();
  const asset = { _id: idOf(1), _type: 'x.Note', title: 'one' };
  await store.insert({ asset, version: 'v' });
  setFormat(99);
  const refused = { code: 'store_busy', message: expect.stringContaining('has format 99') };
  await expect(store.patch(patch(1, 'w'))).rejects.toMatchObject(refused);
  await expect(store.write([{ kind: 'delete', id: idOf(1), type: 'x.Note' }])).rejects.toMatchObject(refused);
  await expect(store.changes.trim({ beforeMs: 1, limit: 1 })).rejects.toMatchObject(refused);
  await expect(store.changes.erase({ id: idOf(1), change: 'e' }, origin)).rejects.toMatchObject(refused);
  await expect(store.serve({ sources: [], folder: 'here', areShipped: true })).rejects.toMatchObject(refused);
  await expect(store.ping()).rejects.toMatchObject(refused);
  expect(await store.get(idOf(1))).toEqual({ asset, version: 'v' });
  expect((await store.changes.position()).last).toBe(1);
});
