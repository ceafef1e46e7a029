/** Searches that would take longer than `queryMs`: they are stopped, and the error names the path without an index. */
import { beforeAll, expect, test } from 'vitest';
import type { FindRequest } from '../../../src/store/port.ts';
import { type CreateHarness, useStore } from './harness.ts';
import { assetOf, idOf, suiteCatalog, toWhere } from './suite-content.ts';

const catalog = suiteCatalog('indexed');
const classes = ['suite.Item'];
/** So long that testing a few dozen of them takes longer than twenty milliseconds. */
const body = 'Some words of a long text. '.repeat(4_000);
/** Forty alternatives that match nothing, so that each of them is tested on every asset. */
const absent = Array.from({ length: 40 }, (_, n) => `body contains[c] "absent ${n}"`).join(' or ');

/** Cases of `find` in a store whose budget every search of `body` exceeds. */
export function describeBudgets(createHarness: CreateHarness): void {
  const store = useStore(createHarness, { catalog, options: { queryMs: 20 } });
  const find = ({ where, ...request }: Partial<Omit<FindRequest, 'where'>> & { where: string }) =>
    store().find({
      types: classes,
      offset: 0,
      limit: 10,
      withCount: false,
      where: toWhere(catalog, { classes, text: where }),
      ...request,
    });
  const tooCostly = { code: 'query_too_costly', details: { path: 'body' } };

  beforeAll(async () => {
    const writes = Array.from({ length: 60 }, (_, n) => {
      const asset = assetOf('Item', n, { name: `name ${n}`, count: n, body });
      return { kind: 'insert', asset, version: 'v' } as const;
    });
    await store().write(writes);
  });

  test('a page is refused, and the error names the path without an index', async () => {
    await expect(find({ where: absent })).rejects.toMatchObject(tooCostly);
    await expect(find({ where: `name ^= "name" and (${absent})` })).rejects.toMatchObject(tooCostly);
  });

  test('a count is refused', async () => {
    await expect(find({ where: absent, limit: 0, withCount: true })).rejects.toMatchObject(tooCostly);
  });

  test('what an index finds is answered', async () => {
    const { items } = await find({ where: 'name = "name 7"' });
    expect(items.map(({ asset }) => asset._id)).toEqual([idOf(7)]);
    expect(await find({ where: 'count < 3', limit: 0, withCount: true })).toEqual({ items: [], count: 3 });
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

  test('what an index finds waits for no search of many assets', async () => {
    const leaving = new AbortController();
    let ended = 0;
    const searches = Array.from({ length: 40 }, async (_, n) => {
      await find({ where: absent, client: `c${n}`, signal: leaving.signal }).catch(() => ended++);
    });
    expect((await find({ where: 'name = "name 7"' })).items).toHaveLength(1);
    expect(ended).toBeLessThan(20);
    leaving.abort();
    await Promise.all(searches);
  });
}
