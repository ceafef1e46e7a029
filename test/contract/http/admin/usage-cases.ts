/** Cases of the usage report. What is counted is tested in `test/contract/http/operating/usage.test.ts`. */
import { describe, expect, it } from 'vitest';
import type { AdminContext } from './admin-caller.ts';

/** Runs the cases. */
export function describeUsage({ call, client, instance }: AdminContext): void {
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
            },
          ],
        },
      ]);
    });

    it('refuses unknown groups and days that are not kept', async () => {
      for (const query of ['groupBy=week', 'days=0', 'days=36', 'limit=0', 'clientId=%20'])
        expect((await call('GET', `/usage?${query}`)).status, query).toBe(400);
    });
  });
}
