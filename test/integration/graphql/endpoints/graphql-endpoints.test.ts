import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Problem } from '../../../../src/base/errors.ts';
import type { GraphqlEndpoint } from '../../../../src/graphql/endpoints/graphql-endpoint.ts';
import { errorOf, type OpenedEndpoints, openEndpoints } from '../../../support/endpoints.ts';
import { type StoreLocation, sqliteLocation } from '../../../support/stores.ts';

let location: StoreLocation;
let opened: OpenedEndpoints;
let endpoints: OpenedEndpoints['graphqlEndpoints'];
beforeAll(async () => {
  location = sqliteLocation();
  opened = await openEndpoints(location);
  endpoints = opened.graphqlEndpoints;
});
afterEach(() => opened.clear());

const news = { name: 'Café News!', readTypes: ['news.Article', 'news.Person'], access: 'ANYONE' };

const definitionOf = ({ id: _id, version: _version, updatedAtMs: _at, ...definition }: GraphqlEndpoint) =>
  definition;

const problemsOf = async (refused: Promise<unknown>) => {
  const { code, details } = await errorOf(refused);
  expect(code).toBe('invalid_body');
  const { problems } = details as { problems: Problem[] };
  return Object.fromEntries(problems.map(({ path, message }) => [path, message]));
};

describe('a GraphQL endpoint', () => {
  it('has defaults for omitted members', async () => {
    const made = await endpoints.create(news);
    expect(definitionOf(made)).toEqual({
      ...news,
      path: 'cafe-news',
      writeTypes: [],
      defaultLimit: 10,
      maxLimit: 100,
      introspection: true,
      trustedOnly: false,
    });
    expect(await endpoints.get(made.id)).toEqual(made);
    expect(await endpoints.list()).toEqual([made]);
  });

  it('reduces its default limit to its maximum limit', async () => {
    expect(await endpoints.create({ ...news, maxLimit: 5 })).toMatchObject({ defaultLimit: 5, maxLimit: 5 });
  });

  it('stores the members of its body', async () => {
    const body = {
      name: 'All',
      path: 'Every_thing-1',
      readTypes: ['*'],
      writeTypes: ['news.Person', 'news.Article'],
      access: 'API_KEY',
      defaultLimit: 0,
      maxLimit: 1000,
      introspection: false,
      trustedOnly: true,
    };
    expect(definitionOf(await endpoints.create(body))).toEqual(body);
  });

  it('is replaced as a whole, with a new version', async () => {
    const made = await endpoints.create({ ...news, maxLimit: 7, writeTypes: ['news.Author'] });
    const replaced = await endpoints.replace({ id: made.id, body: { ...news, name: 'Other' } });
    expect(replaced).toMatchObject({
      id: made.id,
      name: 'Other',
      path: 'other',
      maxLimit: 100,
      writeTypes: [],
    });
    expect(replaced.version).not.toBe(made.version);
  });

  it('is replaced and deleted only if the version matches', async () => {
    const { id, version } = await endpoints.create(news);
    await endpoints.replace({ id, body: { ...news, maxLimit: 20 }, ifVersions: [version] });
    const stale = { id, ifVersions: [version] };
    expect(await errorOf(endpoints.replace({ ...stale, body: news }))).toMatchObject({
      code: 'precondition_failed',
    });
    expect(await errorOf(endpoints.delete(stale))).toMatchObject({ code: 'precondition_failed' });
    await endpoints.delete({ id });
    expect(await endpoints.list()).toEqual([]);
  });

  it('is not found when it does not exist or the record is of another kind', async () => {
    const { asset, version } = await opened.system.create(
      { _type: 'com.colophon.system.User', email: 'a@b', role: 'admin', passwordHash: 'x' },
      {},
    );
    for (const id of [asset._id, '00000000-0000-0000-0000-000000000000', 'no UUID']) {
      for (const asked of [
        endpoints.get(id),
        endpoints.replace({ id, body: news }),
        endpoints.delete({ id }),
      ]) {
        expect(await errorOf(asked)).toMatchObject({
          code: 'not_found',
          message: `There is no GraphQL endpoint "${id}"`,
        });
      }
    }
    expect(await opened.system.get(asset._id, {})).toEqual({ asset, version });
  });
});

describe('a body', () => {
  it('is refused with all its problems', async () => {
    const refused = await problemsOf(
      endpoints.create({
        path: 'a/b',
        readTypes: ['*', 'news.Person', 'news.Nothing', 'news.Unused', '__proto__', 3],
        access: 'NOBODY',
        defaultLimit: 30,
        maxLimit: 20,
        introspection: 'yes',
        _id: '00000000-0000-0000-0000-000000000000',
        'cms.content.publishDate': 1,
        surprise: 1,
      }),
    );
    expect(refused).toEqual({
      name: 'is required',
      path: 'must match ^[A-Za-z0-9_-]+$',
      readTypes: 'must have no other names beside *',
      'readTypes[2]': 'is neither a content type nor an interface',
      'readTypes[3]': 'is an interface that no content type implements',
      'readTypes[4]': 'is neither a content type nor an interface',
      'readTypes[5]': 'must be a string',
      access: 'must be one of ANYONE, API_KEY, CLIENT_CREDENTIALS',
      defaultLimit: 'must be at most maxLimit, which is 20',
      introspection: 'must be true or false',
      _id: 'is not a member of a GraphQL endpoint',
      'cms.content.publishDate': 'is not a member of a GraphQL endpoint',
      surprise: 'is not a member of a GraphQL endpoint',
    });
  });

  it.each<[what: string, change: object, path: string]>([
    ['no types', { readTypes: [] }, 'readTypes'],
    ['a type twice', { readTypes: ['news.Article', 'news.Article'] }, 'readTypes'],
    ['types that are no list', { readTypes: 'news.Article' }, 'readTypes'],
    ['what is written beyond what is read', { writeTypes: ['com.colophon.cms.db.Site'] }, 'writeTypes'],
    ['write access to all types, but read access to some', { writeTypes: ['*'] }, 'writeTypes'],
    ['a limit above the maximum', { maxLimit: 1001 }, 'maxLimit'],
    ['a name that contains no character for a path', { name: '!?' }, 'path'],
    ['a name without letters', { name: '' }, 'name'],
  ])('is refused for %s', async (_what, change, path) => {
    expect(await problemsOf(endpoints.create({ ...news, ...change }))).toHaveProperty([path]);
  });

  it.each([[null], [[]], ['text'], [undefined]])('must be an object, not %j', async (body) => {
    expect(await problemsOf(endpoints.create(body))).toEqual({ '': 'The body must be a JSON object' });
  });

  it('is refused for the name or path of another endpoint, with the member of the body', async () => {
    const { id } = await endpoints.create(news);
    const other = await endpoints.create({ ...news, name: 'Other' });
    const named = { ...news, path: 'free' };
    const placed = { ...news, name: 'Free', path: 'cafe-news' };
    for (const [body, field, value] of [
      [named, 'name', 'Café News!'],
      [placed, 'path', 'cafe-news'],
    ]) {
      const taken = { code: 'value_in_use', details: { field, value } };
      expect(await errorOf(endpoints.create(body))).toMatchObject(taken);
      expect(await errorOf(endpoints.replace({ id: other.id, body }))).toMatchObject(taken);
    }
    expect(await endpoints.replace({ id, body: news })).toMatchObject({ path: 'cafe-news' });
  });
});

it('an endpoint cannot be deleted while a draft or published REST endpoint uses it', async () => {
  const [draft, published] = [await endpoints.create(news), await endpoints.create({ ...news, name: 'Two' })];
  const { restEndpoints } = opened;
  const mapped = { name: 'Blog', mappings: [] };
  const { id } = await restEndpoints.create({ body: { ...mapped, source: published.id }, by: 'me' });
  await restEndpoints.publish({ id, by: 'me' });
  await restEndpoints.save({ id, body: { ...mapped, source: draft.id }, by: 'me' });
  for (const source of [draft, published]) {
    expect(await errorOf(endpoints.delete({ id: source.id }))).toMatchObject({
      code: 'in_use',
      details: { id: source.id, users: ['Blog'] },
      message: `GraphQL endpoint ${JSON.stringify(source.name)} is used by "Blog"`,
    });
  }
  await restEndpoints.publish({ id, by: 'me' });
  await endpoints.delete({ id: published.id });
  await restEndpoints.delete({ id });
  await endpoints.delete({ id: draft.id });
});

describe('the first endpoints', () => {
  it('are management and delivery', async () => {
    await endpoints.createFirst();
    expect((await endpoints.list()).map(definitionOf)).toEqual([
      {
        name: 'management',
        path: 'management',
        readTypes: ['*'],
        writeTypes: ['*'],
        access: 'CLIENT_CREDENTIALS',
        defaultLimit: 10,
        maxLimit: 1000,
        introspection: true,
        trustedOnly: false,
      },
      {
        name: 'delivery',
        path: 'delivery',
        readTypes: ['*'],
        writeTypes: [],
        access: 'API_KEY',
        defaultLimit: 10,
        maxLimit: 100,
        introspection: true,
        trustedOnly: false,
      },
    ]);
  });

  it('are created once when many processes start at the same time', async () => {
    const others = await Promise.all([openEndpoints(location), openEndpoints(location)]);
    const all = [opened, ...others].map(({ graphqlEndpoints }) => graphqlEndpoints);
    await Promise.all(all.map(({ createFirst }) => createFirst()));
    expect((await endpoints.list()).map(({ name }) => name)).toEqual(['management', 'delivery']);
    await Promise.all(others.map(({ close }) => close()));
  });

  it('are not created when an endpoint exists', async () => {
    await endpoints.create(news);
    await endpoints.createFirst();
    expect(await endpoints.list()).toHaveLength(1);
  });
});

it('the revision differs after every write, in every process', async () => {
  const other = await openEndpoints(location);
  const seen = [await endpoints.revision()];
  const { id } = await other.graphqlEndpoints.create(news);
  seen.push(await endpoints.revision());
  await other.graphqlEndpoints.replace({ id, body: news });
  seen.push(await endpoints.revision());
  await other.graphqlEndpoints.delete({ id });
  seen.push(await endpoints.revision());
  expect(new Set(seen).size).toBe(4);
  await other.close();
});
