import { afterEach, expect, test } from 'vitest';
import { silentLogger } from '../../../../../src/base/runtime.ts';
import {
  createWorkerPool,
  type PoolPlan,
  startWorkerPool,
  type WorkerPool,
} from '../../../../../src/store/sqlite/threads/worker-pool.ts';
import type { Asked } from '../pool-service.ts';

const opened: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  for (const pool of opened.splice(0)) await pool.stop();
});

const lines: { level: string; facts: object; message: string }[] = [];
const logger = {
  ...silentLogger,
  info: (facts: object, message: string) => lines.push({ level: 'info', facts, message }),
  error: (facts: object, message: string) => lines.push({ level: 'error', facts, message }),
};

const toPlan = (plan: Partial<PoolPlan>): PoolPlan => ({
  entry: new URL('../pool-service.ts', import.meta.url),
  data: () => undefined,
  threads: 2,
  maxCalls: 16,
  resourceLimits: { maxOldGenerationSizeMb: 32 },
  whenLost: 'run again',
  ...plan,
});

async function open(plan: Partial<PoolPlan> = {}): Promise<WorkerPool<Asked, number>> {
  lines.length = 0;
  const pool = await startWorkerPool<Asked, number, true>(toPlan(plan), logger);
  opened.push(pool);
  return pool;
}

/** Opens a pool that starts its threads when calls need them, and counts the starts. */
function openIdle(plan: Partial<PoolPlan> = {}) {
  lines.length = 0;
  let starts = 0;
  const data = () => {
    starts++;
    return plan.data?.();
  };
  const pool = createWorkerPool<Asked, number>(toPlan({ ...plan, data }), logger);
  opened.push(pool);
  return { pool, starts: () => starts };
}

const counter = () => new Int32Array(new SharedArrayBuffer(4));
const echo: Asked = { work: 'echo' };
const until = async (isSo: () => boolean) => {
  for (let tries = 0; !isSo(); tries++) {
    if (tries > 1_000) expect.fail('it never came to be');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
};

test('a thread that ends is replaced, its call is run again, and waiting calls are unaffected', async () => {
  const pool = await open({ threads: 1 });
  const seen = counter();
  const responses = [
    pool.call({ work: 'exit once', seen }),
    ...Array.from({ length: 40 }, () => pool.call(echo)),
  ];
  expect(new Set(await Promise.all(responses)).size).toBe(1);
  expect(seen[0]).toBe(2);
  expect(lines).toEqual([
    {
      level: 'error',
      message: 'A thread of the store has ended',
      facts: expect.objectContaining({ begun: 1 }),
    },
    expect.objectContaining({ level: 'info', message: 'A thread of the store has restarted' }),
  ]);
});

test('a call that exhausts the memory of two threads is refused, and others are executed', async () => {
  const pool = await open();
  const seen = counter();
  const deadly = pool.call({ work: 'exhaust', seen });
  const others = Array.from({ length: 20 }, () => pool.call(echo));
  await expect(deadly).rejects.toMatchObject({ code: 'query_too_costly' });
  expect(await Promise.all(others)).toHaveLength(20);
  expect(seen[0]).toBe(2);
  expect(await pool.call(echo)).toBeGreaterThan(0);
});

test('a call that ends two threads for another reason fails', async () => {
  const pool = await open();
  await expect(pool.call({ work: 'exit' })).rejects.toMatchObject({ code: 'store_failure' });
  expect(await pool.call(echo)).toBeGreaterThan(0);
});

test('a call that must not be repeated has an unknown outcome, and later calls are executed', async () => {
  const pool = await open({ threads: 1, whenLost: 'outcome unknown' });
  const seen = counter();
  const lost = pool.call({ work: 'exit', seen });
  const behind = pool.call(echo);
  await expect(lost).rejects.toMatchObject({ code: 'store_busy' });
  expect(await behind).toBeGreaterThan(0);
  expect(seen[0]).toBe(1);
});

test('an aborted call is stopped if it runs, and never started if it waits', async () => {
  const pool = await open({ threads: 1, maxCalls: 2 });
  const [seen, waiting] = [counter(), counter()];
  const leaving = [new AbortController(), new AbortController(), new AbortController()] as const;
  const running = pool.call({ work: 'run on', seen }, { signal: leaving[0].signal });
  const sent = pool.call({ work: 'echo', seen: waiting }, { signal: leaving[1].signal });
  const queued = pool.call({ work: 'echo', seen: waiting }, { signal: leaving[2].signal });
  const other = pool.call(echo);
  await until(() => seen[0] === 1);
  const ended = Promise.allSettled([running, sent, queued]);
  for (const each of leaving.toReversed()) each.abort();
  for (const [index, result] of (await ended).entries()) {
    expect(result).toEqual({ status: 'rejected', reason: leaving[index]?.signal.reason });
  }
  expect(await other).toBeGreaterThan(0);
  expect(waiting[0]).toBe(0);
  await expect(pool.call(echo, { signal: leaving[0].signal })).rejects.toBe(leaving[0].signal.reason);
});

test('no call waits behind a long one while another thread is idle', async () => {
  const pool = await open({ maxCalls: 1 });
  const [seen, leaving] = [counter(), new AbortController()];
  const long = pool.call({ work: 'run on', seen }, { signal: leaving.signal });
  await until(() => seen[0] === 1);
  expect(new Set(await Promise.all(Array.from({ length: 50 }, () => pool.call(echo)))).size).toBe(1);
  leaving.abort();
  await expect(long).rejects.toBe(leaving.signal.reason);
});

test('a client that holds all threads gives one up for another client, and its call runs again', async () => {
  const pool = await open({ maxCalls: 1 });
  const [first, second, leaving] = [counter(), counter(), new AbortController()];
  const options = { client: 'a', signal: leaving.signal };
  const long = [first, second].map((seen) => pool.call({ work: 'run on', seen }, options));
  const ended = Promise.allSettled(long);
  await until(() => first[0] === 1 && second[0] === 1);
  expect(await pool.call(echo, { client: 'b' })).toBeGreaterThan(0);
  await until(() => second[0] === 2);
  expect(first[0]).toBe(1);
  leaving.abort();
  expect((await ended).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});

test('a client with too many waiting calls is refused', async () => {
  const pool = await open({ threads: 1, maxCalls: 1, maxWaiting: 1 });
  const [seen, leaving] = [counter(), new AbortController()];
  const options = { client: 'a', signal: leaving.signal };
  const ended = Promise.allSettled([pool.call({ work: 'run on', seen }, options), pool.call(echo, options)]);
  await expect(pool.call(echo, options)).rejects.toMatchObject({ code: 'store_busy' });
  leaving.abort();
  await ended;
  expect(await pool.call(echo, { client: 'a' })).toBeGreaterThan(0);
});

test('starting a thread is retried with growing delays, and calls fail immediately', async () => {
  let isBroken = false;
  let starts = 0;
  const data = () => {
    starts++;
    if (isBroken) throw new Error('the disk is gone');
  };
  const pool = await open({ threads: 1, data });
  isBroken = true;
  const pending = [pool.call({ work: 'exit once', seen: counter() }), pool.call(echo)];
  for (const call of pending) await expect(call).rejects.toMatchObject({ code: 'store_busy' });
  await expect(pool.call(echo)).rejects.toMatchObject({ code: 'store_busy' });
  expect([pool.isRunning(), pool.isLost()]).toEqual([false, false]);
  await until(() => pool.isLost());
  expect(starts).toBeLessThan(12);
  isBroken = false;
  await until(() => pool.isRunning());
  expect(pool.isLost()).toBe(false);
  expect(await pool.call(echo)).toBeGreaterThan(0);
});

test('the pool completes earlier calls before it stops, and refuses later ones', async () => {
  const pool = await open();
  const calls = Array.from({ length: 60 }, () => pool.call(echo));
  const stopping = pool.stop();
  await expect(pool.call(echo)).rejects.toThrow('has been stopped');
  expect(await Promise.all(calls)).toHaveLength(60);
  await stopping;
});

test('an idle pool starts a thread with the first call, and another when calls wait', async () => {
  const { pool, starts } = openIdle({ maxCalls: 1 });
  expect([starts(), pool.isRunning(), pool.isLost()]).toEqual([0, true, false]);
  const first = pool.call(echo);
  expect([starts(), pool.isRunning()]).toEqual([1, true]);
  const thread = await first;
  for (let calls = 0; calls < 5; calls++) expect(await pool.call(echo)).toBe(thread);
  expect(starts()).toBe(1);
  await Promise.all(Array.from({ length: 40 }, () => pool.call(echo)));
  expect(starts()).toBe(2);
  expect(lines).toEqual([]);
});

test('an idle pool whose threads do not start refuses calls, and answers once they start', async () => {
  let isBroken = true;
  const data = () => {
    if (isBroken) throw new Error('the disk is gone');
  };
  const { pool } = openIdle({ data, threads: 1 });
  await expect(pool.call(echo)).rejects.toMatchObject({ code: 'store_busy' });
  await expect(pool.call(echo)).rejects.toMatchObject({ code: 'store_busy' });
  expect(pool.isRunning()).toBe(false);
  isBroken = false;
  await until(() => pool.isRunning());
  expect(await pool.call(echo)).toBeGreaterThan(0);
});

test('an idle pool that is stopped while a thread starts ends this thread', async () => {
  const { pool, starts } = openIdle();
  const leaving = new AbortController();
  const call = pool.call(echo, { signal: leaving.signal });
  leaving.abort();
  await expect(call).rejects.toThrow('aborted');
  await pool.stop();
  expect(starts()).toBe(1);
  await expect(pool.call(echo)).rejects.toThrow('has been stopped');
  expect(lines).toEqual([]);
});

test('an idle pool is stopped without having started a thread', async () => {
  const { pool, starts } = openIdle();
  await pool.stop();
  expect(starts()).toBe(0);
});
