/** Cases of paths, methods and headers. */
import { describe, expect, it } from 'vitest';
import { type CmaContext, noAsset, text } from './cma-content.ts';

/** Runs the cases. */
export function describeRoutes({ call, instance }: CmaContext): void {
  describe('routes', () => {
    it.each(['/a/b', `/${noAsset}/x`, '//', `/${noAsset}//`])('answer 404 at %s', async (path) => {
      const { status, body } = await call('GET', { path });
      expect([status, body.error.code]).toEqual([404, 'route_not_found']);
    });

    it('answer 405 with Allow to other methods', async () => {
      for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
        const { status, headers } = await call(method);
        expect([method, status, headers.allow]).toEqual([method, 405, 'GET, HEAD, POST']);
      }
      for (const method of ['POST', 'OPTIONS']) {
        const { status, headers } = await call(method, { path: `/${noAsset}` });
        expect([method, status, headers.allow]).toEqual([method, 405, 'GET, HEAD, PUT, PATCH, DELETE']);
      }
    });

    it('answer 400 to an unknown parameter', async () => {
      const { body } = await call('GET', { path: `/${noAsset}`, query: { from: text } });
      expect(body.error).toMatchObject({ code: 'invalid_parameter', path: 'from' });
    });

    it('answer 401 to any method without credentials', async () => {
      for (const path of ['', `/${noAsset}`])
        expect((await call('OPTIONS', { path, client: null })).status).toBe(401);
    });

    it('answer 404 outside of every API', async () => {
      const response = await fetch(`${instance().url}/nowhere`);
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ error: { code: 'route_not_found' } });
    });

    it('report health and readiness', async () => {
      for (const path of ['/healthz', '/readyz']) {
        const response = await fetch(instance().url + path);
        expect([response.status, await response.json()]).toEqual([200, { status: 'ok' }]);
      }
    });

    it('return the request ID of the caller, if it is safe to log', async () => {
      const idOf = async (id: string) =>
        (await call('GET', { path: `/${noAsset}`, headers: { 'X-Request-Id': id } })).headers['x-request-id'];
      expect(await idOf('abc-123')).toBe('abc-123');
      expect(await idOf('a b"c')).toMatch(/^[0-9a-f-]{36}$/);
    });
  });
}
