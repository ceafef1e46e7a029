/** Words are merged outside of writes, in steps whose pages are bounded, whatever a write has brought. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openConnection } from '../../../../../src/store/sqlite/connection.ts';
import { createStoredTypes } from '../../../../../src/store/sqlite/indexes/field-indexes.ts';
import { prepareSchema } from '../../../../../src/store/sqlite/schema.ts';
import { createServing } from '../../../../../src/store/sqlite/serving-processes.ts';
import { toTypesToStore } from '../../../../../src/store/sqlite/threads/store-threads.ts';
import { setBuilt } from '../../../../../src/store/sqlite/words/large-words.ts';
import { createWordWriter, type WordWriter } from '../../../../../src/store/sqlite/words/word-writer.ts';
import { createGroupCommit } from '../../../../../src/store/sqlite/writes/group-commit.ts';
import { inTransaction } from '../../../../../src/store/sqlite/writes/transaction.ts';
import { toRequest } from '../../../../../src/store/sqlite/writes/write-requests.ts';
import { temporaryFolder } from '../../../../support/opened.ts';
import { catalogOf } from '../../../../support/types.ts';

const type = 'x.Note';
const catalog = catalogOf(`type Note @contentType(class: "${type}") { body: String @searchable }`);
const pageBytes = 4_096;

let folder: string;
let file: string;
let database: DatabaseSync;
let words: WordWriter;
let insert: (bodies: readonly string[]) => void;
let name: string;

beforeEach(() => {
  folder = temporaryFolder();
  file = join(folder, 'content.db');
  const types = toTypesToStore(catalog);
  const classes = types.map((type) => type.class);
  const open = () => {
    const connection = openConnection({ file, busyMs: 1 });
    // Nothing is copied from the WAL, so its length tells what was written.
    connection.exec('PRAGMA wal_autocheckpoint = 0');
    return connection;
  };
  database = open();
  const stored = createStoredTypes(types, prepareSchema(database, { file, classes }));
  createServing(database, stored).run({ kind: 'prepare' });
  name = String(database.prepare('SELECT name FROM word_indexes').get()?.name);
  setBuilt(database, name, null);
  words = createWordWriter(database);
  const write = createGroupCommit(database, { types: stored, words });
  let count = 0;
  insert = (bodies) => {
    const requests = bodies.map((body) => {
      const _id = `0190a0c0-0000-7000-8000-${String(count++).padStart(12, '0')}`;
      return toRequest({ kind: 'insert', asset: { _id, _type: type, body }, version: `v${count}` });
    });
    for (const result of write(requests)) expect(result.status).toBe('fulfilled');
  };
});
afterEach(() => database.close());

let made = 0;
const distinct = (count: number) =>
  Array.from({ length: count }, () => `${((made++ * 7_919) % 1_000_003).toString(36)}x${made}`).join(' ');

const step = () => inTransaction({ database }, () => words.mergeStep({ all: true }));
const readSegments = () => database.prepare(`SELECT id, block FROM ${name}_data`).all();
const count = (table: string) => Number(database.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n);

/** Merges all words, and returns how many pages each step has written. */
function merge(): number[] {
  const pages: number[] = [];
  for (let isMore = true; isMore; ) {
    const before = statSync(`${file}-wal`).size;
    isMore = step();
    pages.push((statSync(`${file}-wal`).size - before) / pageBytes);
  }
  return pages;
}

test.each([
  ['one text of very many words', () => [distinct(80_000)]],
  ['many texts at once', () => Array.from({ length: 300 }, () => distinct(300))],
])('a write of %s adds nothing to the index', (_, texts) => {
  insert(['first']);
  merge();
  const before = readSegments();
  const bodies = texts();
  insert(bodies);
  expect(readSegments()).toEqual(before);
  expect(count(`${name}_recent`)).toBe(bodies.length);
  expect(words.isDue()).toBe(true);
  merge();
  expect(count(`${name}_recent`)).toBe(0);
  expect(words.isDue()).toBe(false);
});

test('each step writes a bounded number of pages, for one text and for many', () => {
  insert([distinct(120_000)]);
  const large = merge();
  expect(large.length).toBeGreaterThan(20);
  expect(count(`${name}_large`)).toBe(257);
  const many: number[] = [];
  for (let round = 0; round < 20; round++) {
    insert(Array.from({ length: 100 }, () => distinct(150)));
    many.push(...merge());
  }
  expect(Math.max(...large)).toBeLessThan(350);
  expect(Math.max(...many)).toBeLessThan(150);
  // The segments were merged, as far as they may be: a few of each level are left.
  const segments = database.prepare(`SELECT count(DISTINCT segid) AS n FROM ${name}_idx`).get()?.n;
  expect(Number(segments)).toBeLessThan(12);
});

test('a large text that changes while it is divided is divided again; steps that are undone are repeated', () => {
  insert([distinct(60_000)]);
  for (let n = 0; n < 5; n++) expect(step()).toBe(true);
  const latest = ` ${distinct(60_000)} `;
  database.prepare(`UPDATE ${name}_recent SET words = ?`).run(latest);
  let round = 0;
  for (let isMore = true; isMore; round++) {
    const undo = new Error('undone');
    try {
      isMore = inTransaction({ database }, () => {
        const hasMore = words.mergeStep({ all: true });
        if (round % 2 === 0) throw undo;
        return hasMore;
      });
    } catch (error) {
      if (error !== undo) throw error;
    }
  }
  const parts = database.prepare(`SELECT words FROM ${name}_large WHERE part > 0`).all();
  const stored = parts.flatMap((row) => String(row.words).trim().split(' '));
  expect(stored.toSorted()).toEqual(latest.trim().split(' ').toSorted());
});
