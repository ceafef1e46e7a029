/** Erasing on SQLite: afterwards no byte of the database file, its WAL or any other file contains a former value. */
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { silentLogger } from '../../../../src/base/runtime.ts';
import type { ContentStore } from '../../../../src/store/port.ts';
import { createSqliteStore } from '../../../../src/store/sqlite/sqlite-store.ts';
import { temporaryFolder } from '../../../support/opened.ts';
import { catalogOf } from '../../../support/types.ts';

const catalog = catalogOf(`
  type Note @contentType(class: "x.Note") {
    title: String @indexed
    slug: String @indexed(unique: true)
    tags: [String!] @indexed
    text: String
    place: Place
  }
  type Place { city: String @indexed }`);
const origin = { by: { kind: 'command' }, atMs: 1_000 } as const;

let folder: string;
let file: string;
let store: ContentStore;

beforeEach(async () => {
  folder = temporaryFolder();
  file = join(folder, 'content.db');
  store = await createSqliteStore({ file, catalog, logger: silentLogger });
  await store.prepare();
});
afterEach(() => store.close());

const idOf = (n: number) => `0190a0c0-0000-7000-8000-${String(n).padStart(12, '0')}`;

/** The fields of the `n`th asset in its `k`th state; each value has a word of the asset. */
const fieldsOf = (n: number, k: number, length: number) => ({
  title: `word-${n}-title ${k}`,
  slug: `word-${n}-slug ${k} ${'s'.repeat(length % 300)}`,
  tags: [`word-${n}-tag ${k}`, 'shared', `word-${n}-tag ${k % 3}${'t'.repeat(length % 100)}`],
  text: `word-${n}-text `.repeat(Math.ceil(length / 12)),
  place: { city: `word-${n}-city ${k}` },
});
const insert = (n: number, length: number) =>
  store.insert({ asset: { _id: idOf(n), _type: 'x.Note', ...fieldsOf(n, 0, length) }, version: 'v' });
const patch = (n: number, set: ReturnType<typeof fieldsOf>) =>
  store.patch({ id: idOf(n), type: 'x.Note', set, unset: [], version: 'w' });
const erase = (n: number) => store.changes.erase({ id: idOf(n), change: `e-${n}` }, origin);

/** Lists the numbers of the assets that have a word in a file. */
function findWords(): Set<number> {
  // Another process reads, because closing a file ends the locks that SQLite has on it in this one.
  const text = execFileSync('cat', readdirSync(folder), { cwd: folder, encoding: 'latin1', maxBuffer: 1e9 });
  return new Set([...text.matchAll(/word-(\d+)-/g)].map(([, n]) => Number(n)));
}

test('no file contains a value of an erased asset, however often it was moved before', async () => {
  const assets = 300;
  // Lengths from a few bytes to several pages, so that rows move between pages and pages are divided and joined.
  const lengthOf = (n: number, k: number) => ((n * 7_919 + k * 104_729) % 97) ** 2 * (n % 10 === 0 ? 4 : 0.3);
  const numbers = Array.from({ length: assets }, (_, n) => n);
  await Promise.all(numbers.map((n) => insert(n, lengthOf(n, 0))));
  for (let k = 1; k <= 6; k++) {
    await Promise.all(
      numbers.filter((n) => n % k === 0).map((n) => patch(n, fieldsOf(n, k, lengthOf(n, k)))),
    );
    const removed = numbers.filter((n) => n % 11 === k);
    await Promise.all(removed.map((n) => store.delete({ id: idOf(n), type: 'x.Note' })));
    if (k % 2 === 0) await Promise.all(removed.map((n) => insert(n, lengthOf(n, k))));
  }
  expect(findWords().size).toBe(assets);
  const erased = numbers.filter((n) => n % 4 === 1);
  expect(new Set(await Promise.all(erased.map(erase)))).toEqual(new Set([true]));
  const found = findWords();
  expect(erased.filter((n) => found.has(n))).toEqual([]);
  expect(found.size).toBe(assets - erased.length);
});

test('while another process reads a former value, erasing is refused as busy; asked again it completes', async () => {
  await insert(1, 20_000);
  await insert(2, 100);
  const reader = new DatabaseSync(file);
  reader.exec('BEGIN');
  reader.prepare('SELECT count(*) FROM assets').get();
  await expect(erase(1)).rejects.toMatchObject({ code: 'store_busy' });
  expect(await store.get(idOf(1))).toBeUndefined();
  reader.exec('COMMIT');
  reader.close();
  expect(await erase(1)).toBe(true);
  expect(findWords()).toEqual(new Set([2]));
});

test('a deletion that erases leaves copies in the file, which a purge removes', async () => {
  for (let n = 1; n <= 3; n++) await insert(n, 5_000);
  await patch(1, fieldsOf(1, 1, 9_000));
  const deletion = { id: idOf(1), type: 'x.Note', erase: true } as const;
  expect(await store.delete(deletion, origin)).toBe(true);
  expect(findWords()).toEqual(new Set([1, 2, 3]));
  await store.changes.purge();
  expect(findWords()).toEqual(new Set([2, 3]));
});
