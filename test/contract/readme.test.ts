import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { packageRoot } from '../../src/base/package-root.ts';
import { compileCache } from '../support/compile-cache.ts';

const readme = readFileSync(join(packageRoot, 'README.md'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'colophon-readme-'));

interface Running {
  readonly url: string;
  stop(): Promise<void>;
}

/** Runs a script of the project as `npm run` does, with a port of its own, until it listens. */
async function run(script: string[], environment: Record<string, string>): Promise<Running> {
  const child = spawn(process.execPath, script, {
    cwd: packageRoot,
    env: {
      ...compileCache,
      PATH: process.env.PATH,
      COLOPHON_PORT: '0',
      COLOPHON_LOG_LEVEL: 'silent',
      ...environment,
    },
  });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  const url = await vi.waitUntil(() => /listening on (\S+)\n/.exec(output)?.[1], { timeout: 100_000 });
  const stop = async () => {
    child.kill();
    await once(child, 'exit');
  };
  return { url, stop };
}

afterAll(() => rmSync(folder, { recursive: true }));

describe('the requests of README.md to the demo', () => {
  let demo: Running;
  beforeAll(async () => {
    demo = await run(['src/demo/main.ts'], { COLOPHON_DATA_DIR: join(folder, 'demo') });
  });
  afterAll(() => demo.stop());

  const pairs = [...readme.matchAll(/```sh\n(curl [^`]+)```\n\n```json\n([^`]+)```/g)];
  it('are three or more', () => expect(pairs.length).toBeGreaterThanOrEqual(3));
  it.each(pairs.map(([, request = '', answer = '']) => [request, answer]))('%s', (request, answer) => {
    const command = request.replace('http://127.0.0.1:4000', demo.url);
    expect(JSON.parse(execFileSync('sh', ['-c', command], { encoding: 'utf8' }))).toEqual(JSON.parse(answer));
  });
});

it('the REST endpoint of README.md is saved, published and served as written', async () => {
  const [, script = ''] =
    /## REST endpoints[^`]+```sh\n([^`]+)```/.exec(readme.replaceAll('`admin`', 'admin')) ?? [];
  const environment = {
    ...compileCache,
    PATH: process.env.PATH ?? '',
    COLOPHON_DATA_DIR: join(folder, 'rest'),
  };
  const server = await run(['src/demo/main.ts'], environment);
  const colophon = `'${process.execPath}' src/cli/main.ts`;
  const sh = (text: string) =>
    execFileSync('sh', ['-c', text], { cwd: packageRoot, env: environment, encoding: 'utf8' });
  const made = sh(`${colophon} client create --name admin --scope admin --json`);
  const { clientId, secret } = JSON.parse(made);
  const commands = script
    .replaceAll('http://127.0.0.1:4000', server.url)
    .replaceAll('npm run colophon --', colophon)
    .replace('X-Client-Id: …', `X-Client-Id: ${clientId}`)
    .replace('X-Client-Secret: …', `X-Client-Secret: ${secret}`);
  // Each command is one that a person types: what the one before did is in force by then.
  const [save = '', publish = '', read = ''] = commands.split(/\n(?=npm|'\/|curl -sG)/);
  const saved = await vi.waitUntil(
    () => {
      const answer = JSON.parse(sh(save));
      return answer.state && answer;
    },
    { timeout: 20_000, interval: 100 },
  );
  expect(saved).toMatchObject({ state: 'draft', draft: { pathPrefix: '/news' } });
  expect(sh(publish)).toMatch(/^published News/);
  const answer = await vi.waitUntil(
    () => {
      const { data } = JSON.parse(sh(read));
      return data;
    },
    { timeout: 20_000, interval: 100 },
  );
  expect(answer.articleList.items).toHaveLength(2);
  await server.stop();
});

it('the content types of README.md are served as written', async () => {
  const sdl = /types\/recipe\.graphql`:\n\n```graphql\n([^`]+)```/.exec(readme)?.[1];
  if (!sdl) throw new Error('README.md has no types/recipe.graphql');
  const types = join(folder, 'types');
  mkdirSync(types);
  writeFileSync(join(types, 'recipe.graphql'), sdl);
  const server = await run(['src/cli/main.ts', 'serve'], {
    COLOPHON_TYPES: types,
    COLOPHON_DATA_DIR: join(folder, 'recipes'),
    COLOPHON_CLIENT_ID: 'me',
    COLOPHON_CLIENT_SECRET: 'mine',
  });
  const headers = { 'X-Client-Id': 'me', 'X-Client-Secret': 'mine', 'Content-Type': 'application/json' };
  const cma = `${server.url}/api/rest/cma/contents`;
  // biome-ignore lint/suspicious/noExplicitAny: answers differ from request to request
  const post = async (body: object): Promise<any> =>
    (await fetch(cma, { method: 'POST', headers, body: JSON.stringify(body) })).json();
  const { result: cook } = await post({ _type: 'org.example.Cook', name: 'Julia' });
  const reference = { _ref: cook._id, _type: cook._type };
  const recipe = { _type: 'org.example.Recipe', title: 'Soup', slug: 'soup', minutes: 20, cook: reference };
  expect((await post(recipe)).result).toMatchObject(recipe);
  expect((await post(recipe)).error).toMatchObject({ code: 'value_in_use', path: 'slug' });
  expect((await post({ ...recipe, slug: 'soup-2', minutes: 0 })).error.path).toBe('minutes');
  const found = await fetch(`${cma}?from=org.example.Recipe&where=cook/name%20=%20Julia`, { headers });
  expect(await found.json()).toMatchObject({ result: { count: 1 } });
  await server.stop();
});
