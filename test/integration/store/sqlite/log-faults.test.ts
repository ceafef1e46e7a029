import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { silentLogger } from '../../../../src/base/runtime.ts';
import { openConnection } from '../../../../src/store/sqlite/connection.ts';
import { createStoredTypes } from '../../../../src/store/sqlite/indexes/field-indexes.ts';
import { prepareSchema } from '../../../../src/store/sqlite/schema.ts';
import { createSqliteStore } from '../../../../src/store/sqlite/sqlite-store.ts';
import { createGroupCommit, type GroupCommit } from '../../../../src/store/sqlite/writes/group-commit.ts';
import { toRequest } from '../../../../src/store/sqlite/writes/write-requests.ts';
import { findDisagreements } from '../../../support/log-agreement.ts';
import { temporaryFolder } from '../../../support/opened.ts';
import { catalogOf } from '../../../support/types.ts';

const type = 'x.Note';
let folder: string;
let file: string;
let database: DatabaseSync;

beforeEach(() => {
  folder = temporaryFolder();
  file = join(folder, 'content.db');
  database = openConnection({ file, busyMs: 100 });
});
afterEach(() => database.close());

const idOf = (n: number) => `0190a0c0-0000-7000-8000-${String(n).padStart(12, '0')}`;
const insert = (n: number, text = 'x') =>
  toRequest({ kind: 'insert', asset: { _id: idOf(n), _type: type, text }, version: `v-${n}` });
const patch = (n: number, text: string) =>
  toRequest({ kind: 'patch', id: idOf(n), type, set: { text }, unset: [], version: `w-${n}` });
const from = (id: string) => ({ by: { kind: 'client', id }, run: `run-${id}`, atMs: 1 }) as const;
const wordsOf = (where: string) =>
  database
    .prepare(
      `SELECT changes.id, change_actors.id AS actor, change_names.name AS run FROM changes
       JOIN change_actors ON change_actors.number = actor JOIN change_names ON change_names.number = run
       WHERE ${where} ORDER BY seq`,
    )
    .all()
    .map(({ id, actor, run }) => [id, actor, run]);

/** Prepares the writes of another process on the same file. */
function createWrites(connection: DatabaseSync): GroupCommit {
  const numbers = prepareSchema(connection, { file, classes: [type] });
  return createGroupCommit(connection, { types: createStoredTypes([{ class: type, indexes: [] }], numbers) });
}

test('when the disk is full in the middle, log and assets are as before and later writes succeed', () => {
  const write = createWrites(database);
  write([insert(1), insert(2), { ...patch(1, 'y'), origin: from('a') }]);
  const { page_count: pages } = database.prepare('PRAGMA page_count').get() ?? {};
  database.exec(`PRAGMA max_page_count = ${Number(pages) + 20}`);
  const full = write([
    { ...insert(3), origin: from('b') },
    { ...patch(2, 'x'.repeat(300_000)), origin: from('c') },
    insert(4),
  ]);
  expect(full.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(findDisagreements(database)).toEqual([]);
  expect(database.prepare('SELECT count(*) AS n FROM changes').get()).toEqual({ n: 3 });
  const [done] = write([{ ...insert(3), origin: from('d') }]);
  expect(done?.status).toBe('fulfilled');
  expect(wordsOf("changes.id = 'v-3'")).toEqual([['v-3', 'd', 'run-d']]);
  expect(findDisagreements(database)).toEqual([]);
});

test('words of a transaction that rolled back are stored again, also when another process took their numbers', () => {
  const write = createWrites(database);
  const other = openConnection({ file, busyMs: 100 });
  const writeElsewhere = createWrites(other);
  const { page_count: pages } = database.prepare('PRAGMA page_count').get() ?? {};
  database.exec(`PRAGMA max_page_count = ${Number(pages) + 20}`);
  write([{ ...insert(1), origin: from('a') }, insert(2, 'x'.repeat(300_000))]);
  writeElsewhere([{ ...insert(3), origin: from('z') }]);
  write([{ ...insert(1), origin: from('a') }]);
  // An undone write and an undone batch, whose field names are new.
  const named = (name: string) =>
    toRequest({ kind: 'patch', id: idOf(1), type, set: { [name]: 1 }, unset: [], version: name });
  write([
    { kind: 'sequence', atomic: true, writes: [named('first'), patch(9, 'absent')], origin: from('b') },
  ]);
  writeElsewhere([named('second')]);
  write([named('first')]);
  expect(wordsOf('run IS NOT NULL')).toEqual([
    ['v-3', 'z', 'run-z'],
    ['v-1', 'a', 'run-a'],
  ]);
  const names = database
    .prepare(
      `SELECT changes.id, name FROM changes, json_each(changed)
       JOIN change_names ON change_names.number = value WHERE action = 2 ORDER BY seq`,
    )
    .all();
  expect(names.map(({ id, name }) => [id, name])).toEqual([
    ['second', 'second'],
    ['first', 'first'],
  ]);
  expect(findDisagreements(database)).toEqual([]);
  other.close();
});

test('a write that ends the writer thread leaves no entry without its change', async () => {
  const catalog = catalogOf(`type Note @contentType(class: "x.Note") { text: String other: String }`);
  const memory = { readerMb: 64, writerMb: 12 };
  const store = await createSqliteStore({ file, catalog, logger: silentLogger, memory });
  const text = 'so many words '.repeat(300_000);
  await store.insert({ asset: { _id: idOf(1), _type: type, text: 'short' }, version: 'v' });
  const killing = { id: idOf(1), type, set: { text, other: text }, unset: [], version: 'w' };
  await expect(store.patch(killing)).rejects.toMatchObject({ code: 'store_busy' });
  await store.close();
  expect(findDisagreements(database)).toEqual([]);
  expect(Number(database.prepare('SELECT count(*) AS n FROM changes').get()?.n)).toBeGreaterThan(0);
});
