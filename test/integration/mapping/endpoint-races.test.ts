/** Concurrent changes of endpoints, in the worst possible order. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createGraphqlEndpoints } from '../../../src/graphql/endpoints/graphql-endpoints.ts';
import { findDependents, versionClass } from '../../../src/mapping/records/rest-endpoint.ts';
import { createRestEndpoints, type RestEndpoints } from '../../../src/mapping/records/rest-endpoints.ts';
import { errorOf, newsSdl, type OpenedEndpoints, openEndpoints } from '../../support/endpoints.ts';
import { type StoreLocation, sqliteLocation } from '../../support/stores.ts';
import { catalogOf } from '../../support/types.ts';

let location: StoreLocation;
let opened: OpenedEndpoints;
let endpoints: RestEndpoints;
let sourceId: string;
beforeEach(async () => {
  location = sqliteLocation();
  opened = await openEndpoints(location);
  endpoints = opened.restEndpoints;
  sourceId = (await opened.graphqlEndpoints.create(source('News'))).id;
});
afterEach(() => opened.close());

const by = 'me';
const claimClass = 'com.colophon.system.RouteClaim';
const query = 'query List { articleList { count } }';
const source = (name: string) => ({ name, readTypes: ['*'], access: 'ANYONE' });
const blog = (name: string, paths = ['/list']) => ({
  name,
  pathPrefix: '/blog',
  source: sourceId,
  mappings: paths.map((path) => ({ name: `At ${path}`, path, query })),
});
const listOf = async (className: string) => {
  const page = { from: className, offset: 0, limit: 1000, withCount: false };
  return (await opened.system.find(page, {})).items.map(({ asset }) => asset);
};
const routesClaimed = async () => (await listOf(claimClass)).map(({ route }) => route).toSorted();
const problemOf = async (refused: Promise<unknown>) => {
  const { code, details } = await errorOf(refused);
  const [problem] = (details as { problems?: object[] }).problems ?? [];
  return { code, ...problem };
};
const takenBy = (name: string, mapping = '') => ({
  code: 'invalid_body',
  path: 'mappings[0].path',
  message: `results in GET /blog/list, which ${mapping}REST endpoint "${name}" already uses`,
});

/** Two drafts with the same route, as concurrent saves can create them. */
async function makeTwins() {
  const first = await endpoints.create({ body: blog('First'), by });
  const { id } = await endpoints.create({ body: blog('Second', ['/other']), by });
  const draft = { ...first.current.definition, name: 'Second' };
  await opened.system.update({ id, body: { draft } }, {});
  return [first.id, id] as const;
}

describe('two drafts with the same route', () => {
  it('can both be saved and read, but only one can be published', async () => {
    const [first, second] = await makeTwins();
    await endpoints.save({ id: first, body: blog('First', ['/list', '/more']), by });
    expect((await endpoints.check({ id: second, body: blog('Second') })).problems).toEqual([]);
    await endpoints.save({ id: second, body: blog('Second'), by });
    await endpoints.publish({ id: second, by });
    const late = takenBy('Second', 'mapping "At /list" of ');
    expect(await problemOf(endpoints.publish({ id: first, by }))).toEqual(late);
    expect(await problemOf(endpoints.save({ id: first, body: blog('First'), by }))).toEqual(late);
    await endpoints.save({ id: first, body: blog('First', ['/more']), by });
    await endpoints.publish({ id: first, by });
    await endpoints.save({ id: second, body: blog('Second', ['/list', '/third']), by });
    expect((await endpoints.publish({ id: second, by })).current.number).toBe(5);
  });

  it('both prevent a third one', async () => {
    await makeTwins();
    expect(await problemOf(endpoints.create({ body: blog('Third'), by }))).toMatchObject({
      code: 'invalid_body',
      path: 'mappings[0].path',
    });
  });

  it('published by two processes at once: one succeeds, and the other error names it', async () => {
    const other = await openEndpoints(location);
    const [first, second] = await makeTwins();
    for (let round = 0; round < 10; round++) {
      const [one, two] = await Promise.allSettled([
        endpoints.publish({ id: first, by }),
        other.restEndpoints.publish({ id: second, by }),
      ]);
      expect([one?.status, two?.status].toSorted()).toEqual(['fulfilled', 'rejected']);
      const [winner, loser] = one?.status === 'fulfilled' ? [first, two] : [second, one];
      const { current } = await endpoints.get(winner);
      expect(Object(loser).reason.message).toContain(`REST endpoint "${current.definition.name}"`);
      await endpoints.unpublish({ id: winner, by });
    }
    await other.close();
  });
});

describe('the claim on a route', () => {
  it('is kept while the route is published', async () => {
    const { id } = await endpoints.create({ body: blog('First', ['/a', '/b']), by });
    expect(await routesClaimed()).toEqual([]);
    await endpoints.publish({ id, by });
    expect(await routesClaimed()).toEqual(['GET /blog/a', 'GET /blog/b']);
    await endpoints.save({ id, body: blog('First', ['/b', '/c']), by });
    await endpoints.publish({ id, by });
    expect(await routesClaimed()).toEqual(['GET /blog/b', 'GET /blog/c']);
    await endpoints.unpublish({ id, by });
    expect(await routesClaimed()).toEqual([]);
    await endpoints.publish({ id, by });
    await endpoints.delete({ id });
    expect(await routesClaimed()).toEqual([]);
  });

  it('is released when publication fails', async () => {
    const { id } = await endpoints.create({ body: blog('First', ['/a', '/b']), by });
    const other = await endpoints.create({ body: blog('Other', ['/c']), by });
    const claim = { _type: claimClass, route: 'GET /blog/b', endpointId: other.id };
    await opened.system.create({ ...claim, claimedAt: opened.clock.nowMs() }, {});
    expect(await problemOf(endpoints.publish({ id, by }))).toMatchObject({ path: 'mappings[1].path' });
    expect(await routesClaimed()).toEqual(['GET /blog/b']);
  });

  it('passes to the next request if its publication was interrupted or its endpoint deleted', async () => {
    const { id } = await endpoints.create({ body: blog('First'), by });
    const other = await endpoints.create({ body: blog('Other', ['/c']), by });
    const claim = { _type: claimClass, route: 'GET /blog/list', endpointId: other.id };
    await opened.system.create({ ...claim, claimedAt: opened.clock.nowMs() }, {});
    opened.clock.advance(59_000);
    expect(await problemOf(endpoints.publish({ id, by }))).toEqual(takenBy('Other'));
    opened.clock.advance(2_000);
    await endpoints.publish({ id, by });
    expect(await listOf(claimClass)).toMatchObject([{ route: claim.route, endpointId: id }]);
    await endpoints.unpublish({ id, by });
    await opened.system.create({ ...claim, endpointId: sourceId, claimedAt: opened.clock.nowMs() }, {});
    await endpoints.publish({ id, by });
  });
});

describe('a REST endpoint that is deleted', () => {
  it('while it is saved keeps no versions', async () => {
    const { id } = await endpoints.create({ body: blog('First'), by });
    const late = createRestEndpoints({
      ...opened,
      systemPaths: [],
      graphqlEndpoints: {
        ...opened.graphqlEndpoints,
        async list() {
          await endpoints.delete({ id }).catch(() => undefined);
          return opened.graphqlEndpoints.list();
        },
      },
    });
    expect(await errorOf(late.save({ id, body: blog('First'), by }))).toMatchObject({ code: 'not_found' });
    expect(await listOf(versionClass)).toEqual([]);
  });

  it('is completely removed when an interrupted deletion is repeated', async () => {
    const { id } = await endpoints.create({ body: blog('First'), by });
    await endpoints.publish({ id, by });
    await opened.system.delete({ id }, {});
    expect(await errorOf(endpoints.delete({ id: id.toUpperCase() }))).toMatchObject({ code: 'not_found' });
    expect([await listOf(versionClass), await routesClaimed()]).toEqual([[], []]);
    for (const other of ['x', '\0', sourceId]) {
      expect(await errorOf(endpoints.delete({ id: other }))).toMatchObject({ code: 'not_found' });
    }
  });
});

describe('a GraphQL endpoint that is deleted while a REST endpoint on it is created', () => {
  /** GraphQL endpoints that call a function at every search for the users of one, with the number of searches. */
  const withLateWork = (work: (times: number) => Promise<unknown>) => {
    let times = 0;
    return createGraphqlEndpoints({
      system: opened.system,
      catalog: catalogOf(newsSdl),
      documents: opened.trustedDocuments,
      async findDependents(id) {
        const users = await findDependents(opened.system, id);
        await work(++times);
        return users;
      },
    });
  };

  it.each([1, 2])('stays, if it is created after %i searches for users', async (when) => {
    const late = withLateWork(async (times) => {
      if (times === when) await endpoints.create({ body: blog('Late'), by });
    });
    expect(await errorOf(late.delete({ id: sourceId }))).toMatchObject({
      code: 'in_use',
      details: { users: ['Late'] },
    });
    const [made] = await endpoints.list();
    expect(made?.current.definition.source).toBe(sourceId);
    const { asset } = await opened.system.get(sourceId, {});
    expect(asset).not.toHaveProperty('deleting');
    await endpoints.delete({ id: made?.id ?? '' });
    await opened.graphqlEndpoints.delete({ id: sourceId });
  });

  it('is deleted only in the version of the caller, even if it is replaced meanwhile', async () => {
    const { version } = await opened.graphqlEndpoints.get(sourceId);
    const late = withLateWork(async (times) => {
      if (times === 1) await opened.graphqlEndpoints.replace({ id: sourceId, body: source('Renamed') });
    });
    expect(await errorOf(late.delete({ id: sourceId, ifVersions: [version] }))).toMatchObject({
      code: 'precondition_failed',
    });
    await withLateWork(async () => undefined).delete({ id: sourceId });
    expect(await opened.graphqlEndpoints.list()).toEqual([]);
  });

  it('can be used again after an interrupted deletion', async () => {
    await opened.system.update({ id: sourceId, body: { deleting: true } }, {});
    await endpoints.create({ body: blog('First'), by });
    expect((await opened.system.get(sourceId, {})).asset).not.toHaveProperty('deleting');
  });

  /** REST endpoints whose source is deleted between a write and the check of the source. */
  const withoutSource = () =>
    createRestEndpoints({
      ...opened,
      systemPaths: [],
      graphqlEndpoints: {
        ...opened.graphqlEndpoints,
        async cancelDeletion(id) {
          await opened.system.delete({ id }, {});
          return opened.graphqlEndpoints.cancelDeletion(id);
        },
      },
    });
  const gone = { code: 'invalid_body', path: 'source', message: 'has just been deleted' };

  it('is deleted, and no REST endpoint on it remains', async () => {
    expect(await problemOf(withoutSource().create({ body: blog('Late'), by }))).toEqual(gone);
    expect([await endpoints.list(), await listOf(versionClass)]).toEqual([[], []]);
  });

  it('is deleted, and a draft that was saved meanwhile is restored', async () => {
    const made = await endpoints.create({ body: blog('First'), by });
    const other = await opened.graphqlEndpoints.create(source('Other'));
    const body = { ...blog('Moved'), source: other.id };
    expect(await problemOf(withoutSource().save({ id: made.id, body, by }))).toEqual(gone);
    const { version: _, ...rest } = await endpoints.get(made.id);
    expect(made).toMatchObject(rest);
    expect(await endpoints.versions(made.id)).toHaveLength(1);
    const saved = await endpoints.save({ id: made.id, body: blog('First', ['/new']), by });
    expect(saved.current.number).toBe(2);
    expect((await endpoints.versions(made.id)).map(({ number }) => number)).toEqual([2, 1]);
  });
});
