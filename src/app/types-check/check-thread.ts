/**
 * Checks a change of content types on another thread, because loading and comparing large types and their documents takes seconds. The thread
 * exists for one check. It reads stored assets through this one, which has the store open.
 */
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { CheckOutcome } from '../../mapping/types-check/types-report.ts';
import type { AssetCalls, StoredText } from '../../store/port.ts';
import type { CheckData, CheckMessage, FoundTexts } from './check-entry.ts';

/** Runs a check until the signal, which ends the thread. Errors: those of `find`, and the reason of the signal. */
export async function checkOnThread(
  data: CheckData,
  { find, signal }: Pick<AssetCalls<StoredText>, 'find'> & { signal: AbortSignal },
): Promise<CheckOutcome> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<CheckOutcome>();
  const worker = new Worker(entry, { workerData: data });
  const answer = (found: FoundTexts) => worker.postMessage(found);
  worker.on('message', (message: CheckMessage) => {
    if ('outcome' in message) resolve(message.outcome);
    else find(message.find).then(answer, reject);
  });
  worker.once('error', reject);
  worker.once('exit', (code) => reject(new Error(`The thread has ended with exit code ${code}`)));
  const onAbort = () => reject(signal.reason);
  signal.addEventListener('abort', onAbort);
  try {
    return await promise;
  } finally {
    signal.removeEventListener('abort', onAbort);
    await worker.terminate();
  }
}

const entry = new URL(`./check-entry${extname(import.meta.url)}`, import.meta.url);
