/** Word indexes on SQLite: when they are built, used, kept up to date and removed, and what erasing leaves of them. */
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { silentLogger } from '../../../../src/base/runtime.ts';
import type { Catalog } from '../../../../src/model/content-type.ts';
import { createFindings } from '../../../../src/store/inspection/findings.ts';
import type { ContentStore } from '../../../../src/store/port.ts';
import { createSqliteInspection } from '../../../../src/store/sqlite/inspection/inspect-file.ts';
import { createSqliteStore } from '../../../../src/store/sqlite/sqlite-store.ts';
import { toWhere } from '../../../contract/store/suite-content.ts';
import { temporaryFolder } from '../../../support/opened.ts';
import { catalogOf } from '../../../support/types.ts';

const note = (fields: string) => catalogOf(`type Note @contentType(class: "x.Note") { ${fields} }`);
const plain = note('title: String body: RichText other: String');
const searchable = note('title: String @searchable body: RichText @searchable other: String');
const served = { sources: [], folder: '.', areShipped: false };
const origin = { by: { kind: 'command' }, atMs: 1_000 } as const;

let folder: string;
let file: string;
const opened: ContentStore[] = [];

beforeEach(() => {
  folder = temporaryFolder();
  file = join(folder, 'content.db');
});
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
});

async function open(catalog: Catalog): Promise<ContentStore> {
  const timing = { heartbeatMs: 50, expiryMs: 200 };
  // How long a search may take is no subject here: on a busy machine, one that tests whole texts may need longer than usual.
  const store = await createSqliteStore({ file, catalog, logger: silentLogger, timing, queryMs: 60_000 });
  opened.push(store);
  return store;
}

const idOf = (n: number) => `0190a0c0-0000-7000-8000-${String(n).padStart(12, '0')}`;
const insert = (store: ContentStore, n: number, fields: Record<string, string>) =>
  store.insert({ asset: { _id: idOf(n), _type: 'x.Note', ...fields }, version: 'v' });
const patch = (store: ContentStore, n: number, set: Record<string, string>) =>
  store.patch({ id: idOf(n), type: 'x.Note', set, unset: [], version: 'w' });

async function find(store: ContentStore, text: string): Promise<number[]> {
  const where = toWhere(searchable, { classes: ['x.Note'], text });
  const request = { types: ['x.Note'], where, offset: 0, limit: 1000, withCount: true };
  const { items, rest = [], count } = await store.find(request);
  const ids = [...items.map(({ asset }) => asset._id), ...rest];
  expect(count).toBe(ids.length);
  return ids.map((id) => Number(id.slice(-12)));
}

/** Runs SQL on the file, as a process would that keeps no words. */
function runSql(sql: string): unknown[] {
  const database = new DatabaseSync(file, { timeout: 5_000 });
  try {
    return database.prepare(sql).all();
  } finally {
    database.close();
  }
}

/** Lists the word indexes: for each its path, of how many assets it has words, how many of them are recent, and how many wait. */
function listIndexes() {
  if (runSql("SELECT 1 FROM sqlite_schema WHERE name = 'word_indexes'").length === 0) return [];
  return runSql('SELECT name, path, built FROM word_indexes').map((row) => {
    const { name, path, built } = row as { name: string; path: string; built: number | null };
    const count = (table: string) =>
      Number((runSql(`SELECT count(*) AS n FROM ${table}`)[0] as { n: number }).n);
    const recent = `${name}_recent`;
    return {
      path: JSON.parse(path).text,
      isBuilt: built === null,
      words:
        count(`${name} WHERE rowid NOT IN (SELECT key FROM ${recent})`) +
        count(`${recent} WHERE words <> ''`),
      recent: count(recent),
      waiting: count(`${name}_pending`),
    };
  });
}

/** Reads all files; another process does, because closing a file ends the locks that SQLite has on it in this one. */
const readFiles = () =>
  execFileSync('cat', readdirSync(folder), { cwd: folder, encoding: 'latin1', maxBuffer: 1e9 });

test('a type that becomes searchable gets the words of its stored assets, and writes keep them', async () => {
  const before = await open(plain);
  for (let n = 1; n <= 50; n++)
    await insert(before, n, { title: `note ${n}`, body: n % 2 ? '<p>odd</p>' : 'even' });
  const store = await open(searchable);
  expect(await find(store, 'body matches odd')).toHaveLength(25);
  await store.prepare();
  expect(listIndexes()).toEqual([
    { path: 'title', isBuilt: true, words: 50, recent: 0, waiting: 0 },
    { path: 'body', isBuilt: true, words: 50, recent: 0, waiting: 0 },
  ]);
  expect(await find(store, 'body matches odd')).toHaveLength(25);
  await insert(store, 51, { body: 'ODD' });
  await patch(store, 1, { body: 'no longer' });
  await store.delete({ id: idOf(3), type: 'x.Note' });
  const inserts = [60, 61].map((n) => ({
    asset: { _id: idOf(n), _type: 'x.Note', title: 'pair' },
    version: 'v',
  }));
  await store.write(
    inserts.map((insert) => ({ kind: 'insert', ...insert })),
    { atomic: true },
  );
  const twice = [inserts[0], inserts[0]].flatMap((one) => (one ? [{ kind: 'insert' as const, ...one }] : []));
  await store.write(twice, { atomic: true });
  expect(await find(store, 'title matches pair')).toEqual([60, 61]);
  expect(await find(store, 'body matches odd and title matches "5 7"')).toEqual([5, 7]);
  expect(await find(store, 'not body matches even')).toHaveLength(24 + 1 + 1 + 2 - 1);
  expect(await find(store, 'body matchesAll "longer no"')).toEqual([1]);
  const expected = [
    { path: 'title', isBuilt: true, words: 51, waiting: 0 },
    { path: 'body', isBuilt: true, words: 50, waiting: 0 },
  ];
  expect(listIndexes()).toMatchObject(expected);
  expect(listIndexes().map(({ recent }) => recent)).toEqual([4, 5]);
  await store.prepare();
  expect(listIndexes()).toEqual(expected.map((index) => ({ ...index, recent: 0 })));
  expect(await find(store, 'body matchesAll "longer no"')).toEqual([1]);
});

test('recent words count before and after they are merged into the index, of whichever process', async () => {
  const stores = [await open(searchable), await open(searchable)] as const;
  await stores[0].prepare();
  await insert(stores[0], 0, { body: 'old common' });
  await stores[0].prepare();
  await patch(stores[1], 0, { body: 'new common' });
  const mostRecent: number[] = [];
  for (let n = 1; n <= 300; n++) {
    await insert(stores[n % 2 ? 0 : 1], n, { body: `common n${n}` });
    if (n % 40 > 0) continue;
    const reader = stores[n % 80 ? 1 : 0];
    expect(await find(reader, 'body matches "old new"')).toEqual([0]);
    expect(await find(reader, 'body matchesAll "old common"')).toEqual([]);
    expect(await find(reader, `body matches "n1 n${n} n${n + 1}"`)).toEqual([1, n]);
    // More words than are looked for one by one.
    expect(await find(reader, `body matches "n1 n2 n3 n4 n5 n6 n7 n8 n${n}"`)).toHaveLength(9);
    expect(await find(reader, 'body matches common')).toHaveLength(n + 1);
    mostRecent.push(...listIndexes().map(({ recent }) => recent));
  }
  // Words are merged after the answer to a write, and not while the other process writes.
  expect(Math.max(...mostRecent)).toBeLessThan(256);
  expect(Math.max(...mostRecent)).toBeGreaterThan(40);
  expect(listIndexes().map(({ words }) => words)).toEqual([0, 301]);
});

test('without recent words, a heartbeat writes nothing', async () => {
  const store = await open(searchable);
  await store.prepare();
  await insert(store, 1, { body: 'alpha' });
  const other = new DatabaseSync(file);
  const version = () => other.prepare('PRAGMA data_version').get()?.data_version;
  const versions = [version()];
  for (let round = 0; round < 3; round++) {
    await store.prepare();
    versions.push(version());
  }
  other.close();
  const [before, merged, ...later] = versions;
  expect(merged).not.toBe(before);
  expect(later).toEqual([merged, merged]);
});

test('few long texts are merged as many short ones are', async () => {
  const store = await open(searchable);
  await store.prepare();
  await insert(store, 1, { body: 'word '.repeat(10_000) });
  expect(listIndexes().map(({ recent }) => recent)).toEqual([1, 1]);
  await insert(store, 2, { body: 'word '.repeat(10_000) });
  await vi.waitUntil(() => listIndexes()[1]?.recent === 1, { timeout: 60_000 });
  expect(listIndexes().map(({ recent }) => recent)).toEqual([2, 1]);
  expect(await find(store, 'body matches word')).toEqual([1, 2]);
});

test('a search uses the index, not the texts', async () => {
  const store = await open(searchable);
  await store.prepare();
  await insert(store, 1, { body: 'alpha' });
  await store.prepare();
  const [{ name }] = runSql("SELECT name FROM word_indexes WHERE path LIKE '%body%'") as [{ name: string }];
  runSql(`DELETE FROM ${name} WHERE rowid = 1`);
  expect(await find(store, 'body matches alpha')).toEqual([]);
  expect(await find(store, 'body contains alpha')).toEqual([1]);
});

test('a process whose types are not searchable keeps the words of others', async () => {
  const store = await open(searchable);
  await store.prepare();
  const other = await open(plain);
  await insert(other, 1, { body: 'alpha', title: 'one' });
  await patch(other, 1, { body: 'beta' });
  expect(await find(store, 'body matches beta')).toEqual([1]);
  expect(await find(store, 'body matches alpha')).toEqual([]);
  expect(listIndexes().map(({ waiting }) => waiting)).toEqual([0, 0]);
});

test('what is written without its words is found all the same, until the next write adds them', async () => {
  const store = await open(searchable);
  await store.prepare();
  for (const n of [1, 2, 3]) await insert(store, n, { body: 'alpha' });
  runSql(`UPDATE assets SET document = json_set(document, '$.body', 'beta') WHERE id = '${idOf(1)}'`);
  runSql(`DELETE FROM assets WHERE id = '${idOf(3)}'`);
  for (let round = 0; round < 2; round++) {
    expect(await find(store, 'body matches alpha')).toEqual([2]);
    expect(await find(store, 'body matches "alpha beta"')).toEqual([1, 2]);
    expect(listIndexes().map(({ waiting }) => waiting)).toEqual(round === 0 ? [1, 2] : [0, 0]);
    await patch(store, 2, { other: 'unrelated' });
  }
});

test('serving builds in the background and goes on after a restart; unneeded indexes are removed', async () => {
  const before = await open(plain);
  const assets = Array.from({ length: 300 }, (_, n) => ({
    _id: idOf(n),
    _type: 'x.Note',
    body: `b${n % 3} `.repeat(16_000),
  }));
  await before.write(assets.map((asset) => ({ kind: 'insert', asset, version: 'v' })));
  const first = await open(searchable);
  await first.serve(served);
  await first.close();
  expect(listIndexes().some(({ isBuilt }) => !isBuilt)).toBe(true);
  const second = await open(searchable);
  expect(await second.findIncompleteIndexes()).toContainEqual(expect.objectContaining({ type: 'x.Note' }));
  await second.serve(served);
  await patch(second, 7, { body: 'b2' });
  expect(await find(second, 'body matches b2')).toHaveLength(101);
  await vi.waitUntil(() => listIndexes().every(({ isBuilt }) => isBuilt), { timeout: 60_000 });
  expect(await second.findIncompleteIndexes()).toEqual([]);
  expect(await find(second, 'body matches b2')).toHaveLength(101);
  await second.close();
  await before.serve(served);
  await vi.waitUntil(() => runSql('SELECT name FROM word_indexes').length === 0, {
    timeout: 60_000,
    interval: 50,
  });
  expect(runSql("SELECT name FROM sqlite_schema WHERE name LIKE 'words%'")).toEqual([]);
  await patch(before, 9, { body: 'b2' });
  expect(await find(before, 'body matches b2')).toHaveLength(102);
});

test('no file contains a word of an erased asset', async () => {
  const store = await open(searchable);
  await store.prepare();
  // Each word begins with another letter, because an index stores only the end of a word after one with the same beginning.
  const wordOf = (n: number) => `${String.fromCodePoint(0x4e00 + n)}secret${n}x`;
  for (let n = 0; n < 24; n++) await insert(store, n, { body: `<p>${wordOf(n)}</p>`, title: 'shared' });
  await store.prepare();
  for (let n = 0; n < 24; n += 7) await store.delete({ id: idOf(n), type: 'x.Note' });
  // The last asset's key is used again, so that the index would keep its words as those of another one.
  await store.delete({ id: idOf(23), type: 'x.Note' });
  await insert(store, 30, { title: 'shared', body: 'kept' });
  for (let n = 0; n < 24; n++) await store.changes.erase({ id: idOf(n), change: `e${n}` }, origin);
  expect(readFiles()).not.toMatch(/secret\d+x/);
  expect(await find(store, 'title matches shared')).toEqual([30]);
});

/** Lists the tables of an index with the number of their rows. */
const countRows = (name: string) =>
  ['data', 'docsize', 'recent', 'large'].map((table) =>
    Number((runSql(`SELECT count(*) AS n FROM ${name}_${table}`)[0] as { n: number }).n),
  );

const distinct = (count: number, prefix = '') =>
  Array.from({ length: count }, (_, n) => `${prefix}w${n}\u0436`).join(' ');

test('the words of a large text are divided between the writes, and found before, meanwhile and after', async () => {
  const store = await open(searchable);
  await store.prepare();
  const searches = async () => {
    expect(await find(store, 'body matches w29999\u0436')).toEqual([1]);
    expect(await find(store, 'body matches "w5\u0436 small"')).toEqual([1, 2]);
    expect(await find(store, 'body matchesAll "w5\u0436 w6\u0436 w29999\u0436"')).toEqual([1]);
    expect(await find(store, 'body matchesAll "w5\u0436 small"')).toEqual([]);
    expect(await find(store, 'body matches "w2999* none"')).toEqual([1]);
    expect(await find(store, 'body matchesAll "w2999* sma*"')).toEqual([]);
    expect(await find(store, `body matches "${distinct(20)}"`)).toEqual([1]);
    expect(await find(store, `body matchesAll "${distinct(20)} none"`)).toEqual([]);
  };
  await insert(store, 2, { body: 'small' });
  await insert(store, 1, { body: distinct(30_000) });
  await searches();
  const [{ name }] = runSql("SELECT name FROM word_indexes WHERE path LIKE '%body%'") as [{ name: string }];
  await store.prepare();
  expect(countRows(name)).toEqual([expect.any(Number), 1, 0, 257]);
  await searches();
  const { findings } = await check();
  expect(findings).toEqual([]);
  await patch(store, 1, { body: distinct(20_000, 'new') });
  expect(await find(store, 'body matches "w5\u0436 neww19999\u0436"')).toEqual([1]);
  await store.prepare();
  expect(await find(store, 'body matches "w5\u0436"')).toEqual([]);
  expect(await find(store, 'body matches "neww19999\u0436"')).toEqual([1]);
  await patch(store, 1, { body: 'small' });
  await store.prepare();
  expect(countRows(name)).toEqual([expect.any(Number), 2, 0, 0]);
  expect(await find(store, 'body matchesAll small')).toEqual([1, 2]);
  await patch(store, 2, { body: distinct(30_000) });
  await store.prepare();
  await store.delete({ id: idOf(2), type: 'x.Note' });
  await store.prepare();
  expect(countRows(name)).toEqual([expect.any(Number), 1, 0, 0]);
  // Few different words have a place in the index, however often they are repeated.
  await insert(store, 3, { body: 'one two '.repeat(30_000) });
  await store.prepare();
  expect(countRows(name)).toEqual([expect.any(Number), 2, 0, 0]);
  expect(await find(store, 'body matchesAll "two one"')).toEqual([3]);
  expect((await check()).findings).toEqual([]);
});

test('building an index divides large texts as writes do', async () => {
  const before = await open(plain);
  for (const n of [1, 2]) await insert(before, n, { body: distinct(30_000, `p${n}`), title: 'small' });
  const store = await open(searchable);
  await store.prepare();
  const [{ name }] = runSql("SELECT name FROM word_indexes WHERE path LIKE '%body%'") as [{ name: string }];
  expect(countRows(name)).toEqual([expect.any(Number), 0, 0, 514]);
  expect(await find(store, 'body matches p2w7\u0436 and title matches small')).toEqual([2]);
  expect((await check()).findings).toEqual([]);
});

test('words of other rules are made anew when the store is served, and nothing is called damaged before', async () => {
  const store = await open(searchable);
  await store.prepare();
  for (const n of [1, 2, 3]) await insert(store, n, { body: `${'\u0436\u0445'.repeat(40)}${n}`, title: 'a' });
  await store.prepare();
  await store.close();
  opened.pop();
  changeRules();
  expect((await check()).findings).toEqual([
    expect.objectContaining({ part: 'words', isFault: false }),
    expect.objectContaining({ part: 'words', isFault: false }),
  ]);
  const later = await open(searchable);
  const word = `body matches ${'\u0436\u0445'.repeat(40)}2`;
  expect(await find(later, word)).toEqual([2]);
  await later.serve(served);
  expect(await find(later, word)).toEqual([2]);
  await vi.waitUntil(() => listIndexes().every(({ isBuilt }) => isBuilt), { timeout: 60_000 });
  expect(await find(later, word)).toEqual([2]);
  expect(runSql('SELECT name FROM word_indexes WHERE rules = 1')).toEqual([]);
  expect(listIndexes()).toMatchObject([{ words: 3 }, { words: 3 }]);
  expect((await check()).findings).toEqual([]);
});

/** Turns the word indexes into those of a version with other rules, without words. */
function changeRules(): void {
  const database = new DatabaseSync(file);
  for (const { name } of database.prepare('SELECT name FROM word_indexes').all()) {
    const [from, to] = [String(name), `words_former${String(name).slice(-8)}`];
    const triggers = database
      .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND name LIKE ?")
      .all(`${from}%`);
    for (const trigger of triggers) database.exec(`DROP TRIGGER ${trigger.name}`);
    for (const end of ['', '_pending', '_recent', '_large'])
      database.exec(`ALTER TABLE ${from}${end} RENAME TO ${to}${end}`);
    for (const trigger of triggers) database.exec(String(trigger.sql).replaceAll(from, to));
    database.exec(`INSERT INTO ${to} (${to}) VALUES ('delete-all');
      UPDATE word_indexes SET name = '${to}', rules = 1 WHERE name = '${from}';
      UPDATE field_indexes SET name = '${to}' WHERE name = '${from}';`);
  }
  database.close();
}

async function check() {
  const findings = createFindings();
  const inspection = createSqliteInspection(file, searchable);
  await inspection.check(findings, () => {});
  await inspection.close();
  return { findings: findings.list() };
}
