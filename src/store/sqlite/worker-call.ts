/**
 * The caller's side of calls to a worker thread; the thread's side is `worker-serve.ts`.
 *
 * No call hangs: when the thread dies, calls under way and all later ones are rejected with the reason.
 */
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { unpackError } from './packed-error.ts';
import type { CallMessage, OutcomeMessage } from './worker-serve.ts';

/** A running worker thread that answers calls. */
export interface CalledWorker<Request, Result, Ready> {
  /** What the thread told when it was ready. */
  readonly ready: Ready;
  call(request: Request): Promise<Result>;
  /** How many calls are under way. */
  pending(): number;
  /** Throws when the thread has ended. */
  assertRunning(): void;
  /** Lets the calls under way finish, then ends the thread; no call may follow. */
  stop(): Promise<void>;
}

interface Waiting {
  resolve(value: unknown): void;
  reject(reason: unknown): void;
}

/**
 * Starts the thread of `./<entry>` with `data`, and resolves when its service is ready.
 *
 * Errors: what the service threw at its start.
 */
export async function startWorker<Request, Result, Ready>(
  entry: 'reader' | 'writer',
  data: unknown,
): Promise<CalledWorker<Request, Result, Ready>> {
  // The entry is TypeScript or JavaScript as this file is.
  const file = new URL(`./${entry}${extname(import.meta.url)}`, import.meta.url);
  const worker = new Worker(file, { workerData: data });
  const waiting = new Map<number, Waiting>();
  let end: unknown;
  let calls = 0;
  const expect = (number: number) =>
    new Promise<unknown>((resolve, reject) => waiting.set(number, { resolve, reject }));
  const fail = (reason: unknown) => {
    end ??= reason;
    for (const { reject } of waiting.values()) reject(end);
    waiting.clear();
  };
  const exited = new Promise<void>((resolve) => {
    worker.once('exit', (code) => {
      fail(new Error(`The ${entry} thread has ended with exit code ${code}`));
      resolve();
    });
  });
  worker.on('error', fail);
  worker.on('message', (outcomes: OutcomeMessage[]) => {
    for (const outcome of outcomes) {
      const call = waiting.get(outcome.number);
      waiting.delete(outcome.number);
      if ('error' in outcome) call?.reject(unpackError(outcome.error));
      else call?.resolve(outcome.value);
    }
  });
  const post = (message: CallMessage<Request>) => worker.postMessage(message);
  const assertRunning = () => {
    if (end !== undefined) throw end;
  };
  // What a thread answers is of the types its entry declares: here alone they are taken on trust.
  const ready = (await expect(0)) as Ready;
  return {
    ready,
    assertRunning,
    pending: () => waiting.size,
    async call(request) {
      assertRunning();
      calls++;
      const answer = expect(calls);
      post({ number: calls, request });
      return (await answer) as Result;
    },
    async stop() {
      if (end === undefined) post('stop');
      await exited;
    },
  };
}
