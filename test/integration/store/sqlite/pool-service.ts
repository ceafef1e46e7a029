/**
 * Entry of a worker thread that the pool tests can make fail in many ways.
 */
import { threadId } from 'node:worker_threads';
import { serveCalls } from '../../../../src/store/sqlite/threads/worker-calls.ts';

/** The argument of a call. `seen` counts started calls, in memory shared with the test. */
export interface Asked {
  readonly work: 'echo' | 'exit' | 'exit once' | 'exhaust' | 'run on';
  readonly seen?: Int32Array;
}

serveCalls<Asked, undefined>({
  start: ({ isStopped }) => ({
    ready: true,
    limits: { calls: 1, bytes: 0 },
    run: ([asked]) => {
      const before = asked?.seen ? Atomics.add(asked.seen, 0, 1) : 0;
      switch (asked?.work) {
        case 'exit':
          return process.exit(3);
        case 'exit once':
          if (before === 0) return process.exit(3);
          break;
        case 'exhaust': {
          const kept: string[][] = [];
          for (;;) kept.push(Array.from({ length: 10_000 }, (_, n) => `text ${n} ${kept.length}`));
        }
        case 'run on':
          while (!isStopped()) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
          return [{ status: 'rejected', reason: new Error('The call is stopped') }];
      }
      return [{ status: 'fulfilled', value: threadId }];
    },
    close() {},
  }),
});
