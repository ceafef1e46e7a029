import { expect, it } from 'vitest';
import { createRestartDelay } from '../../../../src/app/workers/supervise-workers.ts';

it('starts a worker again at once, then after longer and longer waits, until it has served for a while', () => {
  const delay = createRestartDelay();
  const waits = Array.from({ length: 9 }, () => delay.next(0));
  expect(waits).toEqual([0, 100, 200, 400, 800, 1600, 3200, 5000, 5000]);
  expect(delay.isHopeless()).toBe(true);
  expect(delay.next(60_000)).toBe(0);
  expect(delay.isHopeless()).toBe(false);
  expect(delay.next(0)).toBe(0);
  expect(delay.next(9_000)).toBe(100);
});
