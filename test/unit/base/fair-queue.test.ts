import { beforeEach, expect, test } from 'vitest';
import { createFairQueue, type FairQueue } from '../../../src/base/fair-queue.ts';

interface Call {
  readonly client: string;
  readonly name: string;
  isPreempted: boolean;
}

let queue: FairQueue<Call>;
beforeEach(() => {
  queue = createFairQueue<Call>(1_000);
});

/** Adds calls named by client and number, such as `a1`. */
const add = (...names: string[]) =>
  names.map((name) => {
    const call = { client: name[0] ?? '', name, isPreempted: false };
    expect(queue.add(call)).toBe(true);
    return call;
  });
const take = () => queue.take() ?? expect.fail('no call waits');
/** Takes calls and finishes each before the next. */
const runAll = () => {
  const names: string[] = [];
  for (let call = queue.take(); call; call = queue.take()) {
    names.push(call.name);
    queue.finish(call);
  }
  return names;
};

test('the calls of one client run in their order', () => {
  add('a1', 'a2', 'a3');
  expect(runAll()).toEqual(['a1', 'a2', 'a3']);
});

test('clients take turns, however many calls each has', () => {
  add('a1', 'a2', 'a3', 'b1', 'c1', 'b2');
  expect(runAll()).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
});

test('a single call waits for none of the thousand of another client that wait', () => {
  add(...Array.from({ length: 1_000 }, (_, n) => `a${n}`));
  const running = [take(), take()];
  add('b1');
  expect(running.map(({ client }) => client)).toEqual(['a', 'a']);
  expect(take().name).toBe('b1');
});

test('who runs least is next', () => {
  add('a1', 'a2', 'a3');
  const [first] = [take(), take()];
  add('b1', 'b2');
  expect([take().name, take().name]).toEqual(['b1', 'b2']);
  add('b3');
  queue.finish(first);
  expect(take().name).toBe('a3');
});

test('a call that is removed is not taken, and only a waiting one is removed', () => {
  const [first, second] = add('a1', 'a2', 'a3') as [Call, Call, Call];
  expect(take()).toBe(first);
  expect([queue.remove(first), queue.remove(second), queue.remove(second)]).toEqual([false, true, false]);
  expect(runAll()).toEqual(['a3']);
});

test('calls that are put back come before the others of their client', () => {
  add('a1', 'a2', 'a3');
  queue.putBack([take(), take()]);
  expect(runAll()).toEqual(['a1', 'a2', 'a3']);
});

test('a client with too many waiting calls is refused, others are not', () => {
  const small = createFairQueue<Call>(1);
  const call = (client: string) => ({ client, name: client, isPreempted: false });
  expect([small.add(call('a')), small.add(call('a')), small.add(call('b'))]).toEqual([true, false, true]);
  small.take();
  expect(small.add(call('a'))).toBe(true);
});

test('a client that runs several gives one up for a client that runs none, and no more', () => {
  add('a1', 'a2', 'a3');
  const [first, second] = [take(), take()];
  expect(queue.findExcess()).toBeUndefined();
  add('b1', 'c1');
  expect(queue.findExcess()).toBe(second);
  second.isPreempted = true;
  expect(queue.findExcess()).toBeUndefined();
  queue.putBack([second]);
  expect([take().name, queue.findExcess()]).toEqual(['b1', undefined]);
  queue.finish(first);
  expect([take().name, take().name]).toEqual(['a2', 'c1']);
});
