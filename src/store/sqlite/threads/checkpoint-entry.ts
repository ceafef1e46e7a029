/**
 * The entry of the thread that makes checkpoints for the writer thread: replies to each message when the checkpoint is done.
 *
 * A passive checkpoint copies what it can without waiting for readers or writers. SQLite starts the WAL anew only at a moment when
 * all of it has been copied and no search still reads it. With searches that always overlap such a moment never comes, and a WAL
 * that grows makes every read slower. So the thread waits for one when the WAL is long: writers wait with it, searches that start
 * meanwhile read the file alone.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { openConnection, walPages } from '../connection.ts';

export type CheckpointMessage = 'checkpoint' | 'end';

/** From how many pages on the thread waits: 64 MB. */
const longWalPages = 4 * walPages;
/** How long it waits when the WAL has so many pages; in proportion when there are more, because a longer WAL costs more. */
const waitMs = 20;
const longestWaitMs = 1_000;

const port = parentPort;
if (port === null) throw new Error('This module is the entry of a worker thread');
const database = openConnection({ file: workerData, busyMs: 0, mustExist: true });
const copy = database.prepare('PRAGMA wal_checkpoint(PASSIVE)');
const restart = database.prepare('PRAGMA wal_checkpoint(RESTART)');

function createCheckpoint(): () => void {
  // From how many pages on it waits. The number rises with each failure, so that writers seldom wait.
  let restartPages = longWalPages;
  return () => {
    const pages = Number(copy.get()?.log);
    if (pages < longWalPages) restartPages = longWalPages;
    if (pages < restartPages) return;
    const limitMs = Math.min(longestWaitMs, Math.ceil((waitMs * pages) / longWalPages));
    database.exec(`PRAGMA busy_timeout = ${limitMs}`);
    restartPages = restart.get()?.busy === 0 ? longWalPages : pages + walPages;
    database.exec('PRAGMA busy_timeout = 0');
  };
}

const checkpoint = createCheckpoint();

port.on('message', (message: CheckpointMessage) => {
  if (message === 'checkpoint') {
    try {
      checkpoint();
    } catch {
      // The disk may be full. The WAL keeps what could not be copied, until a later checkpoint.
    }
    port.postMessage('done');
  } else {
    database.close();
    port.close();
  }
});
