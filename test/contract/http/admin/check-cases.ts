/** Cases of checking the draft of a REST endpoint without saving it. */
import { describe, expect, it } from 'vitest';
import type { AdminContext } from './admin-caller.ts';
import { byIdQuery, countQuery, createRestMaker } from './rest-endpoint.ts';

/** Runs the cases. */
export function describeChecks(context: AdminContext): void {
  const { call, newName } = context;
  const { definition, create, pathOf } = createRestMaker(context);
  const check = async (body: object) => {
    const response = await call('POST', '/rest-endpoints/check', { body });
    expect(response.status).toBe(200);
    return response.body;
  };
  const pathsIn = ({ problems }: { problems: { path: string }[] }) => problems.map(({ path }) => path);

  describe('checking a REST endpoint', () => {
    it('returns the defaults that a save would fill in and the types of the operations, and saves nothing', async () => {
      const name = newName();
      const mutation = 'mutation Remove($_id: ID!) { deleteAuthor(_id: $_id) }';
      const before = (await call('GET', '/rest-endpoints')).body;
      const checked = await check(
        definition({
          name,
          source: 'management',
          mappings: [
            { name: 'By ID', query: byIdQuery },
            { name: 'Remove it', query: mutation },
          ],
        }),
      );
      expect(checked.problems).toEqual([]);
      expect(checked.pathPrefix).toBe(`/${name.toLowerCase().replace(' ', '-')}`);
      expect(checked.mappings).toEqual([
        {
          name: 'By ID',
          path: '/by-id',
          methods: ['GET'],
          kind: 'query',
          operation: 'AuthorById',
          variables: expect.objectContaining({ required: ['id'] }),
          typescript: expect.stringMatching(/interface AuthorByIdVariables \{\s+id: string;\s+\}/),
        },
        expect.objectContaining({
          path: '/remove-it',
          methods: ['POST'],
          kind: 'mutation',
          operation: 'Remove',
        }),
      ]);
      expect((await call('GET', '/rest-endpoints')).body).toEqual(before);
    });

    it('reports the same problems as a save', async () => {
      const taken = await create();
      const body = definition({
        pathPrefix: taken.body.draft.pathPrefix,
        access: 'FRIENDS',
        owner: 'me',
        mappings: [
          { name: 'Count', query: countQuery },
          { name: 'Broken', query: 'query Broken {\n  authorList { total }\n}' },
          { name: 7, path: 'x', methods: ['GET', 'TRACE'], query: byIdQuery },
          'x',
          {},
        ],
      });
      const checked = await check(body);
      const { body: refused } = await call('POST', '/rest-endpoints', { body });
      expect(checked.problems).toEqual(refused.problems);
      expect(pathsIn(checked)).toEqual(
        expect.arrayContaining(['access', 'owner', 'mappings[0].path', 'mappings[1].query', 'mappings[3]']),
      );
      expect(checked.mappings).toEqual([
        expect.objectContaining({ name: 'Count', path: '/count', operation: 'CountAuthors' }),
        { name: 'Broken', path: '/broken', methods: ['GET'] },
        expect.objectContaining({ path: 'x', operation: 'AuthorById' }),
        {},
        { methods: ['GET'] },
      ]);
      for (const member of ['name', 'methods']) expect(checked.mappings[2]).not.toHaveProperty(member);
    });

    it('accepts the own name and routes of an existing endpoint', async () => {
      const saved = await create();
      const { id, draft } = saved.body;
      expect((await check({ id, ...draft })).problems).toEqual([]);
      const asNew = await check(draft);
      expect(pathsIn(asNew)).toEqual(['mappings[0].path', 'name']);
      expect((await call('GET', pathOf(saved))).headers.etag).toBe(saved.headers.etag);
    });

    it('accepts incomplete drafts', async () => {
      expect(pathsIn(await check({}))).toEqual(expect.arrayContaining(['name', 'source', 'pathPrefix']));
      const unfounded = await check({
        name: 'Unfounded',
        source: 'nothing',
        mappings: [{ name: 'A', query: '' }],
      });
      expect(unfounded).toMatchObject({
        pathPrefix: '/unfounded',
        mappings: [{ name: 'A', path: '/a', methods: ['GET'] }],
      });
      expect(pathsIn(unfounded)).toContain('source');
      const many = Array.from({ length: 501 }, () => ({ name: 'x' }));
      expect(await check(definition({ mappings: many }))).toMatchObject({
        mappings: [],
        problems: [{ path: 'mappings', message: 'must have at most 500 items' }],
      });
    });

    it('refuses an ID that is not a text', async () => {
      const { status, body } = await call('POST', '/rest-endpoints/check', { body: definition({ id: 5 }) });
      expect([status, body.problems]).toEqual([400, [{ path: 'id', message: 'must be a string' }]]);
    });
  });
}
