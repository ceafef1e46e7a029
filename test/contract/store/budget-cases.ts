/** Searches that would take longer than `queryMs`: they are stopped, and the error names the path without an index. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { SortPosition } from '../../../src/query/keyset.ts';
import { bindSort } from '../../../src/query/sort.ts';
import type { FindRequest } from '../../../src/store/port.ts';
import { type CreateHarness, useStore } from './harness.ts';
import { assetOf, idOf, suiteCatalog, toWhere } from './suite-content.ts';

const catalog = suiteCatalog('indexed');
const classes = ['suite.Item'];
/** So long that testing a few dozen of them takes longer than twenty milliseconds. */
const body = 'Some words of a long text. '.repeat(2_000);
/** Forty alternatives that match nothing, so that each of them is tested on every asset. */
const absent = Array.from({ length: 40 }, (_, n) => `body contains[c] "absent ${n}"`).join(' or ');

/** By a field without an index. */
const backwards = bindSort(catalog, classes, [{ field: 'hasOwnProperty', descending: false }]);

/** Returns the `find` of a store with the budget, and fills the store before the tests. */
function useItems(createHarness: CreateHarness, options: { readonly queryMs?: number }) {
  const store = useStore(createHarness, { catalog, options });
  beforeAll(async () => {
    const writes = Array.from({ length: 60 }, (_, n) => {
      const asset = assetOf('Item', n, { name: `name ${n}`, count: n, body, hasOwnProperty: 100 - n });
      return { kind: 'insert', asset, version: 'v' } as const;
    });
    await store().write(writes);
  });
  return ({ where, ...request }: Partial<Omit<FindRequest, 'where'>> & { where: string }) =>
    store().find({
      types: classes,
      offset: 0,
      limit: 10,
      withCount: false,
      where: toWhere(catalog, { classes, text: where }),
      ...request,
    });
}

/** Cases of `find` in a store whose budget every search of `body` exceeds. */
export function describeBudgets(createHarness: CreateHarness): void {
  const find = useItems(createHarness, { queryMs: 20 });
  const tooCostly = { code: 'query_too_costly', details: { path: 'body' } };

  test('a page is refused, and the error names the path without an index', async () => {
    await expect(find({ where: absent })).rejects.toMatchObject(tooCostly);
    await expect(find({ where: `name startsWith "name" and (${absent})` })).rejects.toMatchObject(tooCostly);
  });

  test('pages by cursor end early, without a count that takes too long, and still find everything', async () => {
    const found: string[] = [];
    const counts: (number | undefined)[] = [];
    let pages = 0;
    for (let after: SortPosition | undefined; ; pages++) {
      const where = `count = [3, 37] or ${absent}`;
      const page = await find({ where, withCount: pages === 0, keyset: after ? { after } : {} });
      found.push(...page.items.map(({ asset }) => asset._id));
      counts.push(page.count);
      after = page.next;
      if (!after) break;
    }
    expect(found).toEqual([3, 37].map(idOf));
    expect(pages).toBeGreaterThan(0);
    // MongoDB's test server may finish a count despite its limit; then it must be the whole count.
    expect(new Set([...counts, undefined, 2])).toEqual(new Set([undefined, 2]));
  });

  test('a page by cursor in an order without an index is refused, and the error names the order', async () => {
    await expect(find({ where: absent, sort: backwards, keyset: {} })).rejects.toMatchObject({
      code: 'query_too_costly',
      details: { path: 'hasOwnProperty' },
    });
  });

  test('a count is refused', async () => {
    await expect(find({ where: absent, limit: 0, withCount: true })).rejects.toMatchObject(tooCostly);
  });

  test('a predicate through many references is refused before it runs, or stopped', async () => {
    const path = `owner/${'boss/'.repeat(7)}age`;
    const where = Array.from({ length: 1_000 }, (_, n) => `${path} > ${n}`).join(' and ');
    const details = { path };
    await expect(find({ where })).rejects.toMatchObject({ code: 'query_too_costly', details });
  });

  test('waiting for a turn does not use up the budget, and who leaves ends its searches', async () => {
    const one = new AbortController();
    const many = Array.from({ length: 12 }, () => find({ where: absent, client: 'a', signal: one.signal }));
    const ended = Promise.allSettled(many);
    await expect(find({ where: absent, client: 'b' })).rejects.toMatchObject(tooCostly);
    one.abort();
    for (const result of await ended) {
      const { reason } = result as PromiseRejectedResult;
      expect([tooCostly.code, 'AbortError']).toContain(reason.code === 20 ? reason.name : reason.code);
    }
  });
}

/**
 * Searches that indexes bound: answered whatever the budget, and beside many others. On MongoDB they need a server that answers in a
 * quarter of a second, so they are no part of the suite.
 */
export function describeIndexedSearches(createHarness: CreateHarness): void {
  describe('with a budget that searches of texts exceed', () => describeBounded(createHarness));
  describe('among many searches of texts', () => describeUndelayed(createHarness));
}

function describeBounded(createHarness: CreateHarness): void {
  const find = useItems(createHarness, { queryMs: 20 });

  test('what an index finds is answered', async () => {
    const { items } = await find({ where: 'name = "name 7"' });
    expect(items.map(({ asset }) => asset._id)).toEqual([idOf(7)]);
    expect(await find({ where: 'count < 3', limit: 0, withCount: true })).toEqual({ items: [], count: 3 });
  });

  test('pages by cursor in an order without an index find everything that an index bounds', async () => {
    const found: string[] = [];
    for (let after: SortPosition | undefined; ; ) {
      const keyset = after ? { after } : {};
      const page = await find({ where: 'count < 5', sort: backwards, limit: 2, keyset });
      found.push(...page.items.map(({ asset }) => asset._id));
      after = page.next;
      if (!after) break;
    }
    expect(found).toEqual([4, 3, 2, 1, 0].map(idOf));
  });
}

function describeUndelayed(createHarness: CreateHarness): void {
  const find = useItems(createHarness, {});

  test('what an index finds waits for no search of many assets', async () => {
    const leaving = new AbortController();
    const searching = 24;
    let ended = 0;
    const searches = Array.from({ length: searching }, async (_, n) => {
      await find({ where: absent, client: `c${n}`, signal: leaving.signal }).catch(() => {});
      ended++;
    });
    expect((await find({ where: 'name = "name 7"' })).items).toHaveLength(1);
    expect(ended).toBeLessThan(searching / 2);
    leaving.abort();
    await Promise.all(searches);
  });
}
