import { beforeEach, expect, test } from 'vitest';
import { queryTooCostly } from '../../../../../src/base/errors.ts';
import { createSearchTurns, type SearchTurns } from '../../../../../src/store/mongo/reads/search-turns.ts';

let turns: SearchTurns;
/** The searches that run, by name; a name is the client and a number. */
let running: Map<string, { end(): void; fail(error: unknown): void }>;
/** The order in which searches began. */
let begun: string[];

beforeEach(() => {
  turns = createSearchTurns({ maxRunning: 2, preempts: true });
  [running, begun] = [new Map(), []];
});

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Starts a search that runs until it is ended by its name, or stopped. */
function start(name: string, signal?: AbortSignal): Promise<string> {
  return turns.run(
    (stopping) =>
      new Promise<string>((resolve, reject) => {
        begun.push(name);
        const leave = (how: () => void) => () => {
          running.delete(name);
          how();
        };
        running.set(name, {
          end: leave(() => resolve(name)),
          fail: (error) => leave(() => reject(error))(),
        });
        stopping?.addEventListener(
          'abort',
          leave(() => reject(stopping.reason)),
        );
      }),
    { client: name[0], signal },
  );
}

const end = async (...names: string[]) => {
  for (const name of names) {
    running.get(name)?.end();
    await settled();
  }
};

test('a limited number of searches runs at once, and each gets its result', async () => {
  const found = ['a1', 'a2', 'a3'].map((name) => start(name));
  await settled();
  expect(begun).toEqual(['a1', 'a2']);
  await end('a2', 'a1', 'a3');
  expect(await Promise.all(found)).toEqual(['a1', 'a2', 'a3']);
});

test('a client that runs two gives one up for another client, and that one runs again later', async () => {
  const found = ['a1', 'a2', 'a3'].map((name) => start(name));
  await settled();
  found.push(start('b1'));
  await settled();
  expect(begun).toEqual(['a1', 'a2', 'b1']);
  expect([...running.keys()]).toEqual(['a1', 'b1']);
  await end('b1', 'a2', 'a1', 'a3');
  expect(await Promise.all(found)).toEqual(['a1', 'a2', 'a3', 'b1']);
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a2', 'a3']);
});

test('a search that is stopped before it has begun runs again as well', async () => {
  const found = ['a1', 'a2', 'b1'].map((name) => start(name));
  await settled();
  expect(begun).toEqual(['a1', 'b1']);
  await end('a1', 'b1');
  await end('a2');
  expect(await Promise.all(found)).toEqual(['a1', 'a2', 'b1']);
});

test('no search is stopped for another client where searches are short', async () => {
  turns = createSearchTurns({ maxRunning: 2, preempts: false });
  const found = ['a1', 'a2', 'a3', 'b1'].map((name) => start(name));
  await settled();
  await end('a1', 'b1', 'a2', 'a3');
  await Promise.all(found);
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3']);
});

test('a search that used up its time as it was stopped for another client does not run again', async () => {
  const first = start('a1');
  const second = turns.run(
    (stopping) =>
      new Promise((_, reject) => stopping?.addEventListener('abort', () => reject(queryTooCostly('p')))),
    { client: 'a' },
  );
  const refused = expect(second).rejects.toMatchObject({ code: 'query_too_costly' });
  await settled();
  const other = start('b1');
  await refused;
  await settled();
  await end('a1', 'b1');
  expect(await Promise.all([first, other])).toEqual(['a1', 'b1']);
});

test('a caller that leaves ends its search, or leaves the queue', async () => {
  const [first, second, third] = [new AbortController(), new AbortController(), new AbortController()];
  const left = [first, second, third].map(({ signal }, n) =>
    expect(start(`a${n}`, signal)).rejects.toThrow('aborted'),
  );
  await settled();
  third.abort();
  await left[2];
  first.abort();
  await left[0];
  expect([begun, [...running.keys()]]).toEqual([['a0', 'a1'], ['a1']]);
  const later = [start('a3'), start('a4')];
  second.abort();
  await left[1];
  await settled();
  await end('a3', 'a4');
  expect(await Promise.all(later)).toEqual(['a3', 'a4']);
  await expect(start('a5', AbortSignal.abort())).rejects.toThrow('aborted');
});

test('errors are passed on, and the next search begins', async () => {
  const failing = expect(start('a1')).rejects.toThrow('broken');
  const others = [start('a2'), start('a3')];
  await settled();
  running.get('a1')?.fail(new Error('broken'));
  await failing;
  await settled();
  await end('a2', 'a3');
  expect(await Promise.all(others)).toEqual(['a2', 'a3']);
});

test('a client with a thousand waiting searches is refused, others are not', async () => {
  const leaving = new AbortController();
  const many = Array.from({ length: 1_002 }, (_, n) => start(`a${n}`, leaving.signal).catch(() => 'left'));
  await settled();
  await expect(start('a')).rejects.toMatchObject({ code: 'store_busy' });
  const other = start('b1');
  await settled();
  await end('b1');
  expect(await other).toBe('b1');
  leaving.abort();
  expect(new Set(await Promise.all(many))).toEqual(new Set(['left']));
});
