/**
 * The entry of the thread that makes checkpoints for the writer thread: replies to each message when the checkpoint is done.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { openConnection } from '../connection.ts';

/** A message to the thread. */
export type CheckpointMessage = 'checkpoint' | 'end';

const port = parentPort;
if (port === null) throw new Error('This module is the entry of a worker thread');
const database = openConnection({ file: workerData, busyMs: 0, mustExist: true });
// A passive checkpoint copies what it can without waiting for readers or writers.
const checkpoint = database.prepare('PRAGMA wal_checkpoint(PASSIVE)');

port.on('message', (message: CheckpointMessage) => {
  if (message === 'checkpoint') {
    checkpoint.run();
    port.postMessage('done');
  } else {
    database.close();
    port.close();
  }
});
