import { setImmediate as nextRound } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import {
  createMainThreadBudget,
  type MainThreadBudget,
} from '../../../../../src/store/sqlite/reads/search-budget.ts';

/** Creates a budget with a clock that stands still except in searches. */
function createBudget() {
  let now = 0;
  const budget = createMainThreadBudget(() => now);
  const search = (ms: number) => {
    now += ms;
    return ms;
  };
  return { budget, search };
}

/** Runs searches as the store does, all begun at once; returns how many had ended in each round of the event loop. */
async function runAll(budget: MainThreadBudget, searches: readonly (() => number)[]): Promise<number[]> {
  let ended = 0;
  const running = searches.map(async (search) => {
    await budget.run(search);
    ended++;
  });
  const counts: number[] = [];
  do {
    await nextRound();
    counts.push(ended);
  } while (ended < searches.length && counts.length < 1_000);
  await Promise.all(running);
  return counts;
}

describe('the budget of the main thread', () => {
  it('runs many short searches in one round', async () => {
    const { budget, search } = createBudget();
    expect(
      await runAll(
        budget,
        Array(500).fill(() => search(0.1)),
      ),
    ).toEqual([500]);
  });

  it('spreads long searches over rounds', async () => {
    const { budget, search } = createBudget();
    const counts = await runAll(
      budget,
      Array(50).fill(() => search(4)),
    );
    const perRound = counts.map((count, round) => count - (counts[round - 1] ?? 0));
    // Two fit each part. The first count has those that ran at once and those of the first round.
    expect(Math.max(...perRound)).toBeLessThanOrEqual(4);
    expect(Math.max(...perRound.slice(1))).toBe(2);
    expect(perRound.length).toBeGreaterThan(10);
    expect(counts.at(-1)).toBe(50);
  });

  it('runs a search that is longer than the budget', async () => {
    const { budget, search } = createBudget();
    const counts = await runAll(budget, [() => search(50), () => search(50), () => search(1)]);
    expect(counts.at(-1)).toBe(3);
    expect(counts.length).toBeGreaterThan(1);
  });

  it('runs those that wait in their order, in every round, however many come meanwhile', async () => {
    const { budget, search } = createBudget();
    const order: number[] = [];
    const begin = (n: number) =>
      budget.run(() => {
        search(6);
        order.push(n);
      });
    const running = Array.from({ length: 10 }, (_, n) => begin(n));
    for (let n = 10; n < 40; n += 2) {
      await nextRound();
      running.push(begin(n), begin(n + 1));
    }
    await Promise.all(running);
    // The first of each round runs at once, before those that wait.
    const waited = order.filter((n) => n < 10 || n % 2 === 1);
    expect(waited).toEqual(waited.toSorted((a, b) => a - b));
    expect(order.indexOf(9)).toBeLessThan(order.indexOf(30));
  });

  it('runs a new search at once while many wait', async () => {
    const { budget, search } = createBudget();
    const order: string[] = [];
    const add = (name: string, ms: number) =>
      budget.run(() => {
        search(ms);
        order.push(name);
      });
    const running = Array.from({ length: 20 }, () => add('long', 12));
    await nextRound();
    await add('short', 1);
    expect(order.length).toBeLessThan(5);
    await Promise.all(running);
    expect(order).toHaveLength(21);
  });

  it('counts a search that fails', async () => {
    const { budget, search } = createBudget();
    const fail = () => {
      search(20);
      throw new Error('stopped');
    };
    const failing = budget.run(fail);
    let hasRun = false;
    const next = budget.run(() => {
      hasRun = true;
    });
    await expect(failing).rejects.toThrow('stopped');
    expect(hasRun).toBe(false);
    await next;
    const waiting = [budget.run(fail), budget.run(fail)];
    expect(await Promise.allSettled(waiting)).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }]);
  });

  it('begins anew in the next round', async () => {
    const { budget, search } = createBudget();
    await budget.run(() => search(20));
    await nextRound();
    let hasRun = false;
    void budget.run(() => {
      hasRun = true;
    });
    expect(hasRun).toBe(true);
  });
});
