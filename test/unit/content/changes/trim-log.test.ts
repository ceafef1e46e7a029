/** How much of the change log one step of trimming removes, by the time that the step before took. */
import { expect, it } from 'vitest';
import { nextLimit } from '../../../../src/content/changes/trim-log.ts';

const after = (limit: number, tookMs: number) => nextLimit({ limit, tookMs, stepMs: 20 });

it('removes more after a quick step, less after a slow one, and at least one entry', () => {
  expect([after(50, 1), after(50, 7), after(50, 11), after(50, 500), after(1, 500)]).toEqual([
    100, 50, 25, 25, 1,
  ]);
});

it('removes a bounded number of entries', () => {
  expect(after(5_000, 0)).toBe(5_000);
});
