/** A client generated from the OpenAPI document of a published REST endpoint: it compiles and calls the served routes. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generateModules } from '../../../integration/mapping/generated-client.ts';
import { startInstance, type TestInstance } from '../../../support/instance.ts';
import { sqliteLocation } from '../../../support/stores.ts';
import { fillWithNews, type NewsIds } from './news.ts';
import { by, documentOf } from './routes-context.ts';
import { storyMappings } from './story-mappings.ts';

const { byId, find, filtered, change, remove } = storyMappings;
const stories = {
  name: 'Stories',
  source: 'management',
  access: 'API_KEY',
  mappings: [byId, find, filtered, change, remove],
};

/** A program that uses the client of `stories`; the compiler checks that its types match the operations. */
const usage = `
import { client } from './client.gen.js';
import { byId, change, filtered, findGet, findPost, remove } from './sdk.gen.js';

export const setUp = (baseUrl: string, key: string) =>
  client.setConfig({ baseUrl, auth: ({ name }) => (name === 'X-API-Key' ? key : undefined) });

export async function headlineOf(id: string): Promise<string | undefined> {
  const { data } = await byId({ query: { id } });
  const status: 'DRAFT' | 'REVIEW' | 'PUBLISHED' | 'ARCHIVED' | undefined = data?.data.article?.status;
  return status && data?.data.article?.headline;
}

export async function slugsWith(tag: string, minutes: number): Promise<unknown> {
  const query = { where: 'tags = ? and readingMinutes > ?', 'values[]': [tag, String(minutes)], 'by/field': 'slug' };
  const { data } = await findGet({ query });
  const slugs: string[] | undefined = data?.data.articleList.items.map(({ slug }) => slug);
  return [data?.data.articleList.count, slugs];
}

type Query = NonNullable<NonNullable<Parameters<typeof filtered>[0]>['query']>;

export async function slugsOf(query: Query): Promise<unknown> {
  return (await filtered({ query })).data?.data.articleList.items.map(({ slug }) => slug);
}

const typed: { slug?: string; 'tags[]'?: string[]; from?: number; words?: string } = {} as Query;
// @ts-expect-error The variables have the types of their fields.
export const wrongType = () => filtered({ query: { ...typed, from: 'five' } });

export async function minutesOf(slug: string): Promise<number | null | undefined> {
  const by = [{ field: 'readingMinutes', order: 'DESC' as const }, { field: 'slug' }];
  const { data } = await findPost({ body: { where: 'slug = ?', values: [slug], by, brief: false } });
  return data?.data.articleList.items[0]?.readingMinutes;
}

export async function addSource(id: string, title: string): Promise<unknown> {
  const input = { tags: ['a', 'b'], sources: [{ title, accessed: 5 }], status: 'REVIEW' as const };
  return (await change({ body: { id, input } })).data?.data.updateArticle;
}

export async function removeTwice(id: string): Promise<unknown> {
  const both = [await remove({ query: { id } }), await remove({ query: { id } })];
  return both.map(({ data }) => data?.data.deleteArticle);
}

export async function changeNothing(id: string): Promise<unknown> {
  const { error, response } = await change({ body: { id, input: {} } });
  return [response?.status, error?.errors[0]?.extensions?.code];
}

export async function askAgain(id: string): Promise<number | undefined> {
  const { response } = await byId({ query: { id } });
  const tag = response?.headers.get('ETag') ?? '';
  return (await byId({ query: { id }, headers: { 'If-None-Match': tag } })).response?.status;
}

// @ts-expect-error The ID is required.
export const withoutId = () => byId({ query: {} });
// @ts-expect-error No status has this name.
export const withoutStatus = (id: string) => change({ body: { id, input: { status: 'NEW' } } });
`;

const literalUsage = `
import { client } from './client.gen.js';
import { findGet } from './sdk.gen.js';

export async function find(baseUrl: string, key: string): Promise<unknown> {
  // The generator takes the types of such parameters from the document, but not their serialization.
  const toLiteral = ([name, value]: [string, unknown]) => name + '=' + encodeURIComponent(JSON.stringify(value));
  client.setConfig({
    baseUrl,
    auth: ({ name }) => (name === 'X-API-Key' ? key : undefined),
    querySerializer: (query) => Object.entries(query).map(toLiteral).join('&'),
  });
  const by = [{ field: 'slug', order: 'DESC' as const }];
  const { data } = await findGet({ query: { where: 'slug in [?, ?]', values: ['first', 'third'], by, limit: 5 } });
  return data?.data.articleList.items;
}
`;

/** The exports of a compiled usage module. */
type Used = Readonly<Record<string, (...args: unknown[]) => Promise<unknown>>>;

describe('a client generated from the document of a REST endpoint', () => {
  let instance: TestInstance;
  let news: NewsIds;
  let key: string;
  const folders: string[] = [];

  beforeAll(async () => {
    instance = await startInstance(sqliteLocation());
    const { content, clients } = instance.services;
    news = await fillWithNews(content);
    const { 'X-Client-Id': clientId } = await instance.createClient({ scopes: ['graphql'] });
    key = (await clients.addKey({ clientId, name: 'generated' })).secret;
  });
  afterAll(() => {
    for (const folder of folders) rmSync(folder, { recursive: true });
  });

  /** Publishes an endpoint, generates its client, and compiles it with a usage module. */
  async function clientOf(body: object, source: string): Promise<Used> {
    const { restEndpoints } = instance.services;
    const { id } = await restEndpoints.create({ body, by });
    await restEndpoints.publish({ id, by });
    const document = await documentOf(instance, id);
    const folder = mkdtempSync(join(tmpdir(), 'colophon-routes-'));
    folders.push(folder);
    const modules = [
      ...(await generateModules(document, source)),
      ['package.json', '{"type":"module"}'] as const,
    ];
    for (const [path, text] of modules) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    return import(join(folder, 'usage.js'));
  }

  it('compiles, and calls its routes with the right results', async () => {
    const used = await clientOf(stories, usage);
    const use = (name: string, ...args: unknown[]) => used[name]?.(...args);
    await use('setUp', instance.url, key);
    expect(await use('headlineOf', news.first)).toBe('About first');
    expect(await use('headlineOf', news.missing)).toBeUndefined();
    expect(await use('slugsWith', 'sea', 5)).toEqual([1, ['second']]);
    expect(await use('slugsOf', {})).toEqual(['first', 'second', 'third']);
    expect(await use('slugsOf', { slug: 'second' })).toEqual(['second']);
    expect(await use('slugsOf', { 'tags[]': ['sea'], from: 6, words: 'second never' })).toEqual(['second']);
    expect(await use('minutesOf', 'second')).toBe(12);
    expect(await use('addSource', news.second, 'Rumour')).toEqual({
      tags: ['a', 'b'],
      sources: [{ title: 'Rumour' }],
      status: 'REVIEW',
    });
    expect(await use('askAgain', news.second)).toBe(304);
    expect(await use('removeTwice', news.second)).toEqual([true, false]);
    expect(await use('changeNothing', news.second)).toEqual([404, 'not_found']);
    await use('setUp', instance.url, 'wrong');
    expect(await use('changeNothing', news.first)).toEqual([401, 'unauthorized']);
  });

  it('sends JSON literals where the slash syntax is disabled', async () => {
    const mappings = stories.mappings.filter(({ name }) => name === 'Find');
    const literal = { ...stories, name: 'Literal stories', disableParameterSlashSyntax: true, mappings };
    const { find } = await clientOf(literal, literalUsage);
    expect(await find?.(instance.url, key)).toEqual([{ slug: 'third' }, { slug: 'first' }]);
  });
});
