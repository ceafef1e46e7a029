/** The mapped routes of the client: generated from a running server and from a file, compiled, and called on that server. */
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageRoot } from '../../../src/base/package-root.ts';
import { compileCache } from '../../support/compile-cache.ts';
import { startInstance, type TestInstance } from '../../support/instance.ts';
import { type StorePlace, sqlitePlace } from '../../support/stores.ts';
import { fillWithNews, type NewsIds } from '../http/routes/news.ts';
import { type FaultyProxy, startFaultyProxy } from './faulty-proxy.ts';
import { createProject, type Project } from './project.ts';

const find = {
  name: 'Find',
  query: `query Find($where: String, $values: [JSON!], $by: [SortInput!], $limit: Int = 2, $brief: Boolean! = true) {
    articleList(where: $where, values: $values, sortBy: $by, limit: $limit) {
      count items { slug readingMinutes @skip(if: $brief) }
    }
  }`,
  methods: ['GET', 'POST'],
};
const stories = {
  name: 'Stories',
  source: 'management',
  access: 'API_KEY',
  mappings: [
    {
      name: 'By ID',
      query: 'query ById($id: ID!) { article(_id: $id) { headline status related { slug } } }',
    },
    { name: 'Count all */', path: '/count', query: 'query CountAll { articleList { count } }' },
    find,
    {
      name: 'Change',
      query: `mutation Change($id: ID!, $input: UpdateArticleInput!) {
        updateArticle(_id: $id, input: $input) { tags sources { title } status }
      }`,
      methods: ['PUT'],
    },
    { name: 'Remove', query: 'mutation Remove($id: ID!) { deleteArticle(_id: $id) }', methods: ['DELETE'] },
  ],
};
const literal = { ...stories, name: 'Literal stories', disableParameterSlashSyntax: true, mappings: [find] };
const alike = { ...stories, name: 'stories', pathPrefix: '/stories2', mappings: [find] };
const draft = { ...stories, name: 'Never published' };

interface Outcome {
  readonly exitCode: number;
  readonly stderr: string;
}

/** Runs codegen with the environment given and nothing else. */
function codegen(words: readonly string[], env: Record<string, string> = {}): Promise<Outcome> {
  return new Promise((resolve) => {
    const options = { cwd: packageRoot, env: { ...compileCache, PATH: process.env.PATH, ...env } };
    execFile(process.execPath, ['codegen.ts', ...words], options, (error, _stdout, stderr) => {
      resolve({ exitCode: error ? Number(error.code) : 0, stderr });
    });
  });
}

/** What the program exports. */
type Program = Readonly<Record<string, (...args: unknown[]) => Promise<unknown>>>;

const folder = mkdtempSync(join(tmpdir(), 'colophon-generated-'));
let place: StorePlace;
let instance: TestInstance;
let news: NewsIds;
let proxy: FaultyProxy;
let admin: Record<string, string>;
let key: string;
let project: Project;
let program: Program;

beforeAll(async () => {
  place = sqlitePlace();
  instance = await startInstance(place);
  const { content, clients, restEndpoints } = instance.services;
  news = await fillWithNews(content);
  for (const body of [stories, literal, alike, draft]) {
    const { id } = await restEndpoints.create({ body, by: 'a test' });
    if (body !== draft) await restEndpoints.publish({ id, by: 'a test' });
  }
  const { 'X-Client-Id': reader } = await instance.createClient({ scopes: ['graphql'] });
  key = (await clients.addKey({ clientId: reader, name: 'routes' })).secret;
  const { 'X-Client-Id': id, 'X-Client-Secret': secret } = await instance.createClient({ scopes: ['admin'] });
  admin = { COLOPHON_CLIENT_ID: id, COLOPHON_CLIENT_SECRET: secret };
  await instance.refresh();
  proxy = await startFaultyProxy(instance.url);
  const made = await codegen(['--endpoints', instance.url, '--out', folder], admin);
  expect(made).toEqual({ exitCode: 0, stderr: '' });
  project = createProject(join(folder, 'client'));
  const usage = readFileSync(join(import.meta.dirname, 'routes-usage.txt'), 'utf8');
  project.write('usage.ts', usage);
  expect(await project.compile('nodenext')).toBe('');
  program = await import(join(project.folder, 'built/usage.js'));
}, 240_000);
afterAll(async () => {
  rmSync(folder, { recursive: true });
  project?.remove();
  await proxy?.close();
  await instance?.stop();
  await place?.remove();
});

const call = (name: string, ...args: unknown[]) =>
  program[name]?.({ baseUrl: proxy.url, apiKey: key }, ...args);

describe('the routes of the client', () => {
  it('compile as bundlers resolve them', async () => {
    expect(await project.compile('bundler')).toBe('');
  });

  it('give the data of their operations', async () => {
    expect(await call('countAll')).toBe(3);
    expect(await call('readOne', news.first)).toBe('About first');
    expect(await call('readOne', news.missing)).toBeUndefined();
    const by = [{ field: 'readingMinutes', order: 'DESC' }, { field: 'slug' }];
    const variables = { where: 'tags = ? and readingMinutes > ?', values: ['sea', '5'], by };
    expect(await call('findSome', variables)).toEqual([1, ['second'], [12]]);
    expect(await call('findLiterally')).toEqual([{ slug: 'third' }, { slug: 'first' }]);
    expect(await call('change', news.second)).toEqual({
      tags: ['a', 'b'],
      sources: [{ title: 'Rumour' }],
      status: 'REVIEW',
    });
    const { asset } = await instance.services.content.create(
      { _type: 'com.example.news.Article', slug: 'short-lived', headline: 'A', status: 'DRAFT' },
      {},
    );
    expect(await call('removeTwice', asset._id)).toEqual([true, false]);
  });

  it('throw what they are refused with', async () => {
    expect(await call('refusal', news.missing)).toEqual([
      true,
      'NotFoundError',
      404,
      'not_found',
      1,
      `There is no asset "${news.missing}"`,
    ]);
    const stranger = program.refusal?.({ baseUrl: instance.url, apiKey: 'wrong' }, news.first);
    expect(await stranger).toEqual([
      true,
      'UnauthorizedError',
      401,
      'unauthorized',
      1,
      'The API key is wrong',
    ]);
    const nobody = program.refusal?.({ baseUrl: instance.url }, news.first);
    expect(await nobody).toEqual(expect.arrayContaining([true, 'UnauthorizedError', 401]));
    await expect(call('unwritable')).rejects.toThrow('"values" cannot be an empty list');
    await expect(call('aborted')).rejects.toBe('enough');
  });

  it('take the credentials of an API client too', async () => {
    const headers = await instance.createClient({ scopes: ['graphql'] });
    await instance.refresh();
    const [clientId, clientSecret] = [headers['X-Client-Id'], headers['X-Client-Secret']];
    expect(await program.countAll?.({ baseUrl: instance.url, clientId, clientSecret })).toBe(3);
  });

  it('are asked again by GET, and for a mutation only where nothing was done', async () => {
    for (const fault of ['cut after', 'half', { status: 504 }, { status: 503 }] as const) {
      proxy.fail(fault);
      expect(await call('countAll')).toBe(3);
      expect(proxy.requests).toHaveLength(2);
    }
    proxy.fail({ status: 503 });
    expect(await call('change', news.second)).toMatchObject({ status: 'REVIEW' });
    for (const fault of ['cut after', { status: 504 }] as const) {
      proxy.fail(fault);
      await expect(call('change', news.second)).rejects.toMatchObject({
        code: expect.stringMatching(/^(connection_failed|http_504)$/),
      });
      expect(proxy.requests).toHaveLength(1);
    }
  });
});

describe('codegen --endpoints', () => {
  const saved = join(folder, 'openapi/routes.json');

  it('gives each endpoint a name of its own, and leaves drafts out', () => {
    const types = readFileSync(join(folder, 'client/lib/routes.d.ts'), 'utf8');
    const names = [...types.matchAll(/^ {4}(\w+): \{$/gm)].map(([, name]) => name);
    expect(names).toEqual(['literalStories', 'stories', 'stories2'].toSorted());
    const { exports } = JSON.parse(readFileSync(join(folder, 'client/package.json'), 'utf8'));
    expect(Object.keys(exports)).toEqual(['.', './admin', './routes']);
  });

  it('makes the same of what it saved, and finds what differs', async () => {
    const check = ['--check', '--out', folder];
    expect(await codegen([...check, '--endpoints', saved])).toEqual({ exitCode: 0, stderr: '' });
    const without = await codegen(check);
    expect([without.exitCode, without.stderr]).toEqual([
      1,
      expect.stringContaining('client/lib/routes.js is not generated'),
    ]);
    expect(existsSync(join(packageRoot, 'generated/client/lib/routes.js'))).toBe(false);
  }, 240_000);

  const file = (text: string) => {
    const path = join(folder, '..', `${folder.split('/').at(-1)}.json`);
    writeFileSync(path, text);
    return path;
  };
  const petstore = {
    openapi: '3.1.0',
    info: { title: 'Pets' },
    paths: { '/pets': { get: { operationId: 'pets' } } },
  };
  it.each<[what: string, words: () => string[], env: () => Record<string, string>, message: RegExp]>([
    [
      'a server that is not there',
      () => ['http://127.0.0.1:1'],
      () => admin,
      /127\.0\.0\.1:1 cannot be read: .*got no answer/,
    ],
    [
      'no credentials',
      () => [instance.url],
      () => ({}),
      /give the ID and secret of a client with the scope admin/,
    ],
    [
      'wrong credentials',
      () => [instance.url, '--client-id', 'a', '--client-secret', 'b'],
      () => admin,
      /cannot be read: .*client ID or the client secret is wrong/i,
    ],
    [
      'credentials without the scope',
      () => [
        instance.url,
        '--client-id',
        instance.headers['X-Client-Id'],
        '--client-secret',
        instance.headers['X-Client-Secret'],
      ],
      () => ({}),
      /cannot be read: .*admin/,
    ],
    ['no file', () => ['/nowhere/routes.json'], () => ({}), /There is no file \/nowhere\/routes\.json/],
    ['a folder', () => [tmpdir()], () => ({}), /is a folder/],
    ['no JSON', () => [file('{')], () => ({}), /is no JSON: /],
    [
      'something else',
      () => [file('{"a":1}')],
      () => ({}),
      /is not the OpenAPI document of a REST endpoint: it is no/,
    ],
    [
      'another API',
      () => [file(JSON.stringify([petstore]))],
      () => ({}),
      /\.json\[0\] is not .*: GET \/pets does not/,
    ],
    ['no endpoint', () => [file('[]')], () => ({}), /has no published REST endpoint/],
  ])('fails clearly over %s', async (_what, words, env, message) => {
    const { exitCode, stderr } = await codegen(
      ['--check', '--out', folder, '--endpoints', ...words()],
      env(),
    );
    expect([exitCode, stderr.trim().split('\n').length]).toEqual([1, 1]);
    expect(stderr).toMatch(message);
    expect(stderr).toMatch(/^codegen: /);
    rmSync(file(''));
  });
});
