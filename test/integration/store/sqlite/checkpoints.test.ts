/**
 * Checkpoints on a separate thread: the WAL starts anew without a checkpoint at a commit, and stays bounded if searches always read
 * it or the thread fails.
 */
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openConnection, walPages } from '../../../../src/store/sqlite/connection.ts';
import {
  type BackgroundCheckpoints,
  createBackgroundCheckpoints,
} from '../../../../src/store/sqlite/threads/background-checkpoints.ts';
import { inTransaction } from '../../../../src/store/sqlite/writes/transaction.ts';
import { type StoreLocation, sqliteLocation } from '../../../support/stores.ts';

let location: StoreLocation;
let file: string;
let database: DatabaseSync;
let checkpoints: BackgroundCheckpoints;

beforeEach(() => {
  location = sqliteLocation();
  file = join(location.config.dataDir, 'test.db');
  database = openConnection({ file, busyMs: 1 });
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; CREATE TABLE pages (content BLOB)');
});

afterEach(() => {
  checkpoints.close();
  database.close();
});

/** Writes pages in transactions of a hundred, and returns the greatest length that the WAL had. */
function writePages(count: number): number {
  const insert = database.prepare('INSERT INTO pages VALUES (zeroblob(4000))');
  const lengths: number[] = [];
  for (let written = 0; written < count; written += 100) {
    database.exec('BEGIN');
    for (let n = 0; n < 100; n++) insert.run();
    database.exec('COMMIT');
    checkpoints.startIfDue();
    lengths.push(measureWal().log);
  }
  return Math.max(...lengths);
}

function measureWal(): { log: number; checkpointed: number } {
  const { log, checkpointed } = { ...database.prepare('PRAGMA wal_checkpoint(NOOP)').get() };
  return { log: Number(log), checkpointed: Number(checkpointed) };
}

it('starts the WAL anew, also when the writer has written during the checkpoint', async () => {
  checkpoints = createBackgroundCheckpoints(database, file);
  // This takes long enough for the thread to begin, and leaves pages that it has not seen.
  expect(writePages(2 * walPages)).toBeGreaterThan(walPages);
  await expect.poll(() => measureWal().log - measureWal().checkpointed).toBe(0);
  database.exec('DELETE FROM pages WHERE rowid = 1');
  expect(measureWal().log).toBeLessThan(100);
});

it('leaves a short WAL alone', async () => {
  checkpoints = createBackgroundCheckpoints(database, file);
  writePages(walPages / 2);
  expect(measureWal().checkpointed).toBe(0);
});

/** Reads without a pause until it is terminated: each read takes 20 ms, and the next one has begun before it ends. */
const overlappingReads = `
  const { workerData: file } = require('node:worker_threads');
  const { DatabaseSync } = require('node:sqlite');
  const wait = new Int32Array(new SharedArrayBuffer(4));
  const readers = [new DatabaseSync(file), new DatabaseSync(file)];
  for (let n = 0; ; n++) {
    const [next, last] = n % 2 === 0 ? readers : readers.toReversed();
    next.exec('BEGIN; SELECT count(*) FROM pages WHERE rowid < 10');
    Atomics.wait(wait, 0, 0, 10);
    if (n > 0) last.exec('COMMIT');
    Atomics.wait(wait, 0, 0, 10);
  }`;

it('starts the WAL anew between searches that always overlap', async () => {
  checkpoints = createBackgroundCheckpoints(database, file);
  const reader = new Worker(overlappingReads, { eval: true, workerData: file });
  try {
    let longest = 0;
    const insert = database.prepare('INSERT INTO pages VALUES (zeroblob(4000))');
    for (let log = 0; log >= longest && log < 25 * walPages; log = measureWal().log) {
      longest = log;
      inTransaction({ database }, () => {
        for (let n = 0; n < 100; n++) insert.run();
      });
      checkpoints.startIfDue();
      // The thread gets time to try, also on a busy machine.
      await setTimeout(5);
    }
    expect(measureWal().log).toBeLessThan(longest);
    expect(longest).toBeGreaterThan(walPages);
  } finally {
    await reader.terminate();
  }
});

it('leaves checkpoints to commits if its thread cannot open the file', async () => {
  checkpoints = createBackgroundCheckpoints(database, `${file}.missing`);
  const select = database.prepare('PRAGMA wal_autocheckpoint');
  const before = Number(select.get()?.wal_autocheckpoint);
  writePages(walPages + 100);
  await expect.poll(() => select.get()?.wal_autocheckpoint).toBe(walPages);
  expect(before).toBe(0);
  expect(writePages(3 * walPages)).toBeLessThan(2 * walPages);
});
