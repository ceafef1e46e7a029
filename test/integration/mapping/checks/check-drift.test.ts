import { afterEach, beforeEach, expect, it } from 'vitest';
import { checkMappings } from '../../../../src/mapping/checks/check-drift.ts';
import { newsSdl, type OpenedEndpoints, openEndpoints } from '../../../support/endpoints.ts';
import { type StoreLocation, sqliteLocation } from '../../../support/stores.ts';

let location: StoreLocation;
let before: OpenedEndpoints;
beforeEach(async () => {
  location = sqliteLocation();
  before = await openEndpoints(location);
  await before.graphqlEndpoints.create({ name: 'News', readTypes: ['*'], access: 'ANYONE' });
});
afterEach(() => before.close());

const by = 'me';
const list = { name: 'List', query: 'query List { articleList { count } }' };
const words = { name: 'Words', query: 'query Words {\n  articleList { items { words } }\n}' };
const blog = (...mappings: object[]) => ({ name: 'Blog', source: 'News', mappings });

async function checkAgainst(sdl: string) {
  const after = await openEndpoints(location, sdl);
  const report = await checkMappings(after);
  await after.close();
  return report;
}

const changedSdl = newsSdl.replace('words: Int', 'pages: Int');
const lost = [{ message: expect.stringMatching(/field "words" on type "Article"/), line: 2, column: 25 }];

it('counts a mapping once, drafted or published or both', async () => {
  const { id } = await before.restEndpoints.create({ body: blog(list, words), by });
  expect(await checkAgainst(newsSdl)).toMatchObject({ checked: 2, broken: [], warnings: [] });
  await before.restEndpoints.publish({ id, by });
  expect(await checkAgainst(newsSdl)).toMatchObject({ checked: 2, broken: [], warnings: [] });
});

it('reports mappings that no longer fit, with location and field', async () => {
  const { id } = await before.restEndpoints.create({ body: blog(list, words), by });
  await before.restEndpoints.publish({ id, by });
  const changed = { ...words, path: '/all-words' };
  await before.restEndpoints.save({ id, body: { ...blog(changed), name: 'Renamed' }, by });
  expect(await checkAgainst(changedSdl)).toMatchObject({
    checked: 3,
    warnings: [],
    broken: [
      { restEndpoint: 'Renamed', mapping: 'Words', state: 'draft', problems: lost },
      { restEndpoint: 'Blog', mapping: 'Words', state: 'published', problems: lost },
    ],
  });
});

it('finds a renamed field in predicate texts too, with its position', async () => {
  const query = 'query Long {\n  articleList(where: "headline = x or words > ?", values: [5]) { count }\n}';
  const { id } = await before.restEndpoints.create({ body: blog({ name: 'Long', query }), by });
  await before.restEndpoints.publish({ id, by });
  const message = 'articleList, where: news.Article has no field "words"';
  const long = { restEndpoint: 'Blog', mapping: 'Long', problems: [{ message, line: 2, column: 39 }] };
  expect(await checkAgainst(changedSdl)).toMatchObject({ broken: [{ ...long, state: 'published' }] });
});

it('warns about a public write without counting it as broken', async () => {
  const made = await before.graphqlEndpoints.create({
    name: 'Open',
    readTypes: ['*'],
    writeTypes: ['*'],
    access: 'ANYONE',
  });
  const query = 'mutation Remove($_id: ID!) { deleteAuthor(_id: $_id) }';
  const body = { ...blog({ name: 'Remove', query }), source: made.id, access: 'INHERIT' };
  await before.restEndpoints.create({ body, by });
  const { broken, warnings } = await checkAgainst(newsSdl);
  expect(broken).toEqual([]);
  expect(warnings).toEqual([
    expect.objectContaining({ code: 'public_write', graphqlEndpoint: 'Open', path: 'writeTypes' }),
    expect.objectContaining({
      code: 'public_write',
      restEndpoint: 'Blog',
      mapping: 'Remove',
      state: 'draft',
    }),
  ]);
});

it('warns about filters without alternatives, in any mapping, and with their position', async () => {
  const empty = {
    name: 'Empty',
    query:
      'query Empty($or: [ArticleFilter!] = []) {\n  articleList(filter: { or: [] }) { count }\n  b: articleList(filter: { not: { headline: { in: [] } } }) { count }\n  c: articleList(filter: { or: $or, and: [] }) { count }\n}',
  };
  await before.restEndpoints.create({ body: blog(list, empty), by });
  const { broken, warnings } = await checkAgainst(newsSdl);
  expect(broken).toEqual([]);
  const where = { code: 'empty_filter', path: 'mappings[1].query', mapping: 'Empty' };
  expect(warnings).toEqual([
    {
      ...where,
      message: 'The filter of articleList has "or: []", which holds for no asset (line 2, column 29)',
      restEndpoint: 'Blog',
      state: 'draft',
    },
    expect.objectContaining({
      ...where,
      message: 'The filter of articleList has "in: []", which holds for no asset (line 3, column 51)',
    }),
  ]);
});

it('counts all mappings of a source without types or of a deleted source as broken', async () => {
  await before.graphqlEndpoints.create({ name: 'One', readTypes: ['news.Article'], access: 'ANYONE' });
  await before.restEndpoints.create({ body: { ...blog(list), source: 'One' }, by });
  await before.restEndpoints.create({ body: { ...blog(list), name: 'Two' }, by });
  const [source] = await before.graphqlEndpoints.list();
  await before.system.delete({ id: source?.id ?? '' }, {});
  const { broken } = await checkAgainst('type Page @contentType(class: "web.Page") { title: String }');
  expect(broken.map(({ restEndpoint, problems }) => [restEndpoint, problems[0]?.message])).toEqual([
    ['Blog', 'GraphQL endpoint "One" is broken: "readTypes" names no content type that there is'],
    ['Two', 'The GraphQL endpoint behind it has been deleted'],
  ]);
});
