/** How much of the change log one step of trimming removes, by the time that the step before took. */
import { expect, it } from 'vitest';
import { nextLimit } from '../../../../src/content/changes/trim-log.ts';

const after = (limit: number, tookMs: number) => nextLimit({ limit, tookMs, stepMs: 20 });

it('removes more after a quick step, less after a slow one, and at least a hundred entries', () => {
  const limits = [after(400, 1), after(400, 7), after(400, 11), after(400, 500), after(100, 500)];
  expect(limits).toEqual([800, 400, 200, 200, 100]);
});

it('removes a bounded number of entries', () => {
  expect(after(5_000, 0)).toBe(5_000);
});
