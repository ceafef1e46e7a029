import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openConnection } from '../../../../../src/store/sqlite/connection.ts';
import { inUnsyncedTransaction } from '../../../../../src/store/sqlite/writes/transaction.ts';
import { temporaryFolder } from '../../../../support/opened.ts';

const [normal, full] = [1, 2];

let folder: string;
let database: DatabaseSync;

beforeEach(() => {
  folder = temporaryFolder();
  database = openConnection({ file: join(folder, 'test.db'), busyMs: 1 });
  database.exec('PRAGMA journal_mode = WAL');
});
afterEach(() => database.close());

const synchronous = () => database.prepare('PRAGMA synchronous').get()?.synchronous;

it('waits for the disk again after a commit without', () => {
  expect(synchronous()).toBe(full);
  expect(inUnsyncedTransaction({ database }, synchronous)).toBe(normal);
  expect(synchronous()).toBe(full);
});

it('waits for the disk again after work that has failed', () => {
  const fail = () => {
    throw new Error('no space');
  };
  expect(() => inUnsyncedTransaction({ database }, fail)).toThrow('no space');
  expect(synchronous()).toBe(full);
});
