/** Cases of queries that tell how their search has run. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { ClientHeaders } from '../../../support/instance.ts';
import { type CmaContext, text } from './cma-content.ts';

/** Runs the cases. */
export function describeExplaining({ call, create, instance }: CmaContext): void {
  describe('explain', () => {
    let admin: ClientHeaders;

    beforeAll(async () => {
      admin = await instance().createClient({ scopes: ['cma:read', 'admin'] });
      await instance().refresh();
      for (let n = 0; n < 12; n++) {
        await create({ _type: text, name: `Explained ${n % 4}`, text: `<p>Reason ${n}</p>` });
      }
    });

    const explain = async (query: Record<string, string | number>) => {
      const { status, body } = await call('GET', {
        query: { from: text, limit: 3, ...query, explain: 'true' },
        client: admin,
      });
      expect(status).toBe(200);
      return body.result;
    };

    it('tells the predicate as it was understood, the index and how much was visited, beside the page', async () => {
      const where = 'name = "Explained 1" && !(text contains x or text contains Y)';
      const { count, items, explain: plan } = await explain({ where });
      expect({ count, length: items.length }).toEqual({ count: 3, length: 3 });
      expect(plan).toEqual({
        predicate: "name = 'Explained 1' and not (text contains 'x' or text contains 'Y')",
        indexes: expect.any(Array),
        rowsVisited: expect.any(Number),
        ms: expect.any(Number),
      });
      expect(plan.rowsVisited).toBeGreaterThanOrEqual(3);
    });

    it('shows that without an index every asset of the type is visited', async () => {
      const { count: all } = (await call('GET', { query: { from: text, limit: 0 } })).body.result;
      const { explain: plan } = await explain({
        where: 'text contains "Reason 11"',
        limit: 100,
        count: 'false',
      });
      expect(plan).toMatchObject({ predicate: "text contains 'Reason 11'" });
      expect(plan.indexes).not.toContain('text');
      expect(plan.indexes).not.toContain('name');
      expect(plan.rowsVisited).toBeGreaterThanOrEqual(all);
    });

    it('works without a predicate, in a body, with placeholders, and beside facets and included assets', async () => {
      expect((await explain({})).explain).toMatchObject({ predicate: 'true' });
      const body = {
        from: text,
        where: 'name in ?',
        values: [['Explained 2']],
        explain: true,
        facets: ['name'],
      };
      const found = await call('POST', { path: '/query', body, client: admin });
      expect(found.body.result).toMatchObject({
        count: 3,
        facets: { name: [{ value: 'Explained 2', count: 3 }] },
        explain: { predicate: 'name = ?0' },
      });
      const included = await explain({ include: 'cms.site.owner' });
      expect(included).toMatchObject({ included: {}, explain: { predicate: 'true' } });
    });

    it('is refused without the scope admin, by cursor, and for a value that is not true or false', async () => {
      for (const request of [
        { query: { from: text, explain: 'true' } },
        { query: { from: 'no.such.Type', explain: 'true' } },
      ]) {
        const { status, body } = await call('GET', request);
        expect({ status, code: body.error.code }).toEqual({ status: 403, code: 'forbidden' });
      }
      const posted = await call('POST', { path: '/query', body: { from: text, explain: true } });
      expect(posted.status).toBe(403);
      expect((await call('GET', { query: { from: text, explain: 'false' } })).body.result).not.toHaveProperty(
        'explain',
      );
      for (const query of [{ cursor: '', explain: 'true' }, { explain: 'perhaps' }]) {
        const { status, body } = await call('GET', { query: { from: text, ...query }, client: admin });
        expect({ status, path: body.error.path }).toEqual({ status: 400, path: 'explain' });
      }
    });

    it('has the errors of the query', async () => {
      const query = { from: text, where: 'name = ', explain: 'true' };
      const { status, body } = await call('GET', { query, client: admin });
      expect({ status, code: body.error.code }).toEqual({ status: 400, code: 'predicate_syntax' });
    });
  });
}
