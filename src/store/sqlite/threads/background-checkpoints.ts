/**
 * Copies the WAL to the database file on another thread, so that writes do not wait for it.
 *
 * SQLite starts the WAL anew only when all of it has been copied, and nothing is written or read from it meanwhile. So the writer
 * copies what was written during a background checkpoint itself, and the thread waits for such a moment when the WAL is long. If the
 * thread fails, SQLite makes a checkpoint at the end of commits. The thread starts with the first checkpoint, because most processes
 * write little.
 */
import { extname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { walPages } from '../connection.ts';
import type { CheckpointMessage } from './checkpoint-entry.ts';

/** The checkpoints of the writer's connection. */
export interface BackgroundCheckpoints {
  /** Starts a checkpoint if the WAL is long enough; called after each commit. */
  startIfDue(): void;
  /** Ends the thread. */
  close(): void;
}

/** Creates them for the writer's connection; with an older SQLite, commits make the checkpoints. */
export function createBackgroundCheckpoints(database: DatabaseSync, file: string): BackgroundCheckpoints {
  if (!canMeasure()) return { startIfDue() {}, close() {} };
  database.exec('PRAGMA wal_autocheckpoint = 0');
  const measure = database.prepare('PRAGMA wal_checkpoint(NOOP)');
  let isRunning = false;
  let thread: Worker | undefined;

  function start(): Worker {
    const worker = new Worker(entry, { workerData: file });
    worker.on('message', () => {
      isRunning = false;
      attempt('PRAGMA wal_checkpoint(PASSIVE)');
    });
    // It stays marked as running, so that no other is started: commits make the checkpoints.
    worker.on('error', () => attempt(`PRAGMA wal_autocheckpoint = ${walPages}`));
    return worker;
  }

  const send = (message: CheckpointMessage) => thread?.postMessage(message);

  function attempt(sql: string): void {
    try {
      database.exec(sql);
    } catch {
      // The disk may be full, or the database closed. The WAL keeps what could not be copied, until a later checkpoint.
    }
  }

  return {
    startIfDue() {
      if (isRunning) return;
      const { log, checkpointed } = { log: 0, checkpointed: 0, ...measure.get() };
      if (log - checkpointed < walPages) return;
      isRunning = true;
      thread ??= start();
      send('checkpoint');
    },
    close: () => send('end'),
  };
}

const entry = new URL(`./checkpoint-entry${extname(import.meta.url)}`, import.meta.url);

/** `wal_checkpoint(NOOP)`, which tells the length of the WAL, came with SQLite 3.51. Before, it made a checkpoint. */
function canMeasure(): boolean {
  const [major = 0, minor = 0] = process.versions.sqlite?.split('.').map(Number) ?? [];
  return major > 3 || (major === 3 && minor >= 51);
}
