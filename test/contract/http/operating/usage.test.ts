/** The usage of routes: counted by client, route and day, added up over processes, and removed after some weeks. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { usageDays } from '../../../../src/access/usage/usage.ts';
import { type ClientHeaders, startInstance, type TestInstance } from '../../../support/instance.ts';
import { describeOnEachStore, type StoreLocation } from '../../../support/stores.ts';

const dayMs = 86_400_000;

interface Report {
  readonly count: number;
  readonly items: readonly { readonly totalMs: number }[];
}

describeOnEachStore('the usage of routes', (locations) => {
  let location: StoreLocation;
  let instance: TestInstance;
  let admin: ClientHeaders;

  beforeEach(async () => {
    location = locations();
    instance = await startInstance(location);
    admin = await instance.createClient({ scopes: ['admin'] });
    await instance.refresh();
  });
  afterEach(() => instance.stop());

  const cmaGet = '/api/rest/cma/contents/{id}';
  const get = async (id: string, { cmaUrl }: TestInstance = instance) =>
    (await fetch(`${cmaUrl}/${id}`, { headers: instance.headers })).status;
  /** The items without their durations, which must be positive. */
  async function report(query = '', { url }: TestInstance = instance) {
    const response = await fetch(`${url}/api/admin/usage${query}`, { headers: admin });
    const { count, items } = (await response.json()) as Report;
    expect(items.every(({ totalMs }) => totalMs >= 0)).toBe(true);
    return { count, items: items.map(({ totalMs: _, ...item }) => item) };
  }
  const idOf = (headers: ClientHeaders) => headers['X-Client-Id'];

  it('is counted for each client and route, and stored by each process', async () => {
    const other = await startInstance(location);
    await other.refresh();
    for (const one of [instance, other]) for (let n = 0; n < 3; n++) expect(await get('none', one)).toBe(404);
    await fetch(`${instance.url}/nowhere`);
    await fetch(`${instance.url}/graphql/delivery`, { method: 'POST' });
    await Promise.all([instance.services.usage.flush(), other.services.usage.flush()]);
    await get('none', other);
    // A stopping server stores what it has counted.
    await other.stop();
    const clientId = idOf(instance.headers);
    const day = new Date().toISOString().slice(0, 10);
    const used = { method: 'GET', route: cmaGet, requests: 7, errors: 7, lastDay: day };
    expect(await report(`?clientId=${clientId}`)).toEqual({ count: 1, items: [{ clientId, ...used }] });
    expect((await report(`?route=${encodeURIComponent(cmaGet)}`)).items).toEqual([{ clientId, ...used }]);
    expect((await report('?groupBy=client')).items).toEqual([
      { clientId, requests: 7, errors: 7, lastDay: day },
      { requests: 1, errors: 1, lastDay: day },
    ]);
    expect(await report('?groupBy=day&groupBy=route&limit=1')).toEqual({
      count: 2,
      items: [{ day, ...used }],
    });
    for (const query of ['?days=36', '?groupBy=week', '?limit=0', '?clientId=', '?other=1'])
      expect((await fetch(`${instance.url}/api/admin/usage${query}`, { headers: admin })).status).toBe(400);
  });

  it('is kept by day for some weeks', async () => {
    await get('none');
    instance.advanceClock(2 * dayMs);
    await get('none');
    await get('none');
    await instance.services.usage.flush();
    const clientId = idOf(instance.headers);
    const requestsOf = async (query: string) =>
      (await report(`?clientId=${clientId}&groupBy=day&${query}`)).items.map(
        (item) => 'requests' in item && item.requests,
      );
    expect(await requestsOf('days=3')).toEqual([2, 1]);
    expect(await requestsOf('days=2')).toEqual([2]);
    expect((await report(`?clientId=${clientId}&groupBy=client&days=3`)).items).toMatchObject([
      { requests: 3, lastDay: new Date(Date.now() + 2 * dayMs).toISOString().slice(0, 10) },
    ]);
    instance.advanceClock((usageDays - 2) * dayMs);
    // As `colophon clock accept` does; counts are kept until the clock is known to be right.
    await instance.services.store.keepTime({ atMs: Date.now() + usageDays * dayMs });
    await instance.services.usage.flush();
    instance.advanceClock((2 - usageDays) * dayMs);
    expect(await requestsOf('days=3')).toEqual([2]);
  });
});
