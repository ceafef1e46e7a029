import { expect, it } from 'vitest';
import { createWrongAttempts } from '../../../src/access/wrong-attempts.ts';
import { createFakeClock } from '../../support/runtime.ts';

it('wrong attempts are kept of the names used last, and of no more than there is room for', () => {
  const attempts = createWrongAttempts({ clock: createFakeClock(0), free: 1, maxNames: 3 });
  for (const name of ['a', 'b', 'c', 'a', 'd']) attempts.add(name);
  const waits = ['a', 'b', 'c', 'd'].map((name) => attempts.waitMs(name));
  expect(waits).toEqual([60_000, 0, 30_000, 30_000]);
});

it('an attempt that was taken back leaves those before it', () => {
  const attempts = createWrongAttempts({ clock: createFakeClock(0), free: 2, maxNames: 3 });
  for (const _ of [1, 2]) attempts.add('a');
  expect(attempts.waitMs('a')).toBe(30_000);
  attempts.takeBack('a');
  expect(attempts.waitMs('a')).toBe(0);
  attempts.add('a');
  expect(attempts.waitMs('a')).toBe(30_000);
  attempts.takeBack('nobody');
  expect(attempts.waitMs('nobody')).toBe(0);
});
