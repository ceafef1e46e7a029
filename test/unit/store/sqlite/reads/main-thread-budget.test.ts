import { setImmediate as nextRound } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import {
  createMainThreadBudget,
  type MainThreadBudget,
} from '../../../../../src/store/sqlite/reads/main-thread-budget.ts';

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
    for (let wait = budget.wait(); wait; wait = budget.wait()) await wait;
    budget.spend(search);
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
    // Three fit the budget, and each turn begins one more.
    expect(Math.max(...perRound)).toBeLessThanOrEqual(5);
    expect(perRound.length).toBeGreaterThan(10);
    expect(counts.at(-1)).toBe(50);
  });

  it('runs a search that is longer than the budget', async () => {
    const { budget, search } = createBudget();
    const counts = await runAll(budget, [() => search(50), () => search(50), () => search(1)]);
    expect(counts.at(-1)).toBe(3);
    expect(counts.length).toBeGreaterThan(1);
  });

  it('counts a search that fails', () => {
    const { budget, search } = createBudget();
    const fail = () => {
      search(20);
      throw new Error('stopped');
    };
    expect(() => budget.spend(fail)).toThrow('stopped');
    expect(budget.wait()).toBeInstanceOf(Promise);
  });

  it('begins anew in the next round', async () => {
    const { budget, search } = createBudget();
    budget.spend(() => search(20));
    await nextRound();
    expect(budget.wait()).toBeUndefined();
  });
});
