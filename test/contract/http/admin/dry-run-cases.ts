/** Cases of dry runs: they list the published routes that a change would break, without making the change. */
import { describe, expect, it } from 'vitest';
import { article, author } from '../cma/cma-content.ts';
import { type AdminContext, noId } from './admin-caller.ts';
import { countQuery, createRestMaker } from './rest-endpoint.ts';

const headlines = 'query Headlines {\n  articleList { items { headline } }\n}';

/** Runs the cases. */
export function describeDryRuns(context: AdminContext): void {
  const { call, newName } = context;
  const { create, definition, pathOf, served } = createRestMaker(context);
  const tryGraphql = (body: object, headers = {}) =>
    call('POST', '/graphql-endpoints/dry-run', { body, headers });
  const tryRest = (body: object, headers = {}) => call('POST', '/rest-endpoints/dry-run', { body, headers });

  /** Creates a GraphQL endpoint and publishes a REST endpoint that uses it as its source. */
  async function makePublished() {
    const source = { name: newName(), readTypes: [author, article], access: 'ANYONE' };
    const made = await call('POST', '/graphql-endpoints', { body: source });
    const created = await create({
      source: made.body.id,
      access: 'INHERIT',
      mappings: [
        { name: 'Count', query: countQuery },
        { name: 'Headlines', methods: ['GET', 'POST'], query: headlines },
      ],
    });
    const published = await call('POST', `${pathOf(created)}/publish`);
    const { id, draft } = created.body;
    const route = (mapping: string, facts: object) => ({
      restEndpointId: id,
      restEndpoint: draft.name,
      mapping,
      path: `${draft.pathPrefix}/${mapping.toLowerCase()}`,
      methods: mapping === 'Count' ? ['GET'] : ['GET', 'POST'],
      problems: [],
      changes: [],
      callers: { days: 30, requests: 0, count: 0, items: [] },
      ...facts,
    });
    const gone = { effect: 'ENDS', message: 'The route would be removed' };
    const both = [route('Count', gone), route('Headlines', gone)];
    return { source, made, id, draft, published, route, both, gone };
  }

  describe('a dry run for a GraphQL endpoint', () => {
    it('lists the routes that a removed type would break, with line and column, and changes nothing', async () => {
      const { source, made, id, draft, route } = await makePublished();
      const change = { change: 'REPLACE', id: made.body.id, definition: { ...source, readTypes: [author] } };
      const { status, body } = await tryGraphql(change);
      const problems = [{ message: expect.stringContaining('articleList'), line: 2, column: 3 }];
      const message = 'Its query would no longer fit the source, so it would return 500';
      expect([status, body]).toEqual([
        200,
        { breaks: [route('Headlines', { effect: 'FAILS', message, problems })], changes: [], warnings: [] },
      ]);
      expect(await served(`${draft.pathPrefix}/headlines`)).toBe(200);
      expect((await call('GET', `/graphql-endpoints/${made.body.id}`)).headers.etag).toBe(made.headers.etag);
      expect((await call('GET', `/rest-endpoints/${id}`)).body.broken).toEqual([]);
    });

    it('lists the routes that would require credentials, and warns of public writes', async () => {
      const { source, made, route } = await makePublished();
      const replace = (fields: object) =>
        tryGraphql({ change: 'REPLACE', id: made.body.id, definition: { ...source, ...fields } });
      const asked = { effect: 'RESTRICTED', message: 'It would require an API key' };
      expect((await replace({ access: 'API_KEY' })).body.breaks).toEqual([
        route('Count', asked),
        route('Headlines', asked),
      ]);
      const { body } = await replace({ writeTypes: [author] });
      expect([body.breaks, body.warnings[0].code]).toEqual([[], 'public_write']);
      const created = await tryGraphql({
        change: 'CREATE',
        definition: { ...source, name: newName(), writeTypes: ['*'], readTypes: ['*'] },
      });
      expect([created.body.breaks, created.body.warnings.length]).toEqual([[], 1]);
    });

    it('refuses what the change refuses', async () => {
      const { source, made, draft } = await makePublished();
      const { id } = made.body;
      const other = await call('POST', '/graphql-endpoints', { body: { ...source, name: newName() } });
      const stale = { 'If-Match': '"stale"' };
      const problemOf = async (body: object, headers?: object) => {
        const response = await tryGraphql(body, headers);
        return [response.status, response.body.code, response.body.problems?.[0].path];
      };
      const replace = { change: 'REPLACE', id, definition: source };
      expect(await problemOf({ ...replace, definition: { ...source, readTypes: ['x'] } })).toEqual([
        400,
        'invalid_body',
        'definition.readTypes[0]',
      ]);
      expect(await problemOf({ ...replace, definition: { ...source, name: other.body.name } })).toEqual([
        409,
        'value_in_use',
        'name',
      ]);
      expect(await problemOf({ ...replace, id: noId })).toEqual([404, 'not_found', undefined]);
      expect(await problemOf(replace, stale)).toEqual([412, 'precondition_failed', undefined]);
      const used = await tryGraphql({ change: 'DELETE', id });
      expect([used.status, used.body.code]).toEqual([409, 'in_use']);
      expect(used.body.detail).toContain(draft.name);
      const unused = await tryGraphql({ change: 'DELETE', id: other.body.id });
      expect(unused.body).toEqual({ breaks: [], changes: [], warnings: [] });
      expect(await problemOf({ change: 'DELETE', id: other.body.id }, stale)).toEqual([
        412,
        'precondition_failed',
        undefined,
      ]);
      for (const [body, path] of [
        [{ change: 'ERASE', id }, 'change'],
        [{ change: 'DELETE' }, 'id'],
        [{ change: 'REPLACE', id }, 'definition'],
        [{ change: 'DELETE', id, force: true }, 'force'],
      ] as const) {
        expect(await problemOf(body)).toEqual([400, 'invalid_body', path]);
      }
    });
  });

  describe('a dry run for a REST endpoint', () => {
    it('lists all routes that unpublishing or deleting would remove, and still serves them', async () => {
      const { id, draft, both } = await makePublished();
      for (const change of ['UNPUBLISH', 'DELETE']) {
        const { status, body } = await tryRest({ change, id });
        expect([status, body]).toEqual([200, { breaks: both, changes: [], warnings: [] }]);
      }
      expect(await served(`${draft.pathPrefix}/count`)).toBe(200);
    });

    it('lists the routes that a new definition would remove', async () => {
      const { id, draft, route, gone } = await makePublished();
      const renamed = draft.mappings.map((mapping: { name: string }) =>
        mapping.name === 'Count' ? { ...mapping, path: '/total' } : { ...mapping, methods: ['GET'] },
      );
      const changed = { ...draft, mappings: renamed };
      const expected = [route('Count', gone), route('Headlines', { ...gone, methods: ['POST'] })];
      const tried = await tryRest({ change: 'PUBLISH', id, definition: changed });
      expect(tried.body.breaks).toEqual(expected);
      expect((await tryRest({ change: 'PUBLISH', id })).body.breaks).toEqual([]);
      await call('PUT', `/rest-endpoints/${id}`, { body: changed });
      expect((await tryRest({ change: 'PUBLISH', id })).body.breaks).toEqual(expected);
    });

    it('lists nothing for an unpublished endpoint, and refuses what the change refuses', async () => {
      const created = await create();
      const { id, draft } = created.body;
      for (const change of ['PUBLISH', 'UNPUBLISH', 'DELETE']) {
        expect((await tryRest({ change, id })).body).toEqual({ breaks: [], changes: [], warnings: [] });
      }
      const { status, body } = await tryRest({ change: 'PUBLISH', id, definition: { ...draft, name: '' } });
      expect([status, body.problems[0].path]).toEqual([400, 'definition.name']);
      const other = await create();
      const taken = definition({ name: other.body.draft.name, pathPrefix: '/elsewhere' });
      expect((await tryRest({ change: 'PUBLISH', id, definition: taken })).status).toBe(409);
      expect((await tryRest({ change: 'DELETE', id: noId })).status).toBe(404);
      expect((await tryRest({ change: 'DELETE', id }, { 'If-Match': '"stale"' })).status).toBe(412);
      expect((await tryRest({ change: 'SAVE', id })).status).toBe(400);
    });
  });
}
