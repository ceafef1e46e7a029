import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openConnection } from '../../../../../src/store/sqlite/connection.ts';
import { createStoredTypes } from '../../../../../src/store/sqlite/indexes/stored-types.ts';
import { toStoreError } from '../../../../../src/store/sqlite/map-error.ts';
import { prepareSchema } from '../../../../../src/store/sqlite/schema.ts';
import {
  createGroupCommit,
  type GroupCommit,
  nowMs,
} from '../../../../../src/store/sqlite/writes/group-commit.ts';
import { keepSavepointsInMemory } from '../../../../../src/store/sqlite/writes/transaction.ts';
import type { WriteRequest } from '../../../../../src/store/sqlite/writes/write-requests.ts';

const type = 'x.Text';
let folder: string;
let file: string;
let database: DatabaseSync;
let write: GroupCommit;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'colophon-batch-'));
  file = join(folder, 'content.db');
  database = openConnection({ file, busyMs: 1 });
  const numbers = prepareSchema(database, { file, classes: [type] });
  const types = createStoredTypes([{ class: type, indexes: [] }], numbers);
  write = createGroupCommit(database, { types, waitMs: 20 });
});

afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true });
});

const insert = (id: string, text = ''): WriteRequest => ({
  kind: 'insert',
  type,
  id,
  version: 'v',
  document: JSON.stringify({ _id: id, _type: type, text }),
  fields: '["text"]',
});

const codesOf = (results: PromiseSettledResult<unknown>[]) =>
  results.map((result) =>
    result.status === 'rejected' ? toStoreError('insert', result.reason).code : 'done',
  );

const storedIds = () =>
  database
    .prepare('SELECT id FROM assets ORDER BY id')
    .all()
    .map(({ id }) => id);

test('a conflict fails its own write alone', () => {
  expect(codesOf(write([insert('a'), insert('b'), insert('a'), insert('c')]))).toEqual([
    'done',
    'done',
    'id_in_use',
    'done',
  ]);
  expect(storedIds()).toEqual(['a', 'b', 'c']);
  expect(database.prepare('SELECT total, revision FROM types').get()).toEqual({ total: 3, revision: 3 });
});

test('while another process holds the write lock, all writes of the batch are refused as busy', () => {
  const other = openConnection({ file, busyMs: 0 });
  other.exec('BEGIN IMMEDIATE');
  expect(codesOf(write([insert('a'), insert('b')]))).toEqual(['store_busy', 'store_busy']);
  other.exec('ROLLBACK');
  other.close();
  expect(codesOf(write([insert('a')]))).toEqual(['done']);
});

test('when the disk is full, all writes of the batch fail and none is stored', () => {
  const { page_count: pages } = database.prepare('PRAGMA page_count').get() ?? {};
  database.exec(`PRAGMA max_page_count = ${Number(pages) + 20}`);
  const batch = [insert('a'), insert('b'), insert('large', 'x'.repeat(500_000)), insert('c')];
  expect(codesOf(write(batch))).toEqual(Array(4).fill('store_full'));
  expect(storedIds()).toEqual([]);
  expect(codesOf(write([insert('a')]))).toEqual(['done']);
  expect(storedIds()).toEqual(['a']);
});

test('each request waits for other processes as long as it may by itself', () => {
  const other = openConnection({ file, busyMs: 1 });
  other.exec('BEGIN IMMEDIATE');
  const startMs = nowMs();
  const late = { ...insert('late'), waitUntilMs: startMs - 1_000 };
  const patient = { ...insert('patient'), waitUntilMs: startMs + 200 };
  const results = write([late, patient, insert('usual')]);
  expect(nowMs() - startMs).toBeGreaterThanOrEqual(200);
  expect(codesOf(results)).toEqual(['store_busy', 'store_busy', 'store_busy']);
  other.exec('ROLLBACK');
  expect(codesOf(write([{ ...insert('late'), waitUntilMs: startMs - 1_000 }, insert('usual')]))).toEqual([
    'done',
    'done',
  ]);
  other.close();
});

test('an atomic sequence takes about as long as its writes alone, also when it changes many pages', () => {
  keepSavepointsInMemory(database);
  // Each document fills a page.
  const ids = Array.from({ length: 2_000 }, (_, n) => `asset-${n}`);
  const sequence = (writes: readonly WriteRequest[], atomic: boolean) =>
    write([{ kind: 'sequence', writes, atomic, left: undefined }]);
  sequence(
    ids.map((id) => insert(id, 'x'.repeat(3_000))),
    false,
  );
  /** The work of the process: a wait would vary on a busy machine. */
  const update = (atomic: boolean) => {
    const before = process.cpuUsage();
    const writes = ['a', 'b'].flatMap((letter) => {
      const changes = JSON.stringify({ set: { text: letter.repeat(3_000) }, unset: [] });
      return ids.map((id) => ({ kind: 'patch', type, id, version: letter, changes }) as const);
    });
    sequence(writes, atomic);
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  const [each, all] = [update(false), update(true)];
  expect(all).toBeLessThan(each * 2.5);
});
