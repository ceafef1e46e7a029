/**
 * What README.md says, as a newcomer does it in a clean checkout: its commands as written, from the top, on the stores and servers that
 * the sections before have left. The section "Your own content types" begins outside of a checkout; published.test.ts follows it.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { packageRoot } from '../../src/base/package-root.ts';
import { type CodeBlock, codeBlocksOf, sectionOf } from '../support/markdown.ts';
import { createReader, type Reader } from '../support/reader.ts';

const readme = readFileSync(join(packageRoot, 'README.md'), 'utf8');
const blocksOf = (heading: string) => codeBlocksOf(sectionOf(readme, heading));

let reader: Reader;
beforeAll(async () => {
  reader = await createReader();
});
afterAll(() => reader.remove());

/** The blocks of commands that were pasted. */
const pasted: string[] = [];

async function paste(block: CodeBlock | undefined): Promise<string> {
  if (block?.language !== 'sh') throw new Error(`This is no block of commands: ${block?.text}`);
  pasted.push(block.text);
  const { exitCode, output } = await reader.run(block.text);
  expect([exitCode, output]).toEqual([0, output]);
  return output;
}

async function start(block: CodeBlock | undefined, command: string): Promise<string> {
  if (block) pasted.push(block.text);
  return reader.serve(command);
}

/** What a request answers; the server's caches follow what other processes did within a second. */
async function fetchWhenThere(path: string, init?: RequestInit): Promise<Response> {
  return await vi.waitUntil(
    async () => {
      const response = await fetch(reader.here(`http://127.0.0.1:4000${path}`), init);
      return response.status !== 404 && response;
    },
    { timeout: 20_000, interval: 100 },
  );
}

describe('Start', () => {
  const [install, printed] = blocksOf('Start');
  let greeting: string;

  it('installs and starts with one line, which prints what the section shows', async () => {
    expect(install?.text).toBe('npm ci && npm start');
    greeting = await start(install, 'npm start');
    // All but what is made up for each store.
    const masked = (text: string) =>
      text.replaceAll(/(ID|Id:|Secret:?|Password) +[\w…-]+/g, '$1 …').replaceAll(/:\d{4,5}\b/g, ':4000');
    expect(masked(greeting)).toContain(masked(`${printed?.text}`));
  });

  it('prints a request that works as pasted', async () => {
    const request = /^ {2}curl .*$/m.exec(greeting)?.[0] ?? '';
    const { output } = await reader.run(request.replace('curl', 'curl -s'));
    expect(JSON.parse(output)).toEqual({ status: 'ok', result: { count: 0, items: [] } });
  });

  it('stops with Ctrl-C', () => reader.interrupt());
});

describe('Something real to query', () => {
  const [demo, ...pairs] = blocksOf('Something real to query');
  it('starts the demo', async () => {
    expect(await start(demo, `${demo?.text}`)).toContain('The demo has 233 speeches');
  });

  const requests = pairs.filter((_block, index) => index % 2 === 0);
  it('has three requests or more', () => expect(requests.length).toBeGreaterThanOrEqual(3));
  it.each(requests)('$text', async (request) => {
    const answer = pairs[pairs.indexOf(request) + 1];
    expect(JSON.parse(await paste(request))).toEqual(JSON.parse(`${answer?.text}`));
  });

  it('names more routes of the demo', async () => {
    const routes = [...readme.matchAll(/`(\/api\/speeches\/\S+=)…`/g)].map(([, route]) => `${route}`);
    const values = ['f9528da6-e1b3-5290-8ef2-4e9754a71161', 'Abraham%20Lincoln', 'railroad'];
    expect(routes).toHaveLength(values.length);
    for (const [index, route] of routes.entries()) {
      const response = await fetch(reader.here(`http://127.0.0.1:4000${route}${values[index]}`));
      expect(await response.text()).toContain('"headline":"State of the Union');
    }
  });
});

describe('REST endpoints', () => {
  const [save, read, answer] = blocksOf('REST endpoints');

  it('saves and publishes an endpoint', async () => {
    expect(await paste(save)).toMatch(/"state":"draft".*^published News, .* under \/news$/ms);
  });

  it('calls its route', async () => {
    await fetchWhenThere('/news/by-tag?tags=short');
    expect(JSON.parse(await paste(read))).toEqual(JSON.parse(`${answer?.text}`));
  });
});

describe('The admin UI', () => {
  it('is there for the user of the demo', async () => {
    expect((await fetchWhenThere('/admin')).headers.get('Content-Type')).toMatch(/^text\/html/);
    const [, email, password] = /`(\S+@\S+)` with the password `(\S+)`/.exec(readme) ?? [];
    const headers = { 'Content-Type': 'application/json' };
    const body = JSON.stringify({ email, password });
    const signedIn = await fetchWhenThere('/api/admin/session', { method: 'POST', headers, body });
    expect(await signedIn.json()).toMatchObject({ user: { email: 'demo@localhost' } });
  });
});

describe('Your own content types', () => {
  it('are served in a checkout, too', async () => {
    const section = sectionOf(readme, 'Your own content types');
    const sdl = codeBlocksOf(section).find(({ language }) => language === 'graphql');
    reader.write('types/recipe.graphql', `${sdl?.text}\n`);
    expect(section).toContain('Stop the demo first (Ctrl-C)');
    await reader.interrupt();
    const [, command] = /`(COLOPHON_TYPES=types .*npm start)`/.exec(section) ?? [];
    const mine = 'COLOPHON_CLIENT_ID=me COLOPHON_CLIENT_SECRET=mine';
    await start(undefined, `${mine} ${command}`);
    const headers = { 'X-Client-Id': 'me', 'X-Client-Secret': 'mine', 'Content-Type': 'application/json' };
    // biome-ignore lint/suspicious/noExplicitAny: answers differ from request to request
    const post = async (body: object): Promise<any> => {
      const init = { method: 'POST', headers, body: JSON.stringify(body) };
      return (await fetchWhenThere('/api/rest/cma/contents', init)).json();
    };
    const recipe = { _type: 'org.example.Recipe', title: 'Soup', slug: 'soup', minutes: 20 };
    expect((await post(recipe)).result).toMatchObject(recipe);
    expect((await post(recipe)).error).toMatchObject({ code: 'value_in_use', path: 'slug' });
    expect((await post({ ...recipe, slug: 'soup-2', minutes: 0 })).error.path).toBe('minutes');
    await reader.interrupt();
  });
});

describe('The typed client', () => {
  const section = sectionOf(readme, 'The typed client');
  const [install, program, run, printed, generate, routes, runRoutes, routesPrinted] = codeBlocksOf(section);
  const [file, routesFile] = [...section.matchAll(/`(example\/\S+\.mts)`/g)].map(([, path]) => `${path}`);

  it('is installed from the checkout, and used by a program on the demo', async () => {
    await paste(install);
    reader.write(`${file}`, `${program?.text}\n`);
    expect(section).toContain('Start the demo again (`npm run demo`)');
    await start(undefined, 'npm run demo');
    expect(await paste(run)).toBe(`${printed?.text}\n`);
  });

  it('has the routes of the demo once it is generated with them', async () => {
    await paste(generate);
    reader.write(`${routesFile}`, `${routes?.text}\n`);
    expect(await paste(runRoutes)).toBe(`${routesPrinted?.text}\n`);
  });

  it('is typed: the programs compile, and with a wrong word they do not', async () => {
    const compile = `npx tsc --ignoreConfig --noEmit --strict --target esnext --module nodenext ${file} ${routesFile}`;
    expect(await reader.run(compile)).toEqual({ exitCode: 0, output: '' });
    reader.write(`${file}`, `${program?.text.replace('page.headline', 'page.title')}\n`);
    reader.write(`${routesFile}`, `${routes?.text.replace('byPresident', 'byKing')}\n`);
    const { output } = await reader.run(compile);
    expect(output.match(/error TS/g)).toHaveLength(2);
    expect(output).toContain("'title' does not exist");
    expect(output).toContain("'byKing' does not exist");
  });
});

describe('Moving content', () => {
  const [copy, toServer] = blocksOf('Moving content');

  it('copies the content of the demo to the store of the first start', async () => {
    await paste(copy);
    const { output } = await reader.run(
      'npm run --silent colophon -- export --from com.example.news.Article',
    );
    expect(output.trim().split('\n')).toHaveLength(233);
  });

  it('imports into a server', async () => {
    await paste(toServer);
  });
});

describe('Command line', () => {
  it('has the commands of the table', async () => {
    const names = [...sectionOf(readme, 'Command line').matchAll(/^\| `([^|]+)` \|/gm)]
      .flatMap(([, calls]) => `${calls}`.split('`, `'))
      .map((call) => call.split(/ [<[-]/)[0]);
    const { output } = await reader.run('npm run --silent colophon -- --help');
    expect(names.length).toBeGreaterThan(15);
    expect(names.filter((name) => !new RegExp(`colophon ${name}( |$)`, 'm').test(output))).toEqual([]);
  });
});

describe('Contract tests', () => {
  it('run on the demo', async () => {
    const [block] = blocksOf('Contract tests');
    pasted.push(`${block?.text}`);
    // Of the cases of one operation, for own-instance.test.ts runs them all.
    const { exitCode, output } = await reader.run(`${block?.text} --only getAsset`);
    expect([exitCode, output]).toEqual([0, expect.stringMatching(/^# \d+ passed, 0 failed/m)]);
  });
});

it('leaves no command of README.md out', () => {
  const elsewhere = [...blocksOf('Your own content types'), ...blocksOf('Working on Colophon')];
  const left = codeBlocksOf(readme)
    .filter(({ language }) => language === 'sh')
    .filter(({ text }) => !pasted.includes(text) && !elsewhere.some((block) => block.text === text));
  expect(left).toEqual([]);
});
