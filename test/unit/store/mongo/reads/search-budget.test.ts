import { MongoServerError } from 'mongodb';
import { expect, test } from 'vitest';
import { queryTooCostly, storeBusy } from '../../../../../src/base/errors.ts';
import { createSearchBudget, isUsedUp } from '../../../../../src/store/mongo/reads/search-budget.ts';

test('the commands of a search share its time', () => {
  let nowMs = 1_000;
  const { signal } = new AbortController();
  const limits = createSearchBudget(50, signal, () => nowMs);
  expect(limits()).toEqual({ maxTimeMS: 50, signal });
  nowMs += 49.5;
  expect(limits().maxTimeMS).toBe(1);
  nowMs += 0.5;
  expect(limits).toThrow(expect.objectContaining({ code: 'query_too_costly' }));
});

test('the time is used up on either side', () => {
  expect(isUsedUp(queryTooCostly())).toBe(true);
  expect(isUsedUp(new MongoServerError({ message: 'out of time', code: 50 }))).toBe(true);
  expect(isUsedUp(storeBusy('x'))).toBe(false);
});
