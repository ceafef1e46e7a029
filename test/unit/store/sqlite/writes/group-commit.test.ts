import { join } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openConnection } from '../../../../../src/store/sqlite/connection.ts';
import { createStoredTypes } from '../../../../../src/store/sqlite/indexes/field-indexes.ts';
import { toStoreError } from '../../../../../src/store/sqlite/map-error.ts';
import { prepareSchema } from '../../../../../src/store/sqlite/schema.ts';
import {
  createGroupCommit,
  type GroupCommit,
  nowMs,
} from '../../../../../src/store/sqlite/writes/group-commit.ts';
import type { WriteRequest } from '../../../../../src/store/sqlite/writes/write-requests.ts';
import { temporaryFolder } from '../../../../support/opened.ts';

const type = 'x.Text';
let folder: string;
let file: string;
let database: DatabaseSync;
let write: GroupCommit;

beforeEach(() => {
  folder = temporaryFolder();
  file = join(folder, 'content.db');
  database = openConnection({ file, busyMs: 1 });
  const numbers = prepareSchema(database, { file, classes: [type] });
  const types = createStoredTypes([{ class: type, indexes: [] }], numbers);
  write = createGroupCommit(database, { types, waitMs: 20 });
});

afterEach(() => database.close());

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

test('the writes of an atomic sequence share one savepoint, each of which costs more the more pages have changed', () => {
  let savepoints = 0;
  const counted = new Proxy(database, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return (...given: unknown[]) => {
        const made: unknown = Reflect.apply(member, target, given);
        if (name !== 'prepare' || !String(given[0]).startsWith('SAVEPOINT')) return made;
        // What `prepare` makes.
        const statement = made as StatementSync;
        const run = () => {
          savepoints++;
          return statement.run();
        };
        return { run };
      };
    },
  });
  const types = createStoredTypes(
    [{ class: type, indexes: [] }],
    prepareSchema(database, { file, classes: [type] }),
  );
  const countedWrite = createGroupCommit(counted, { types });
  const writes = Array.from({ length: 100 }, (_, n) => insert(`asset-${n}`));
  const [outcome] = countedWrite([{ kind: 'sequence', writes, atomic: true, left: undefined }]);
  expect(outcome).toMatchObject({ status: 'fulfilled', value: { outcomes: writes.map(() => 'done') } });
  expect(savepoints).toBe(1);
});
