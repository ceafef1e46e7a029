/** Cases of the usage report. What is counted is tested in `test/contract/http/operating/usage.test.ts`. */
import { describe, expect, it } from 'vitest';
import type { AdminContext } from './admin-caller.ts';

/** Runs the cases. */
export function describeUsage({ call, client, instance, newName }: AdminContext): void {
  describe('the usage report', () => {
    it('has the requests of a client to this API', async () => {
      await call('GET', '/types');
      await instance().services.usage.flush();
      const clientId = client()['X-Client-Id'];
      const { status, body } = await call('GET', `/usage?clientId=${clientId}&route=/api/admin/types`);
      expect([status, body]).toEqual([
        200,
        {
          count: 1,
          items: [
            {
              clientId,
              method: 'GET',
              route: '/api/admin/types',
              requests: expect.any(Number),
              errors: expect.any(Number),
              totalMs: expect.any(Number),
              lastDay: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
            },
          ],
        },
      ]);
    });

    it('tells the keys of a client apart, and reports several clients at once', async () => {
      const create = async () =>
        (await call('POST', '/api-clients', { body: { name: newName(), scopes: ['graphql'] } })).body;
      const [one, other] = [await create(), await create()];
      const { clientId } = one.client;
      const addKey = async () =>
        (await call('POST', `/api-clients/${clientId}/keys`, { body: { name: newName() } })).body;
      const [site, app] = [await addKey(), await addKey()];
      const request = async (headers: Record<string, string>) =>
        (await fetch(`${instance().url}/graphql/delivery?query={__typename}`, { headers })).status;
      const withSecret = { 'X-Client-Id': clientId, 'X-Client-Secret': one.secret };
      const sent = [withSecret, ...[site, site, app].map(({ secret }) => ({ 'X-API-Key': secret }))];
      const otherSecret = { 'X-Client-Id': other.client.clientId, 'X-Client-Secret': other.secret };
      for (const headers of [...sent, otherSecret]) expect(await request(headers)).toBe(200);
      await instance().services.usage.flush();
      const report = async (query: string) => (await call('GET', `/usage?${query}`)).body;
      const byKey = await report(`groupBy=key&clientId=${clientId}`);
      const numbers = { errors: 0, totalMs: expect.any(Number), lastDay: expect.any(String) };
      expect(byKey.items).toHaveLength(3);
      expect(byKey.items[0]).toEqual({ keyId: site.key.id, requests: 2, ...numbers });
      expect(byKey.items).toContainEqual({ keyId: app.key.id, requests: 1, ...numbers });
      expect(byKey.items).toContainEqual({ requests: 1, ...numbers });
      const ids = [clientId, other.client.clientId, 'nobody'].map((id) => `clientIds=${id}`).join('&');
      expect((await report(`groupBy=client&${ids}`)).items).toEqual([
        { clientId, requests: 4, ...numbers },
        { clientId: other.client.clientId, requests: 1, ...numbers },
      ]);
    });

    it('refuses unknown groups and days that are not kept', async () => {
      for (const query of ['groupBy=week', 'days=0', 'days=36', 'limit=0', 'clientId=%20', 'clientIds=%20'])
        expect((await call('GET', `/usage?${query}`)).status, query).toBe(400);
    });
  });
}
