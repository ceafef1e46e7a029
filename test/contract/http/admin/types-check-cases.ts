/** Cases of content types that change. What a check finds is tested in `test/contract/cli/types-check.test.ts`. */
import { describe, expect, it } from 'vitest';
import type { AdminContext } from './admin-caller.ts';

/** Runs the cases. */
export function describeTypesCheck({ call, createAsset }: AdminContext): void {
  const check = (body: object) => call('POST', '/types/check', { body });
  const file = (text: string) => ({ file: 'notes.graphql', text });
  const note = 'type Note @contentType(class: "x.Note") { title: String }';

  describe('checking content types', () => {
    it('finds nothing when the types are those of the server', async () => {
      const { body } = await call('GET', '/type-sources');
      expect(body.sources.map((source: { file: string }) => source.file)).toContain('content/news.graphql');
      const { status, body: report } = await check(body);
      expect([status, report.counts]).toEqual([200, { breaking: 0, attention: 0, safe: 0 }]);
    });

    it('counts the stored assets of types that the server has and the new ones lack', async () => {
      await createAsset({ _type: 'com.colophon.cms.db.Text', name: 'Counted' });
      const { body } = await check({ sources: [file(note)] });
      const found = body.content.types.find(
        ({ type }: { type: string }) => type === 'com.colophon.cms.db.Text',
      );
      expect(found.broken).toBe(found.assets);
      expect(found.rules).toEqual([
        expect.objectContaining({ path: '', count: found.assets, ids: expect.any(Array) }),
      ]);
      expect(found.rules[0].ids.length).toBeLessThanOrEqual(10);
    });

    it('compares with other types than those of the server', async () => {
      const { status, body } = await check({
        sources: [file(note.replace('String', 'Int'))],
        against: [file(note)],
      });
      expect([status, body.types]).toEqual([
        200,
        [{ severity: 'breaking', type: 'x.Note', path: 'title', message: 'is Int, and was String' }],
      ]);
    });

    it('refuses SDL that is wrong, with the file', async () => {
      const { status, body } = await check({
        sources: [file(note), { file: 'more.graphql', text: 'type More { a: Nothing }' }],
      });
      expect([status, body.problems]).toEqual([
        400,
        [
          {
            path: 'sources[1].text',
            message: expect.stringMatching(/^more\.graphql:1:16 Unknown type "Nothing"/),
          },
        ],
      ]);
    });

    it('refuses a body without files', async () => {
      for (const body of [{}, { sources: [] }, { sources: [file(note)], against: [] }])
        expect((await check(body)).status).toBe(400);
    });

    it('runs one check at a time', async () => {
      const body = { sources: [file(note)] };
      const responses = await Promise.all([1, 2, 3, 4].map(() => check(body)));
      const statuses = responses.map(({ status }) => status);
      expect(statuses.filter((status) => status !== 503)).toContain(200);
      expect(statuses.every((status) => status === 200 || status === 503)).toBe(true);
      const refused = responses.filter(({ status }) => status === 503);
      for (const { body } of refused)
        expect(body.detail).toMatch(/^Another change of content types is being checked/);
      expect((await check(body)).status).toBe(200);
    });
  });
}
