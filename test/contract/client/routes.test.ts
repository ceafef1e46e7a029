/** The client's functions for mapped routes: generated from a server and from a file, compiled, and called on that server. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readEndpoints } from '../../../src/codegen/client/read-endpoints.ts';
import { copyCheckout } from '../../support/clean-checkout.ts';
import { compileCache } from '../../support/compile-cache.ts';
import { startInstance, type TestInstance } from '../../support/instance.ts';
import { codeBlocksOf } from '../../support/markdown.ts';
import { temporaryFolder } from '../../support/opened.ts';
import { sqliteLocation } from '../../support/stores.ts';
import { fillWithNews, type NewsIds } from '../http/routes/news.ts';
import { storyMappings } from '../http/routes/story-mappings.ts';
import { type FaultyProxy, startFaultyProxy } from './faulty-proxy.ts';
import { createProject, type Project } from './project.ts';

const { byId, find, change, remove } = storyMappings;
const stories = {
  name: 'Stories',
  source: 'management',
  access: 'API_KEY',
  mappings: [
    byId,
    find,
    change,
    remove,
    { name: 'Count all */', path: '/count', query: 'query CountAll { articleList { count } }' },
    // Names with a meaning in JavaScript.
    { name: 'New', query: 'query Newest { articleList(limit: 1) { items { slug } } }' },
    {
      name: 'Story',
      path: '/story/{slug}',
      query:
        'query Story($slug: String!, $brief: Boolean! = false) { articleBy(key: { slug: $slug }) { headline tags @skip(if: $brief) } }',
      notFound: '/articleBy',
      result: '/articleBy',
    },
    {
      name: 'Retitle',
      path: '/story/{id}/headline',
      query:
        'mutation Retitle($id: ID!, $headline: String!) { updateArticle(_id: $id, input: { headline: $headline }) { headline } }',
      methods: ['PUT'],
    },
    { name: 'Constructor', query: 'query ToString { articleList(limit: 1) { __typename } }' },
  ],
};
const literal = { ...stories, name: 'Literal stories', disableParameterSlashSyntax: true, mappings: [find] };
const alike = { ...stories, name: 'stories', pathPrefix: '/stories2', mappings: [find] };
const draft = { ...stories, name: 'Never published' };
const story = stories.mappings.find(({ name }) => name === 'Story');
const previewed = {
  name: 'Previewed',
  source: 'management',
  access: 'ANYONE',
  preview: true,
  cacheTags: 'Cache-Tag',
  mappings: [story, { ...find, methods: ['POST'] }],
};

interface Outcome {
  readonly exitCode: number;
  readonly stderr: string;
}

const folder = temporaryFolder();
const checkout = join(folder, 'checkout');
const generated = join(checkout, 'generated');

/** Runs a program in the checkout with only the given environment. */
function run(program: string, words: readonly string[], env: Environment = {}): Promise<Outcome> {
  return new Promise((resolve) => {
    const options = { cwd: checkout, env: { ...compileCache, PATH: process.env.PATH, ...env } };
    execFile(program, [...words], options, (error, _stdout, stderr) => {
      resolve({ exitCode: error ? Number(error.code) : 0, stderr });
    });
  });
}

type Environment = Readonly<Record<string, string>>;

const codegen = (words: readonly string[], env?: Environment) =>
  run(process.execPath, ['codegen.ts', ...words], env);

/** The exports of the program. */
type Program = Readonly<Record<string, (...args: unknown[]) => Promise<unknown>>>;

let instance: TestInstance;
let news: NewsIds;
let proxy: FaultyProxy;
let admin: Environment;
let key: string;
let project: Project;
let program: Program;

beforeAll(async () => {
  instance = await startInstance(sqliteLocation());
  const { content, clients, restEndpoints } = instance.services;
  news = await fillWithNews(content);
  for (const body of [stories, literal, alike, draft, previewed]) {
    const { id } = await restEndpoints.create({ body, by: 'a test' });
    if (body !== draft) await restEndpoints.publish({ id, by: 'a test' });
  }
  const { 'X-Client-Id': reader } = await instance.createClient({ scopes: ['graphql'] });
  key = (await clients.addKey({ clientId: reader, name: 'routes' })).secret;
  await clients.create({ name: 'demo', clientId: 'demo', secret: 'demo', scopes: ['cma:read', 'cma:write'] });
  const { 'X-Client-Id': id, 'X-Client-Secret': secret } = await instance.createClient({ scopes: ['admin'] });
  admin = { COLOPHON_CLIENT_ID: id, COLOPHON_CLIENT_SECRET: secret };
  await instance.refresh();
  proxy = await startFaultyProxy(instance.url);
  copyCheckout(checkout);
  const kept = join(generated, 'openapi/routes.json');
  for (const words of [[instance.url], [kept, '--check']]) {
    expect(await codegen(['--endpoints', ...words], admin)).toEqual({ exitCode: 0, stderr: '' });
  }
  project = createProject(join(generated, 'client'));
  const usage = readFileSync(join(import.meta.dirname, 'routes-usage.txt'), 'utf8');
  project.write('usage.ts', usage);
  for (const [name, text] of Object.entries(readmeExamples())) project.write(`${name}.ts`, text);
  expect(await project.compile('nodenext')).toBe('');
  program = await import(join(project.folder, 'built/usage.js'));
});
afterAll(async () => {
  project?.remove();
  await proxy?.close();
});

/** Reads the examples of the client's README, with the server and credentials of this test. */
function readmeExamples(): Readonly<Record<string, string>> {
  const ownReadme = readFileSync(join(generated, 'client/README.md'), 'utf8');
  const [assets = '', predicates = '', routes = '', operations = '', adminApi = ''] = codeBlocksOf(
    ownReadme,
  ).map(({ text }) => text);
  const asDemo = (text: string) => text.replace("'importer'", "'demo'").replace("'a secret'", "'demo'");
  const examples = {
    'readme-assets': asDemo(`${assets}\n${predicates}`),
    'readme-operations': asDemo(operations),
    'readme-routes': `${routes.replace("'a key'", `'${key}'`)}\nconsole.log((await routes.stories.countAll()).articleList);`,
    'readme-admin': adminApi
      .replace("'deployment'", `'${admin.COLOPHON_CLIENT_ID}'`)
      .replace("'a secret'", `'${admin.COLOPHON_CLIENT_SECRET}'`),
  };
  const here = (text: string) => text.replace(/http:\/\/(localhost|127\.0\.0\.1):4000/, instance.url);
  return Object.fromEntries(Object.entries(examples).map(([name, text]) => [name, here(text)]));
}

const call = (name: string, ...args: unknown[]) =>
  program[name]?.({ baseUrl: proxy.url, apiKey: key }, ...args);

describe('the route functions of the client', () => {
  it('return the data of their operations', async () => {
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
    expect(await call('newest')).toEqual([{ slug: 'first' }, 'ArticleList']);
  });

  it('put variables into the path, and return a value alone or throw NotFoundError', async () => {
    expect(await call('storyOf', 'second')).toEqual({ headline: 'About second' });
    await expect(call('storyOf', 'lost/é ?#')).rejects.toMatchObject({
      name: 'NotFoundError',
      code: 'not_found',
      message: 'GET /stories/story/lost%2F%C3%A9%20%3F%23 found nothing',
    });
    await expect(call('storyOf', '..')).rejects.toThrow('slug must be a text that a path can contain');
    expect(await call('retitle', news.second, 'About second')).toBe('About second');
  });

  it('read the drafts of a release by a preview link or by name, without caching them', async () => {
    const { url, cmaUrl, services } = instance;
    const drafter = await instance.createClient({ scopes: ['cma:read', 'cma:draft', 'graphql'] });
    await instance.refresh();
    const send = (address: string, body: object) =>
      fetch(address, {
        method: address.includes('?') ? 'PUT' : 'POST',
        headers: { ...drafter, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
    const drafted = await send(`${cmaUrl}/${news.second}?release=drafts`, { headline: 'Drafted' });
    expect(drafted.status).toBe(200);
    const { token } = await services.previewLinks.create({ release: 'drafts' });
    const sent: RequestInit[] = [];
    const read = (release: object, credentials: object = {}) =>
      program.previewed?.(
        {
          baseUrl: url,
          ...credentials,
          fetch(address: string, init: RequestInit) {
            sent.push(init);
            return fetch(address, init);
          },
        },
        release,
      );
    const tags = ['com.example.news.Article:any'];
    expect(await read({})).toEqual(['About second', 3, 200, null, null]);
    expect(sent).toMatchObject([{ next: { tags } }, {}]);
    expect(sent[0]).not.toHaveProperty('cache');
    const [clientId, clientSecret] = [drafter['X-Client-Id'], drafter['X-Client-Secret']];
    sent.length = 0;
    for (const [release, credentials] of [
      [{ preview: token }, {}],
      [{ release: 'drafts' }, { clientId, clientSecret }],
    ] as const)
      expect(await read(release, credentials)).toEqual(['Drafted', 3, 200, 'drafts', null]);
    expect(sent.map(({ cache }) => cache)).toEqual(Array(4).fill('no-store'));
    await expect(read({ preview: 'ended' })).rejects.toMatchObject({
      name: 'UnauthorizedError',
      message: 'The preview link does not exist: it was revoked, or its release has ended',
    });
    await expect(call('previewOfLive')).rejects.toThrow('GET /stories/count has no previews');
  });

  it('return status and headers with the data on request, and know the cache tags of their types', async () => {
    expect(await call('storyWithResponse', 'second')).toEqual({ headline: 'About second', tags: ['a', 'b'] });
    await expect(call('storyWithResponse', 'lost')).rejects.toMatchObject({ name: 'NotFoundError' });
    const aborted = call('storyWithResponse', 'second', AbortSignal.abort('enough'));
    await expect(aborted).rejects.toBe('enough');
    expect(await call('cacheTags')).toEqual([['com.example.news.Article:any'], []]);
  });

  it.each([
    ['readme-assets', /^3 of 3\n(About .*\n){3}There is no such asset\.\n(About .*\n){3}$/],
    ['readme-operations', /^\S+ 3\n$/],
    ['readme-routes', /^\{ count: 3 \}\n$/],
    ['readme-admin', /^$/],
  ])('and all others behave as the README says: %s', async (name, printed) => {
    expect(await project.run(process.execPath, [`built/${name}.js`])).toMatch(printed);
  });

  it('and all others are typed: a wrong name in an example of the README does not compile', async () => {
    const examples = readmeExamples();
    project.write(
      'readme-assets.ts',
      examples['readme-assets']?.replace('asset.headline', 'asset.title') ?? '',
    );
    project.write('readme-admin.ts', examples['readme-admin']?.replace("name: 'Site',", '') ?? '');
    project.write('readme-routes.ts', examples['readme-routes']?.replace('countAll', 'countEach') ?? '');
    const messages = await project.compile('bundler');
    expect(messages.match(/error TS/g)).toHaveLength(3);
    expect(messages).toContain("'title' does not exist");
    expect(messages).toContain("Property 'name' is missing");
    expect(messages).toContain("'countEach' does not exist");
  });

  it('throw the error of a rejected request', async () => {
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
    await expect(call('unwritable')).rejects.toThrow('"values[]" cannot be NaN');
    await expect(call('aborted')).rejects.toBe('enough');
  });

  it('accept the credentials of an API client too', async () => {
    const headers = await instance.createClient({ scopes: ['graphql'] });
    await instance.refresh();
    const [clientId, clientSecret] = [headers['X-Client-Id'], headers['X-Client-Secret']];
    expect(await program.countAll?.({ baseUrl: instance.url, clientId, clientSecret })).toBe(3);
  });

  it('repeat GET requests, and mutations with their idempotency key', async () => {
    for (const fault of ['cut after', 'half', { status: 504 }, { status: 503 }] as const) {
      proxy.fail(fault);
      expect(await call('countAll')).toBe(3);
      expect(proxy.requests).toHaveLength(2);
    }
    for (const fault of ['cut after', 'busy after', { status: 504 }, { status: 429 }] as const) {
      proxy.fail(fault);
      expect(await call('change', news.second)).toMatchObject({ status: 'REVIEW' });
      const keys = proxy.requests.map(({ headers }) => headers['idempotency-key']);
      expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
    }
  });
});

describe('codegen --endpoints', () => {
  it('gives each endpoint a unique name and omits drafts', () => {
    const types = readFileSync(join(generated, 'client/lib/routes.d.ts'), 'utf8');
    const names = [...types.matchAll(/^ {4}(\w+): \{$/gm)].map(([, name]) => name);
    expect(names).toEqual(['literalStories', 'previewed', 'stories', 'stories2']);
    const { exports } = JSON.parse(readFileSync(join(generated, 'client/package.json'), 'utf8'));
    expect(Object.keys(exports)).toEqual(['.', './admin', './operations', './routes']);
  });

  it('makes --check report drift when the option is missing', async () => {
    const { exitCode, stderr } = await codegen(['--check']);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('client/lib/routes.js is not generated')]);
  });

  it('explains wrong credentials in one line', async () => {
    const words = ['--check', '--endpoints', instance.url, '--client-id', 'a', '--client-secret', 'b'];
    const { exitCode, stderr } = await codegen(words, admin);
    expect([exitCode, stderr]).toEqual([
      1,
      `codegen: The REST endpoints of ${instance.url} cannot be read: The client ID or the client secret is wrong\n`,
    ]);
  });

  it('fails with a reason when the server cannot be reached or rejects the client', async () => {
    const nobody = readEndpoints({ from: 'http://127.0.0.1:1', clientId: 'a', clientSecret: 'b' });
    await expect(nobody).rejects.toThrow(/127\.0\.0\.1:1 cannot be read: .*got no response/);
    const from = instance.url;
    await expect(readEndpoints({ from })).rejects.toThrow(
      'give the ID and secret of a client with the scope admin',
    );
    const { 'X-Client-Id': clientId, 'X-Client-Secret': clientSecret } = instance.headers;
    await expect(readEndpoints({ from, clientId, clientSecret })).rejects.toThrow(/cannot be read: .*admin/);
  });
});
