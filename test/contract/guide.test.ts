/**
 * Does what README.md and the guide say, as a newcomer in a clean checkout: writes their files, runs their commands as written, from the
 * top, and compares what follows a command with its output. One demo serves all pages.
 */
import { globSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { packageRoot } from '../../src/base/package-root.ts';
import { isOutput, readPage, type Step, stepsOf } from '../support/guide.ts';
import { codeBlocksOf, sectionOf } from '../support/markdown.ts';
import { createReader, type Reader } from '../support/reader.ts';

/** The pages with commands, in the order of a reader; the first two start the servers. */
const pages = [
  'README.md',
  'docs/getting-started.md',
  'docs/cma.md',
  'docs/files.md',
  'docs/feed.md',
  'docs/predicates.md',
  'docs/graphql.md',
  'docs/rest-endpoints.md',
  'docs/admin-api.md',
  'docs/client.md',
  'docs/moving-content.md',
  'docs/contract-tests.md',
  'docs/command-line.md',
  'docs/configuration.md',
  'docs/operating.md',
  'docs/backup.md',
  'docs/content-types.md',
];

/** Commands that are not run here, or not as written, each with the reason. */
const exceptions: readonly { readonly command: string; readonly run?: string; readonly reason: string }[] = [
  {
    command: 'npm ci && npm start',
    run: 'npm start',
    reason: 'The packages are those of this checkout.',
  },
  {
    command:
      'COLOPHON_CLIENT_ID=demo COLOPHON_CLIENT_SECRET=demo npm run colophon -- contract http://127.0.0.1:4000 --types src/cli/demo/types --junit contract.xml',
    run: 'COLOPHON_CLIENT_ID=demo COLOPHON_CLIENT_SECRET=demo npm run colophon -- contract http://127.0.0.1:4000 --types src/cli/demo/types --junit contract.xml --only getAsset',
    reason: 'The cases of one operation; demo.test.ts in contract-suite runs the command as it is written.',
  },
];

/** Sections whose commands are run elsewhere or not at all, each with the reason. */
const sections: readonly { readonly page: string; readonly heading: string; readonly reason: string }[] = [
  {
    page: 'README.md',
    heading: 'What it looks like',
    reason: 'It begins in an empty folder with the published package: published.test.ts follows it.',
  },
  { page: 'README.md', heading: 'Tests', reason: 'It runs all tests, this one among them.' },
  {
    page: 'docs/content-types.md',
    heading: 'Your own content types',
    reason: 'It begins in an empty folder with the published package: published.test.ts follows it.',
  },
  {
    page: 'docs/content-types.md',
    heading: 'The client of your types',
    reason: 'It goes on in that folder: published.test.ts.',
  },
];

/** Pages whose commands are not run, each with the reason. */
const unrun: Readonly<Record<string, string>> = {
  'docs/agents.md': 'Its command is that of a program that uses the server.',
  'docs/embedding.md':
    'It begins in an empty folder with the published package: published.test.ts follows it.',
  'docs/front-ends.md':
    'It begins in empty folders with the published package: front-ends/*.test.ts follow it.',
  'docs/preview.md': 'Its files belong to a site with Next.js: front-ends/next.test.ts adds and visits them.',
  'docs/types-walkthrough.md': 'It begins in an empty folder: cli/types-walkthrough.test.ts follows it.',
  'docs/configuration-as-files.md': 'It needs two installations: cli/configuration.test.ts goes between two.',
  'docs/webhooks.md':
    'It needs a receiver and a cache: cli/configuration.test.ts applies files of webhooks, http/webhooks/*.test.ts receive.',
  'docs/moving-in.md':
    'It needs exports of other systems: importers/moving-in.test.ts follows it with a small one of each.',
  'CONTRIBUTING.md': 'Its commands are the checks of the project, this one among them.',
};

let reader: Reader;
beforeAll(async () => {
  reader = await createReader();
});
afterAll(() => reader.remove());

describe.each(pages)('%s', (page) => {
  it.each(stepsHere(page).map((step) => [nameOf(step), step] as const))('%s', (_name, step) => take(step));
});

async function take(step: Step): Promise<void> {
  if (step.kind === 'write') return reader.write(step.path, `${step.text}\n`);
  const command = exceptions.find((exception) => exception.command === step.command)?.run ?? step.command;
  if (step.kind === 'serve') {
    await reader.interrupt();
    greetings.push(await reader.serve(command));
    return;
  }
  if (!isRepeatable(command)) return runAndCompare(command, step);
  await vi.waitFor(() => runAndCompare(command, step), { timeout: 60_000 });
}

async function runAndCompare(command: string, { output }: Extract<Step, { kind: 'run' }>): Promise<void> {
  const ended = await reader.run(command);
  expect(ended).toEqual({ exitCode: 0, output: ended.output });
  if (output && !isOutput(output, ended.output)) expect(ended.output).toBe(output.text);
}

/** Reading may be tried again: a server notices within a second what another process has changed. */
const isRepeatable = (command: string) => command.startsWith('curl -sG ');

function stepsHere(page: string): Step[] {
  const skipped = sections.filter((section) => section.page === page);
  const text = skipped.reduce(
    (left, { heading }) => left.replace(sectionOf(left, heading), ''),
    readPage(page),
  );
  return stepsOf(text);
}

function nameOf(step: Step): string {
  return step.kind === 'write' ? `write ${step.path}` : step.command;
}

/** What the servers printed until they listened. */
const greetings: string[] = [];

/** Fetches from the running server as soon as the path exists. */
async function fetchWhenThere(path: string, init?: RequestInit): Promise<Response> {
  return await vi.waitUntil(
    async () => {
      const response = await fetch(reader.here(`http://127.0.0.1:4000${path}`), init);
      return response.status !== 404 && response;
    },
    { timeout: 60_000, interval: 100 },
  );
}

describe('what the pages say beside their commands', () => {
  it('the first start prints what README.md and the guide show', async () => {
    // All but what is made up for each store.
    const masked = (text: string) =>
      text.replaceAll(/(ID|Id:|Secret:?|Password) +[\w…-]+/g, '$1 …').replaceAll(/:\d{4,5}\b/g, ':4000');
    for (const page of ['README.md', 'docs/getting-started.md']) {
      const shown = codeBlocksOf(readPage(page)).find(({ text }) => text.startsWith('Colophon is listening'));
      expect(masked(`${greetings[0]}`)).toContain(masked(`${shown?.text}`));
    }
    expect(greetings[1]).toContain('The demo has 40 articles in data/demo');
  });

  it('the demo has more routes', async () => {
    const routes = [...readPage('docs/getting-started.md').matchAll(/`(\/api\/news\/[^`…]+)…?`/g)];
    const values = ['', '', '98136aba-787e-53c6-ae2f-8950cbe5959a', 'Ada%20Quill', 'harbour'];
    expect(routes).toHaveLength(values.length);
    for (const [index, [, route]] of routes.entries()) {
      const response = await fetch(reader.here(`http://127.0.0.1:4000${route}${values[index]}`));
      expect(await response.text()).toContain('"headline":"');
    }
  });

  it.each(['README.md', 'docs/getting-started.md', 'docs/admin-ui.md'])(
    'the admin UI takes the user of the demo: %s',
    async (page) => {
      expect((await fetchWhenThere('/admin')).headers.get('Content-Type')).toMatch(/^text\/html/);
      const [, email, password] = /`(\S+@\S+)`\s+with\s+the\s+password\s+`(\S+)`/.exec(readPage(page)) ?? [];
      const headers = { 'Content-Type': 'application/json' };
      const body = JSON.stringify({ email, password });
      const signedIn = await fetchWhenThere('/api/admin/session', { method: 'POST', headers, body });
      expect(await signedIn.json()).toMatchObject({ user: { email: 'demo@localhost' } });
    },
  );

  it('the programs of the typed client compile, and with a wrong word they do not', async () => {
    const [program, , routes] = stepsOf(readPage('docs/client.md')).filter((step) => step.kind === 'write');
    if (!program || !routes) throw new Error('docs/client.md has no programs');
    // Together, because the compiler mostly reads its own declarations and those of the client.
    const wrong = [program, routes].map(({ path }) => path.replace('.mts', '-wrong.mts'));
    reader.write(`${wrong[0]}`, `${program.text.replace('page.headline', 'page.title')}\n`);
    reader.write(`${wrong[1]}`, `${routes.text.replace('byAuthor', 'byKing')}\n`);
    const files = [program.path, routes.path, ...wrong].join(' ');
    const compile = `npx tsc --ignoreConfig --noEmit --strict --target esnext --module nodenext ${files}`;
    const { output } = await reader.run(compile);
    const errors = output.match(/^\S+\(\d+,\d+\): error TS.*$/gm)?.toSorted();
    expect(errors).toEqual([
      expect.stringMatching(RegExp(`^${RegExp.escape(`${wrong[0]}`)}.*'title' does not exist`)),
      expect.stringMatching(RegExp(`^${RegExp.escape(`${wrong[1]}`)}.*'byKing' does not exist`)),
    ]);
    expect(output.match(/error TS/g)).toHaveLength(2);
  });

  it('an import copies the content of the demo into another store', async () => {
    const { output } = await reader.run(
      'COLOPHON_DATA_DIR=data/copy npm run --silent colophon -- export --from com.example.news.Article 2>/dev/null',
    );
    expect(output.trim().split('\n')).toHaveLength(40);
  });
});

describe('your own content types in a checkout', () => {
  it('are served by the command of the page', async () => {
    const section = sectionOf(readPage('docs/content-types.md'), 'Your own content types');
    const sdl = codeBlocksOf(section).find(({ language }) => language === 'graphql');
    reader.write('types/recipe.graphql', `${sdl?.text}\n`);
    expect(section).toContain('Stop the demo first (Ctrl-C)');
    await reader.interrupt();
    const [, command] = /`(COLOPHON_TYPES=types .*npm start)`/.exec(section) ?? [];
    await reader.serve(`COLOPHON_CLIENT_ID=me COLOPHON_CLIENT_SECRET=mine ${command}`);
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

describe('the list of pages', () => {
  it('has every page with a command', () => {
    const documents = globSync(['*.md', 'docs/**/*.md'], { cwd: packageRoot });
    const withCommands = documents.filter((path) => stepsOf(readPage(path)).length > 0);
    expect(withCommands.filter((path) => !pages.includes(path) && !(path in unrun))).toEqual([]);
  });

  it('has no exception that does not apply', () => {
    const commands = pages.flatMap((page) => stepsOf(readPage(page))).map(nameOf);
    expect(exceptions.filter(({ command }) => !commands.includes(command))).toEqual([]);
  });
});
