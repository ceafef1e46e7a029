import { setImmediate as nextRound } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createVariantTurns, type VariantTurns } from '../../../../src/files/variants/picture-variants.ts';

/** Begins tasks that end when they are told to. */
function createTasks(turns: VariantTurns) {
  const order: string[] = [];
  const running: (() => void)[] = [];
  const begin = (sender: string, name: string) =>
    turns.begin(sender, async () => {
      order.push(name);
      await new Promise<void>((resolve) => running.push(resolve));
    });
  async function endAll(): Promise<void> {
    for (let end = running.shift(); end; end = running.shift()) {
      end();
      await nextRound();
    }
  }
  return { order, begin, endAll };
}

it('are taken by senders one after the other, and their work is reported', async () => {
  const runs: string[] = [];
  const turns = createVariantTurns({ maxRunning: 1, maxWaiting: 10, onRun: (sender) => runs.push(sender) });
  const { order, begin, endAll } = createTasks(turns);
  for (const name of ['a1', 'a2', 'a3', 'a4']) begin('a', name);
  begin('b', 'b1');
  begin('b', 'b2');
  begin('c', 'c1');
  expect([order, turns.waiting()]).toEqual([['a1'], 6]);
  await endAll();
  expect(order).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
  expect(runs).toEqual(['a', 'a', 'b', 'c', 'a', 'b', 'a']);
  expect(turns.waiting()).toBe(0);
});

it('of one sender are limited, and leave those of others alone', async () => {
  const turns = createVariantTurns({ maxRunning: 1, maxWaiting: 2 });
  const { order, begin, endAll } = createTasks(turns);
  for (const name of ['a1', 'a2', 'a3']) begin('a', name);
  expect(() => begin('a', 'a4')).toThrow(expect.objectContaining({ code: 'too_many_requests' }));
  begin('b', 'b1');
  await endAll();
  expect(order).toEqual(['a1', 'a2', 'b1', 'a3']);
});

it('come first in the queue of any sender who waits for the same task, which runs once', async () => {
  const runs: string[] = [];
  const turns = createVariantTurns({ maxRunning: 1, maxWaiting: 10, onRun: (sender) => runs.push(sender) });
  const { order, begin, endAll } = createTasks(turns);
  for (const name of ['a1', 'a2', 'a3']) begin('a', name);
  const shared = begin('a', 'shared');
  shared.join('b');
  shared.join('b');
  expect(turns.waiting()).toBe(3);
  await endAll();
  expect(order).toEqual(['a1', 'a2', 'shared', 'a3']);
  expect(runs).toEqual(['a', 'a', 'b', 'a']);
  await shared.result;
});

it('go on after a task that fails', async () => {
  const turns = createVariantTurns({ maxRunning: 1, maxWaiting: 10 });
  const failing = turns.begin('a', () => Promise.reject(new Error('broken')));
  const next = turns.begin('a', async () => 'made');
  await expect(failing.result).rejects.toThrow('broken');
  expect(await next.result).toBe('made');
});
