import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { RestEndpoint, RestEndpointVersion } from '../../../../src/mapping/records/rest-endpoint.ts';
import { toRestEndpoint, versionClass } from '../../../../src/mapping/records/rest-endpoint.ts';
import { type RestEndpoints, stateOf } from '../../../../src/mapping/records/rest-endpoints.ts';
import { errorOf, type OpenedEndpoints, openEndpoints } from '../../../support/endpoints.ts';
import { type StoreLocation, sqliteLocation } from '../../../support/stores.ts';

let location: StoreLocation;
let opened: OpenedEndpoints;
let endpoints: RestEndpoints;
let sourceId: string;
beforeAll(async () => {
  location = sqliteLocation();
  opened = await openEndpoints(location);
  endpoints = opened.restEndpoints;
});
beforeEach(async () => {
  const source = { name: 'News', readTypes: ['*'], writeTypes: ['*'], access: 'ANYONE' };
  sourceId = (await opened.graphqlEndpoints.create(source)).id;
});
afterEach(() => opened.clear());

const by = 'ann@example.org';
const list = { name: 'List', query: 'query List { articleList { count } }' };
const make = { name: 'Make', query: 'mutation Make { deleteArticle(_id: "x") }' };
const blog = (...mappings: object[]) => ({ name: 'My Blog', source: 'News', mappings });
const named = (name: string) => ({ ...blog({ ...list, name }), name });

const historyOf = (states: readonly RestEndpointVersion[]) =>
  states.map(({ number, action, definition }) => [number, action, definition.mappings.length]);

describe('a REST endpoint', () => {
  it('is a draft with defaults for omitted members', async () => {
    const made = await endpoints.create({ body: blog(list, make), by });
    expect(made.current).toEqual({
      number: 1,
      action: 'SAVED',
      savedAtMs: opened.clock.nowMs(),
      savedBy: by,
      definition: {
        name: 'My Blog',
        pathPrefix: '/my-blog',
        source: sourceId,
        access: 'INHERIT',
        disableParameterSlashSyntax: false,
        mappings: [
          { ...list, path: '/list', methods: ['GET'], cacheSeconds: 0 },
          { ...make, path: '/make', methods: ['POST'], cacheSeconds: 0 },
        ],
      },
    });
    expect(made.published).toBeUndefined();
    expect(await endpoints.get(made.id)).toEqual(made);
    expect(await endpoints.list()).toEqual([made]);
  });

  it('stores the members of its body', async () => {
    const body = {
      name: 'Blog',
      pathPrefix: '/v1/~blog_.-',
      source: sourceId,
      access: 'CLIENT_CREDENTIALS',
      disableParameterSlashSyntax: true,
      mappings: [
        { ...list, path: '', methods: ['GET', 'PUT'], cacheSeconds: 60 },
        { ...make, path: '/Make/it', methods: ['GET', 'DELETE'], cacheSeconds: 0 },
      ],
    };
    expect((await endpoints.create({ body, by })).current.definition).toEqual(body);
  });

  it('finds its source by ID, even if an older endpoint has that ID as its name', async () => {
    const { graphqlEndpoints } = opened;
    const source = { name: 'Newer', readTypes: ['*'], access: 'ANYONE' };
    const { id } = await graphqlEndpoints.create(source);
    await graphqlEndpoints.replace({ id: sourceId, body: { ...source, name: id } });
    const made = await endpoints.create({ body: { ...blog(), source: id }, by });
    expect(made.current.definition.source).toBe(id);
  });

  it('goes from draft to published to changed, and back', async () => {
    const { id } = await endpoints.create({ body: blog(list), by });
    const states = [stateOf(await endpoints.get(id))];
    const then = async (change: Promise<RestEndpoint>) => states.push(stateOf(await change));
    await then(endpoints.publish({ id, by }));
    await then(endpoints.save({ id, body: blog(list, make), by }));
    await then(endpoints.save({ id, body: blog(list), by }));
    await then(endpoints.save({ id, body: blog(), by }));
    await then(endpoints.publish({ id, by }));
    await then(endpoints.unpublish({ id, by }));
    expect(states).toEqual(['draft', 'published', 'changed', 'published', 'changed', 'published', 'draft']);
  });

  it('serves what was published while its draft is changed', async () => {
    const { id } = await endpoints.create({ body: blog(list), by });
    const { current } = await endpoints.publish({ id, by });
    const { published } = await endpoints.save({ id, body: blog(), by });
    expect(published).toEqual({ number: 2, definition: current.definition });
    expect((await endpoints.publish({ id, by })).published).toMatchObject({
      number: 4,
      definition: { mappings: [] },
    });
  });

  it('is not changed by an update without differences', async () => {
    const draft = await endpoints.create({ body: blog(list), by });
    const { id } = draft;
    expect(await endpoints.unpublish({ id, by })).toEqual(draft);
    const published = await endpoints.publish({ id, by });
    expect(await endpoints.publish({ id, by })).toEqual(published);
    expect(await endpoints.versions(id)).toHaveLength(2);
  });

  it('is not found when it does not exist', async () => {
    const id = '00000000-0000-0000-0000-000000000000';
    const which = { id, by };
    for (const ask of [
      () => endpoints.get(sourceId),
      () => endpoints.get(id),
      () => endpoints.save({ ...which, body: blog() }),
      () => endpoints.publish(which),
      () => endpoints.unpublish(which),
      () => endpoints.restore({ ...which, number: 1 }),
      () => endpoints.delete(which),
      () => endpoints.versions(id),
      () => endpoints.version(id, 1),
    ]) {
      expect(await errorOf(ask())).toMatchObject({ code: 'not_found' });
    }
  });

  it('is refused the name of another endpoint', async () => {
    await endpoints.create({ body: blog(), by });
    const { id } = await endpoints.create({ body: { ...blog(), name: 'Other' }, by });
    const taken = { code: 'value_in_use', details: { field: 'name', value: 'My Blog' } };
    const body = { ...blog(), pathPrefix: '/free' };
    expect(await errorOf(endpoints.create({ body, by }))).toMatchObject(taken);
    expect(await errorOf(endpoints.save({ id, body, by }))).toMatchObject(taken);
  });
});

describe('the versions of a REST endpoint', () => {
  it('are all its states, newest first', async () => {
    const savedAtMs = opened.clock.nowMs();
    const { id } = await endpoints.create({ body: blog(), by });
    opened.clock.advance(5);
    await endpoints.save({ id, body: blog(list), by: 'bob' });
    await endpoints.publish({ id, by });
    await endpoints.unpublish({ id, by });
    const versions = await endpoints.versions(id);
    expect(historyOf(versions)).toEqual([
      [4, 'UNPUBLISHED', 1],
      [3, 'PUBLISHED', 1],
      [2, 'SAVED', 1],
      [1, 'SAVED', 0],
    ]);
    expect(versions[2]).toMatchObject({ savedBy: 'bob', savedAtMs: savedAtMs + 5 });
    expect(versions[3]).toMatchObject({ savedBy: by, savedAtMs });
    for (const state of versions) expect(await endpoints.version(id, state.number)).toEqual(state);
  });

  it('are listed in pages', async () => {
    const { id } = await endpoints.create({ body: blog(), by });
    for (let number = 2; number <= 5; number++) await endpoints.save({ id, body: blog(), by });
    const numbers = async (range: object) =>
      (await endpoints.versions(id, range)).map(({ number }) => number);
    expect(await numbers({ limit: 2 })).toEqual([5, 4]);
    expect(await numbers({ limit: 2, before: 4 })).toEqual([3, 2]);
    expect(await numbers({ limit: 2, before: 2 })).toEqual([1]);
    expect(await numbers({ before: 1 })).toEqual([]);
    expect(await numbers({ before: 100, limit: 1 })).toEqual([5]);
  });

  it('that never existed are not found', async () => {
    const { id } = await endpoints.create({ body: blog(), by });
    for (const number of [0, 2, -1, 1.5]) {
      expect(await errorOf(endpoints.version(id, number))).toMatchObject({ code: 'not_found' });
      expect(await errorOf(endpoints.restore({ id, number, by }))).toMatchObject({ code: 'not_found' });
    }
  });

  it('are restored only as the draft', async () => {
    const { id } = await endpoints.create({ body: blog(), by });
    await endpoints.save({ id, body: { ...blog(list), name: 'Renamed' }, by });
    const { published } = await endpoints.publish({ id, by });
    const restored = await endpoints.restore({ id, number: 1, by });
    expect(restored.current).toMatchObject({
      number: 4,
      action: 'RESTORED',
      definition: { name: 'My Blog' },
    });
    expect(restored.published).toEqual(published);
    const { definition } = await endpoints.version(id, 1);
    expect(restored.current.definition).toEqual(definition);
    expect(historyOf(await endpoints.versions(id))).toHaveLength(4);
  });

  it('are not restored when they would no longer be valid', async () => {
    const { id } = await endpoints.create({ body: blog(list), by });
    await endpoints.save({ id, body: { ...blog(list), pathPrefix: '/moved' }, by });
    await endpoints.create({
      body: { ...blog({ ...list, name: 'Theirs', path: '/list' }), name: 'My-blog' },
      by,
    });
    expect(await errorOf(endpoints.restore({ id, number: 1, by }))).toMatchObject({
      code: 'invalid_body',
      details: {
        problems: [
          {
            path: 'mappings[0].path',
            message:
              'results in GET /my-blog/list, which mapping "Theirs" of REST endpoint "My-blog" already uses',
          },
        ],
      },
    });
  });

  it('are deleted with it, without those of others', async () => {
    const ids = await Promise.all(
      ['A', 'B'].map(async (name) => (await endpoints.create({ body: named(name), by })).id),
    );
    const [gone = '', stays = ''] = ids;
    for (const id of ids)
      for (const _ of [1, 2]) await endpoints.save({ id, body: named(id === gone ? 'A' : 'B'), by });
    await endpoints.delete({ id: gone });
    expect(await errorOf(endpoints.get(gone))).toMatchObject({ code: 'not_found' });
    const page = { from: versionClass, offset: 0, limit: 100, withCount: false };
    const { items } = await opened.system.find(page, {});
    expect(items.map(({ asset }) => asset.endpointId)).toEqual([stays, stays]);
    expect(await endpoints.versions(stays)).toHaveLength(3);
  });
});

describe('of two concurrent changes', () => {
  let other: OpenedEndpoints;
  beforeAll(async () => {
    other = await openEndpoints(location);
  });

  it('one is refused, and no state is lost', async () => {
    const { id } = await endpoints.create({ body: blog(), by });
    const outcomes = await Promise.allSettled([
      endpoints.save({ id, body: blog(list), by: 'a' }),
      other.restEndpoints.save({ id, body: blog(list, make), by: 'b' }),
      endpoints.publish({ id, by: 'c' }),
    ]);
    const refusals = outcomes.filter((outcome) => outcome.status === 'rejected');
    for (const { reason } of refusals) expect(reason).toMatchObject({ code: 'precondition_failed' });
    const done = outcomes.filter((outcome) => outcome.status === 'fulfilled');
    expect(done.length).toBeGreaterThan(0);
    const versions = await endpoints.versions(id);
    expect(versions.map(({ number }) => number)).toEqual(
      Array.from({ length: done.length + 1 }, (_, i) => done.length + 1 - i),
    );
    expect(versions.map(({ savedBy }) => savedBy)).toEqual(
      expect.arrayContaining([by, ...done.map(({ value }) => value.current.savedBy)]),
    );
  });

  it('the one with an older version is refused', async () => {
    const { id, version } = await endpoints.create({ body: blog(), by });
    await other.restEndpoints.save({ id, body: blog(list), by });
    const stale = { id, ifVersions: [version], by };
    for (const late of [
      endpoints.save({ ...stale, body: blog() }),
      endpoints.publish(stale),
      endpoints.unpublish(stale),
      endpoints.restore({ ...stale, number: 1 }),
      endpoints.delete(stale),
    ]) {
      expect(await errorOf(late)).toMatchObject({ code: 'precondition_failed' });
    }
    const { version: latest } = await endpoints.get(id);
    expect(await endpoints.publish({ ...stale, ifVersions: ['another', latest] })).toMatchObject({
      current: { number: 3 },
    });
  });
});

it('a change interrupted after its first step leaves a consistent state', async () => {
  const { id, current } = await endpoints.create({ body: blog(), by });
  await opened.system.create(
    {
      _type: versionClass,
      key: `${id}/1`,
      endpointId: id,
      number: 1,
      action: 'SAVED',
      savedAt: current.savedAtMs,
      savedBy: by,
      definition: current.definition,
    },
    {},
  );
  expect(await endpoints.versions(id)).toEqual([current]);
  expect(await endpoints.version(id, 1)).toEqual(current);
  await endpoints.save({ id, body: blog(list), by });
  expect(historyOf(await endpoints.versions(id))).toEqual([
    [2, 'SAVED', 1],
    [1, 'SAVED', 0],
  ]);
});

it('a record whose source was deleted can still be updated', async () => {
  const { id } = await endpoints.create({ body: blog(list), by });
  await opened.system.delete({ id: sourceId }, {});
  expect(await errorOf(endpoints.publish({ id, by }))).toMatchObject({
    details: { problems: [{ path: 'source', message: 'must be the ID or the name of a GraphQL endpoint' }] },
  });
  await opened.graphqlEndpoints.create({ name: 'New', readTypes: ['*'], access: 'ANYONE' });
  await endpoints.save({ id, body: { ...blog(list), source: 'New' }, by });
  expect(toRestEndpoint(await opened.system.get(id, {})).current.number).toBe(2);
});
