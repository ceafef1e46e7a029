import { describe, expect, test } from 'vitest';
import { createRowCeiling, createTimeBudget } from '../../../../../src/store/sqlite/reads/search-budget.ts';

const stopped = new Error('stopped');

describe('the ceiling of a search on the main thread', () => {
  let [nowMs, cpuMs] = [0, 0];
  const ceiling = createRowCeiling({ nowMs: () => nowMs, cpuMs: () => cpuMs });
  /** A search that checks the ceiling `checks` times, at one check for eight rows. */
  const search =
    (checks: number, { ms = 0, cpu = 0 } = {}) =>
    () => {
      for (let check = 0; check < checks; check++) {
        if (ceiling.isExceeded()) throw stopped;
        nowMs += ms;
        cpuMs += cpu;
      }
      return checks;
    };

  test('lets a search of as many rows pass, and stops one of more', () => {
    expect(ceiling.within(800, search(100))).toBe(100);
    expect(ceiling.within(800, search(101))).toBeUndefined();
    expect(ceiling.within(800, search(100))).toBe(100);
  });

  test('stops a search that takes much processor time, unless its rows are few', () => {
    expect(ceiling.within(10_000, search(8, { ms: 100, cpu: 100 }))).toBe(8);
    expect(ceiling.within(10_000, search(18, { ms: 1, cpu: 1 }))).toBe(18);
    expect(ceiling.within(10_000, search(25, { ms: 1, cpu: 1 }))).toBeUndefined();
  });

  test('lets a search pass that waits for the processor, but not for long', () => {
    expect(ceiling.within(10_000, search(18, { ms: 9 }))).toBe(18);
    expect(ceiling.within(10_000, search(25, { ms: 9 }))).toBeUndefined();
  });

  test('stops a search that would test long documents', () => {
    const test = (characters: number) => () => {
      if (ceiling.isExceeded(characters)) throw stopped;
      return characters;
    };
    expect(ceiling.within(800, test(30_000))).toBe(30_000);
    expect(ceiling.within(800, test(4_000_000))).toBeUndefined();
  });

  test('passes other errors on', () => {
    const broken = () => {
      throw stopped;
    };
    expect(() => ceiling.within(800, broken)).toThrow(stopped);
  });
});

describe('the budget of a search on a reader thread', () => {
  let nowMs = 0;
  const budget = createTimeBudget(50, () => nowMs);
  const search = (ms: number) => () => {
    nowMs += ms;
    if (budget.isUsedUp()) throw stopped;
    return ms;
  };

  test('begins with each search, and stops one that takes longer', () => {
    expect(budget.spend(search(50))).toBe(50);
    nowMs += 1_000;
    expect(budget.spend(search(50))).toBe(50);
    expect(() => budget.spend(search(51))).toThrow(expect.objectContaining({ code: 'query_too_costly' }));
    expect(budget.spend(search(1))).toBe(1);
  });

  test('passes other errors on', () => {
    const broken = () => {
      throw stopped;
    };
    expect(() => budget.spend(broken)).toThrow(stopped);
  });
});
