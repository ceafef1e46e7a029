/**
 * The caller's side of calls to a worker thread; the thread's side is `worker-serve.ts`.
 *
 * No call hangs: when the thread ends, calls under way and all later ones are rejected with the reason.
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

/**
 * Starts the thread of `./<entry>` with `data`, and resolves when its service is ready.
 *
 * Errors: what the service threw at its start.
 */
export async function startWorker<Request, Result, Ready>(
  entry: 'reader' | 'writer',
  data: unknown,
): Promise<CalledWorker<Request, Result, Ready>> {
  // The entry is TypeScript or JavaScript, as this file is.
  const file = new URL(`./${entry}${extname(import.meta.url)}`, import.meta.url);
  const worker = new Worker(file, { workerData: data });
  const answers = createAnswers();
  const post = (message: CallMessage<Request>) => worker.postMessage(message);
  const exited = new Promise<void>((resolve) => {
    worker.once('exit', (code) => {
      answers.end(new Error(`The ${entry} thread has ended with exit code ${code}`));
      resolve();
    });
  });
  worker.on('error', answers.end);
  worker.on('message', (outcomes: OutcomeMessage[]) => outcomes.forEach(answers.settle));
  // What comes from a thread has the types its entry declares: here alone that is taken on trust.
  const ready = (await answers.expect().answer) as Ready;
  return {
    ready,
    pending: answers.size,
    assertRunning: answers.assertOpen,
    async call(request) {
      const { number, answer } = answers.expect();
      post({ number, request });
      return (await answer) as Result;
    },
    async stop() {
      post('stop');
      await exited;
    },
  };
}

/** The answers that are waited for, numbered from 0 as they are expected. */
function createAnswers() {
  const waiting = new Map<number, { resolve(value: unknown): void; reject(reason: unknown): void }>();
  let expected = 0;
  let reason: unknown;
  const assertOpen = () => {
    if (reason !== undefined) throw reason;
  };
  return {
    size: () => waiting.size,
    assertOpen,
    expect() {
      assertOpen();
      const number = expected++;
      const answer = new Promise<unknown>((resolve, reject) => waiting.set(number, { resolve, reject }));
      return { number, answer };
    },
    settle(outcome: OutcomeMessage) {
      const answer = waiting.get(outcome.number);
      waiting.delete(outcome.number);
      if ('error' in outcome) answer?.reject(unpackError(outcome.error));
      else answer?.resolve(outcome.value);
    },
    /** Rejects what is waited for now and later; the first reason holds. */
    end(why: unknown) {
      reason ??= why;
      for (const answer of waiting.values()) answer.reject(reason);
      waiting.clear();
    },
  };
}
