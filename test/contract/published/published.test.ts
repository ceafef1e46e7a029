/**
 * The published package, installed with npm into an empty folder: first the steps of docs/content-types.md for custom content
 * types, as written, then everything else an installation must do. The cases share one installation and run in order.
 */
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { packageRoot } from '../../../src/base/package-root.ts';
import { isOutput, readPage, stepsOf } from '../../support/guide.ts';
import { type CodeBlock, codeBlocksOf, sectionOf } from '../../support/markdown.ts';
import { hostPath, type Serving } from '../../support/shell.ts';
import { workerPids } from '../../support/workers.ts';
import { createProject, type Project } from './published-package.ts';

const section = sectionOf(
  readFileSync(join(packageRoot, 'docs/content-types.md'), 'utf8'),
  'Your own content types',
);
const blocks = codeBlocksOf(section);
const linesOf = (block: CodeBlock | undefined) => block?.text.split('\n') ?? [];
const [install, sdl, serve, program, use, printed] = blocks;
const installations = linesOf(install).slice(0, 2);
const tools = linesOf(install).slice(2);

/** The optional peer dependencies, of which some are for spans or for files and the others for `colophon codegen`, and the command that installs them. */
const root = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8'));
const optionalPeers = Object.keys(root.peerDependenciesMeta).toSorted();
const installs = (names: readonly string[]) =>
  `npm install --save-dev ${names.map((name) => `${name}@${root.devDependencies[name]}`).join(' ')}\n`;

/** The program that `npx colophon` starts. */
const colophon = 'node_modules/.bin/colophon';
const launch = 'node_modules/colophon/dist/server/launch.cjs';

// Nearly every case starts several processes.
vi.setConfig({ testTimeout: 600_000 });

let project: Project;
beforeAll(async () => {
  project = await createProject();
});
afterAll(() => project.remove());

describe('custom content types in an empty folder, as docs/content-types.md describes them', () => {
  let server: Serving;

  it('are described by commands and files', () => {
    expect(blocks.map(({ language }) => language)).toEqual(['sh', 'graphql', 'sh', 'ts', 'sh', '']);
    expect([...section.matchAll(/`(\S+\/\S+\.graphql|\S+\.mts)`/g)].map(([, path]) => path)).toEqual([
      'types/recipe.graphql',
      'recipes.mts',
    ]);
  });

  it('begin with an installation', async () => {
    for (const line of installations) expect(await project.run(line)).toMatchObject({ exitCode: 0 });
    expect(Object.keys(JSON.parse(project.read('package.json')).dependencies)).toEqual(['colophon']);
    project.write('types/recipe.graphql', `${sdl?.text}\n`);
  });

  describe('of which the package without its optional tools', () => {
    it('contains neither Node.js nor the tools that generate the client', () => {
      const packages = readdirSync(join(project.folder, 'node_modules'));
      expect(optionalPeers.filter((name) => packages.includes(name.split('/')[0] ?? ''))).toEqual([]);
    });

    it('serves on Node.js 24', async () => {
      const alone = await project.serve(`${process.execPath} ${launch} serve --types types`, {
        COLOPHON_DATA_DIR: 'alone',
      });
      expect((await fetch(`${alone.url}/healthz`)).status).toBe(200);
      await alone.stop();
    });

    it('says what to install before a client can be generated', async () => {
      const wanted = installs(['@hey-api/openapi-ts', 'typescript']);
      for (const words of ['codegen --types types --out other', 'serve --types types --client other'])
        expect(await project.run(`${process.execPath} ${launch} ${words}`, { COLOPHON_PORT: '0' })).toEqual({
          exitCode: 1,
          output: expect.stringContaining(wanted),
        });
    });

    it('says what to install before files can be in a bucket', async () => {
      const environment = { COLOPHON_DATA_DIR: 'alone', COLOPHON_FILES_URL: 's3://bucket' };
      expect(await project.run(`${process.execPath} ${launch} doctor`, environment)).toEqual({
        exitCode: 1,
        output: expect.stringContaining('npm install @aws-sdk/client-s3@3 @aws-sdk/lib-storage@3'),
      });
    });

    it.each(olderNodes(process.execPath))('says what to install when started by %s', async (_name, node) => {
      expect(await project.run(`${node} ${launch} list-types`)).toEqual({
        exitCode: 1,
        output: expect.stringMatching(
          /^colophon: needs Node\.js 24 or later, .*npm install node@24\.\d+\.\d+,.*\n$/,
        ),
      });
    });
  });

  it('continue with the tools for the client, in the tested versions', async () => {
    expect(tools).toHaveLength(1);
    const codegenTools = optionalPeers.filter((name) => !/^(@(opentelemetry|aws-sdk)\/|sharp$)/.test(name));
    const versions = codegenTools.map((name) => `${name}@${root.devDependencies[name]}`);
    expect(tools[0]?.split(' ').slice(3).toSorted()).toEqual(versions);
    expect(await project.run(tools[0] ?? '')).toMatchObject({ exitCode: 0 });
  });

  it('are served and get a client by one command', async () => {
    expect(linesOf(serve)).toHaveLength(1);
    server = await project.serve(`env ${serve?.text}`);
    expect(server.output()).toMatch(/^The client colophon-client is in client \(\d+ files written\)/);
    expect(server.output()).toContain('to use it: npm install ./client\n');
  });

  it('are used by a typed program', async () => {
    project.write('recipes.mts', `${program?.text.replace('http://127.0.0.1:4000', server.url)}\n`);
    const outcomes = [];
    for (const line of linesOf(use)) outcomes.push(await project.run(line));
    expect(outcomes).toEqual(outcomes.map(({ output }) => ({ exitCode: 0, output })));
    expect(outcomes.at(-1)?.output).toBe(`${printed?.text}\n`);
  });

  it('have the guide, which the package contains', async () => {
    const page = await fetch(`${server.url}/docs/guide`);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Colophon')]);
  });

  it('have the admin UI, which the package contains', async () => {
    const page = await (await fetch(`${server.url}/admin`)).text();
    const script = /src="(\/admin\/assets\/[^"]+\.js)"/.exec(page)?.[1];
    expect((await fetch(server.url + script)).status).toBe(200);
  });

  it('can also begin with a project that works after two commands', async () => {
    project.write(
      'site/package.json',
      '{ "name": "site", "scripts": { "start": "colophon serve --types types" } }',
    );
    const made = await project.run('sh -c "cd site && npx colophon init"');
    expect(made).toEqual({
      exitCode: 0,
      output: expect.stringContaining('curl http://127.0.0.1:4000/blog/posts/hello'),
    });
    expect(JSON.parse(project.read('site/package.json')).scripts).toMatchObject({
      start: 'colophon serve --types types',
      apply: 'colophon apply configuration',
    });
    const site = await project.serve('npm --prefix site start', { COLOPHON_DATA_DIR: 'data' });
    expect(await (await fetch(`${site.url}/blog/posts/hello`)).json()).toMatchObject({ title: 'Hello' });
    expect((await fetch(`${site.url}/blog/posts/none`)).status).toBe(404);
    expect(await (await fetch(`${site.url}/blog/posts?tag=notes`)).json()).toMatchObject([
      { slug: 'second-thoughts' },
    ]);
    await site.stop();
    for (const script of ['apply', 'load', 'check'])
      expect(await project.run(`npm --prefix site run ${script}`)).toMatchObject({ exitCode: 0 });
    expect(await project.run('sh -c "cd site && npx colophon init"')).toEqual({
      exitCode: 2,
      output: expect.stringContaining('init overwrites nothing, and here is types/blog.graphql,'),
    });
    expect(await project.run('sh -c "cd site && npx colophon init --with vue"')).toEqual({
      exitCode: 2,
      output: expect.stringContaining('--with must be next, not vue'),
    });
  });

  it('look as the README shows them first', async () => {
    const readme = readFileSync(join(packageRoot, 'README.md'), 'utf8');
    const shown = codeBlocksOf(sectionOf(readme, 'What it looks like'));
    expect(shown.map(({ language }) => language)).toEqual([
      'graphql',
      'sh',
      'sh',
      'sh',
      'json',
      'sh',
      'ts',
      'text',
    ]);
    const [
      types = '',
      setUp = '',
      write = '',
      read = '',
      answer = '',
      generate = '',
      program = '',
      refusal = '',
    ] = shown.map(({ text }) => text);
    let site: Serving;
    const here = (text: string) => text.replaceAll('http://127.0.0.1:4000', site.url);
    const run = (text: string) => {
      project.write('readme/step.sh', text);
      return project.run('sh -c "cd readme && sh -e step.sh"');
    };
    const edit = (path: string, from: string | RegExp, to: string) =>
      project.write(`readme/${path}`, project.read(`readme/${path}`).replace(from, to));
    const start = () => project.serve('npm --prefix readme start', { COLOPHON_DATA_DIR: 'data' });

    // npm looks for a project in the folders above.
    project.write('readme/package.json', '{ "name": "readme" }');
    const [install, init, ...others] = setUp.split('\n');
    expect(others).toEqual(['npm start']);
    expect(await run(`${install}\n${init}`)).toMatchObject({ exitCode: 0 });
    expect(project.read('readme/types/blog.graphql')).toBe(`${types}\n`);
    site = await start();
    expect(JSON.parse((await run(here(write))).output)).toMatchObject({
      status: 'ok',
      result: { slug: 'third' },
    });
    expect(JSON.parse((await run(here(read))).output)).toEqual(JSON.parse(answer));
    expect(await run(here(generate))).toMatchObject({ exitCode: 0 });
    project.write('readme/posts.mts', `${here(program)}\n`);
    const compile = 'npx tsc --noEmit --strict --target esnext --module nodenext posts.mts';
    expect(await run(compile)).toEqual({ exitCode: 0, output: '' });
    expect(await run(`${process.execPath} posts.mts`)).toMatchObject({
      output: '2026-02-01 Third time lucky\n2026-01-12 Second thoughts\n2026-01-05 Hello\n',
    });

    const [, renamed = ''] = /`(headline: [^`]+)`/.exec(sectionOf(readme, 'What it looks like')) ?? [];
    edit('types/blog.graphql', 'title: String!', renamed);
    const { exitCode, output } = await run('npm run check');
    expect([exitCode, output]).toEqual([1, expect.stringContaining('4:7  Cannot query field "title"')]);
    for (const query of ['posts', 'post'])
      edit(`configuration/rest-endpoints/blog/${query}.graphql`, /^ +title$/m, 'headline');
    await site.stop();
    site = await start();
    expect(await run('npm run apply')).toMatchObject({ exitCode: 0 });
    expect(await run(here(generate))).toMatchObject({ exitCode: 0 });
    const [before = '', after = ''] = refusal.split(' …').map((part) => RegExp.escape(part));
    expect((await run(compile)).output).toMatch(new RegExp(`^${before}.*${after}`));
    await site.stop();
  });

  it('are checked by the compiler, which names the line of a wrong field', async () => {
    const wrong = program?.text
      .replace('minutes: 20', "minutes: 'twenty'")
      .replace('recipe.title', 'recipe.titel');
    project.write('wrong.mts', `${wrong}\n`);
    const { exitCode, output } = await project.run(linesOf(use)[1]?.replace('recipes', 'wrong') ?? '');
    expect(exitCode).not.toBe(0);
    expect(output).toMatch(/^wrong\.mts\(\d+,\d+\): error .*string.*number/m);
    expect(output).toMatch(/^wrong\.mts\(\d+,\d+\): error .*titel/m);
  });

  it('stop being served on a signal', async () => {
    expect((await server.stop()).output).not.toContain('Error');
  });
});

describe('the demo, as docs/getting-started.md describes it', () => {
  const steps = stepsOf(readPage('docs/getting-started.md'));

  it('answers the commands of the page as it shows', async () => {
    const page = readPage('docs/getting-started.md');
    const commands = ['npx colophon serve', 'npx colophon demo'];
    expect(commands.filter((command) => !page.includes(`\`${command}\``))).toEqual([]);
    let server: Serving | undefined;
    let compared = 0;
    for (const step of steps) {
      if (step.kind === 'write') throw new Error(`The page writes ${step.path}`);
      if (step.kind === 'serve') {
        await server?.stop();
        // Beside the stores of the other cases, and with the folder of the demo.
        const own = commands[0] === 'npx colophon serve' ? { COLOPHON_DATA_DIR: 'first-steps' } : undefined;
        // Without npx, which passes no signals on.
        server = await project.serve(`${commands.shift()}`.replace('npx colophon', colophon), own);
        continue;
      }
      const command = step.command.replace('http://127.0.0.1:4000', server?.url ?? '');
      const ended = await project.run(command);
      expect(ended).toEqual({ exitCode: 0, output: ended.output });
      if (!step.output) continue;
      if (!isOutput(step.output, ended.output)) expect(ended.output).toBe(step.output.text);
      compared++;
    }
    expect([commands, compared]).toEqual([[], steps.length - 2]);
    expect(existsSync(join(project.folder, 'data/demo/colophon.db'))).toBe(true);
    expect((await server?.stop())?.exitCode).toBe(0);
  });
});

describe('the client', () => {
  const wine = (field: string) => `type Wine @contentType(class: "org.example.Wine") {\n  ${field}\n}\n`;
  const codegen = `${colophon} codegen --types types --out client`;
  const timesOf = () =>
    readdirSync(join(project.folder, 'client'), { recursive: true, encoding: 'utf8' }).map(
      (path) => statSync(join(project.folder, 'client', path)).mtimeMs,
    );

  it('is not rewritten by serve while the types are unchanged', async () => {
    const times = timesOf();
    const server = await project.serve(`${colophon} serve --types types --client client`);
    await server.stop();
    expect(server.output()).toContain('client (up to date); to use it: npm install ./client\n');
    expect(timesOf()).toEqual(times);
  });

  it('is not generated from invalid SDL, which is reported with file, line, column and reason', async () => {
    project.write('types/wine.graphql', wine('year: Number'));
    const times = timesOf();
    for (const line of [codegen, `${colophon} serve --types types --client client`]) {
      const { exitCode, output } = await project.run(line, { COLOPHON_PORT: '0' });
      expect([exitCode, output]).toEqual([
        1,
        expect.stringMatching(/^colophon: wine\.graphql:2:9 .*"Number"/),
      ]);
    }
    expect(timesOf()).toEqual(times);
  });

  it('is reported as out of date by codegen --check when the types have changed', async () => {
    project.write('types/wine.graphql', wine('year: Int'));
    const times = timesOf();
    const { exitCode, output } = await project.run(`${codegen} --check`);
    expect([exitCode, output]).toEqual([
      1,
      expect.stringMatching(/^client\/lib\/cma\/types\.gen\.d\.ts is changed$/m),
    ]);
    expect(timesOf()).toEqual(times);
  });

  it('can have the routes of a server and a custom name and manifest, and can be published', async () => {
    const server = await project.serve(`${colophon} serve --types types`);
    const admin = await createAdmin();
    await publishRoute(server);
    const manifest = JSON.parse(project.read('client/package.json'));
    project.write('client/package.json', JSON.stringify({ ...manifest, version: '3.1.4', author: 'me' }));
    const credentials = `--client-id=${admin.clientId} --client-secret=${admin.secret}`;
    const { output } = await project.run(
      `${codegen} --name @me/recipes --endpoints ${server.url} ${credentials}`,
    );
    expect(output).toMatch(/^The client @me\/recipes is in client \(\d+ files written\)/);
    expect(project.read('client/lib/cma/types.gen.d.ts')).toContain('org.example.Wine');
    const { name, version, author, exports } = JSON.parse(project.read('client/package.json'));
    expect([name, version, author]).toEqual(['@me/recipes', '3.1.4', 'me']);
    expect(Object.keys(exports)).toEqual(['.', './admin', './operations', './routes']);
    const published = await project.run('npm publish --dry-run --json ./client');
    expect(published.output).toContain('"lib/routes.js"');
    expect(published.output).not.toContain('.colophon.json');
    await server.stop();
  });

  it('keeps the routes when it is generated without their server', async () => {
    const server = await project.serve(`${colophon} serve --types types --client client`);
    expect(server.output()).toMatch(/^The client @me\/recipes is in client \(up to date\)/);
    await server.stop();
  });

  async function createAdmin(): Promise<{ clientId: string; secret: string }> {
    const { output } = await project.run(`${colophon} client create --name me --scope admin --json`);
    return JSON.parse(output);
  }

  async function publishRoute({ url }: Serving) {
    const mapping = { name: 'All', query: 'query All { recipeList { items { title } } }' };
    const endpoint = { name: 'Recipes', source: 'delivery', mappings: [mapping] };
    project.write('routes/rest-endpoints/recipes.yaml', JSON.stringify(endpoint));
    expect(await project.run(`${colophon} apply routes`, { COLOPHON_TYPES: 'types' })).toMatchObject({
      exitCode: 0,
    });
    // A server notices within a second what another process has published.
    await expect.poll(async () => (await fetch(`${url}/recipes/all`)).status).not.toBe(404);
  }
});

describe('the command', () => {
  it('lists the content types, and rejects wrong usage', async () => {
    const { output } = await project.run(`${colophon} list-types`, { COLOPHON_TYPES: 'types' });
    expect(output).toMatch(/^org\.example\.Recipe +object/m);
    expect(await project.run(`${colophon} codegen`)).toMatchObject({
      exitCode: 2,
      output: expect.stringContaining('codegen needs --out'),
    });
  });

  it.each(olderNodes('node_modules/.bin/node'))(
    'started by %s runs on the Node.js of the package `node`',
    async (_name, node) => {
      expect(await project.run(`${node} ${launch} list-types`)).toMatchObject({ exitCode: 0 });
      expect(await project.run(`${node} ${launch} list-tips`)).toMatchObject({ exitCode: 2 });
      for (const to of ['process', 'all'] as const) {
        const server = await project.serve(`${node} ${launch} serve --types types`);
        server.signal('SIGTERM', to);
        expect(await server.ended).toMatchObject({ exitCode: 0 });
        await expect(fetch(server.url)).rejects.toThrow();
      }
    },
  );

  it('says what to do when that package is incompletely installed', async () => {
    const bundled = join(project.folder, 'node_modules/node');
    const [[, node] = ['', '']] = olderNodes(join(bundled, 'away/node'));
    renameSync(join(bundled, 'bin'), join(bundled, 'away'));
    expect(await project.run(`${node} ${launch} list-types`)).toEqual({
      exitCode: 1,
      output: expect.stringMatching(/^colophon: needs Node\.js 24 or later, .*npm rebuild node,.*\n$/),
    });
    renameSync(join(bundled, 'away'), join(bundled, 'bin'));
  });

  it('serves with workers, and does not mix two versions of the package', async () => {
    const environment = { COLOPHON_WORKERS: '2', COLOPHON_LOG_LEVEL: 'info' };
    const server = await project.serve(`${colophon} serve --types types`, environment);
    const pids = () => workerPids({ stderr: server.output });
    await expect.poll(() => pids().size).toBe(2);
    const manifest = 'node_modules/colophon/package.json';
    const text = project.read(manifest);
    project.write(manifest, JSON.stringify({ ...JSON.parse(text), version: '99.0.0' }));
    process.kill(pids().get(1) ?? 0, 'SIGKILL');
    await expect
      .poll(server.output, { timeout: 60_000 })
      .toMatch(
        /the installed package has version 99\.0\.0, and the server was started with .*: restart the server/,
      );
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    project.write(manifest, text);
    expect(await server.stop()).toMatchObject({ exitCode: 0 });
  });

  it('generates beside another TypeScript with tools in a folder of their own, which its message names', async () => {
    const [own, hidden] = ['node_modules/typescript', 'node_modules/typescript-of-the-guide'].map((path) =>
      join(project.folder, path),
    ) as [string, string];
    renameSync(own, hidden);
    cpSync(join(packageRoot, 'node_modules/typescript-7'), own, { recursive: true });
    const codegen = `${colophon} codegen --types types --out other`;
    const { exitCode, output } = await project.run(codegen);
    const advice = /run (npm install --prefix (\S+) .*), and codegen with --tools \2$/m.exec(output);
    expect([exitCode, output]).toEqual([1, expect.stringContaining('it does not run on typescript 7.')]);
    expect(await project.run(`${codegen} --tools tools`)).toMatchObject({
      exitCode: 1,
      output: expect.stringContaining(
        'tools lacks packages that it needs; run npm install --prefix tools @hey-api/',
      ),
    });
    expect(await project.run(advice?.[1] ?? 'false')).toMatchObject({ exitCode: 0 });
    expect(await project.run(`${codegen} --tools ${advice?.[2]}`)).toEqual({
      exitCode: 0,
      output: expect.stringMatching(/^The client colophon-client is in other \(\d+ files written\)/),
    });
    rmSync(own, { recursive: true });
    renameSync(hidden, own);
  });
});

describe('the library, as docs/embedding.md describes it', () => {
  const page = codeBlocksOf(readFileSync(join(packageRoot, 'docs/embedding.md'), 'utf8'));
  const [installation, embedded, commands, output] = page;

  it('compiles strictly in a TypeScript program, and runs', async () => {
    expect(page.map(({ language }) => language)).toEqual(['sh', 'ts', 'sh', 'text']);
    expect(await project.run(linesOf(installation)[1] ?? '')).toMatchObject({ exitCode: 0 });
    project.write('embedded.mts', `${embedded?.text}\n`);
    const [compile = '', run = ''] = linesOf(commands);
    const strictest =
      '--exactOptionalPropertyTypes --noUncheckedIndexedAccess --noPropertyAccessFromIndexSignature';
    expect(await project.run(compile.replace('--strict', `--strict ${strictest}`))).toEqual({
      exitCode: 0,
      output: '',
    });
    expect(await project.run(run.replace('node', process.execPath))).toEqual({
      exitCode: 0,
      output: `${output?.text}\n`,
    });
  });

  it('is found by require, handles no signals, and refuses settings that are wrong', async () => {
    project.write(
      'required.cjs',
      `const { createColophon, isColophonError } = require('colophon');
      const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
      (async () => {
        const two = await Promise.all(['a', 'b'].map((dataDir) => createColophon({ dataDir, port: 0 })));
        await two[0].content.create({ _type: 'com.colophon.cms.db.Site', name: 'A' });
        const counts = await Promise.all(two.map(async ({ content }) => (await content.find({ from: 'com.colophon.cms.db.Site' })).count));
        console.log(counts.join(), signals.map((signal) => process.listenerCount(signal)).join());
        await Promise.all(two.map((one) => one.close()));
        await createColophon({ port: 'high', dataDirectory: 'a' }).catch((error) =>
          console.log(isColophonError(error, 'bad_config'), error.message));
      })();`,
    );
    expect(await project.run(`${process.execPath} required.cjs`)).toEqual({
      exitCode: 0,
      output:
        '1,0 0,0,0\n' +
        'true dataDirectory is not a setting of Colophon; port must be a whole number from 0 to 65535\n',
    });
  });

  it.each(olderNodes(process.execPath))('says which Node.js it needs, on %s', async (_name, node) => {
    const { exitCode, output } = await project.run(`${node} embedded.mjs`);
    expect([exitCode, output]).toEqual([1, expect.stringContaining('colophon: needs Node.js 24 or later')]);
  });
});

describe('the package', () => {
  it('contains only programs and documentation', () => {
    const paths = project.packed.files.map(({ path }) => path);
    const tops = new Set(
      paths.map((path) =>
        path
          .split('/')
          .slice(0, path.includes('/') ? 1 : 2)
          .join('/'),
      ),
    );
    expect([...tops].sort()).toEqual(
      [
        'ARCHITECTURE.md',
        'CHANGELOG.md',
        'CONTRIBUTING.md',
        'LICENSE',
        'README.md',
        'SECURITY.md',
        'dist',
        'docs',
        'generated',
        'graphql',
        'openapi',
        'package.json',
        // The hand-written half of every client, and the site that `colophon init` copies.
        'src',
      ].sort(),
    );
    expect(paths.filter((path) => /(^|\/)test\/|\.map$|screenshots/.test(path))).toEqual([]);
    // What the README links to is there.
    const links = [...project.read('node_modules/colophon/README.md').matchAll(/\]\((?!https:)([^):#]+)/g)];
    expect(links.map(([, link]) => link).filter((link) => link && !paths.includes(link))).toEqual([]);
    expect(links.length).toBeGreaterThan(20);
    const sources = paths.filter((path) => path.startsWith('src/'));
    expect(sources.filter((path) => !/^src\/(client|cli\/(demo\/types|init\/next))\//.test(path))).toEqual(
      [],
    );
    expect(sources).toContain('src/cli/init/next/app/posts/[slug]/page.tsx');
    expect(paths).toEqual(expect.arrayContaining(['dist/admin/index.html', 'dist/docs/index.html']));
    expect(project.packed.size).toBeLessThan(6_400_000);
    // What each bundle says of the packages in it.
    for (const bundle of ['dist/server', 'dist/admin', 'dist/docs']) {
      const bill = JSON.parse(project.read(`node_modules/colophon/${bundle}/sbom.cdx.json`));
      expect([bundle, bill.bomFormat, bill.metadata.component.name]).toEqual([
        bundle,
        'CycloneDX',
        'colophon',
      ]);
      const licenses = project.read(`node_modules/colophon/${bundle}/LICENSES.txt`);
      for (const { purl, version } of bill.components) {
        const name = decodeURIComponent(purl).slice('pkg:npm/'.length, -`@${version}`.length);
        expect(licenses).toContain(`${name} ${version}, license: `);
      }
    }
  });

  it('has no script that npm runs, or warns of, when it is installed', () => {
    const { scripts } = JSON.parse(project.read('node_modules/colophon/package.json'));
    const ran = Object.keys(scripts).filter((name) => /^(pre|post)?install$|^prepare$/.test(name));
    expect(ran).toEqual([]);
  });

  it('contains no path of the machine that built it', () => {
    const places = [project.checkout, packageRoot, homedir()];
    const revealing = project.packed.files.filter(({ path }) => {
      const text = project.read(join('node_modules/colophon', path));
      return places.some((place) => text.includes(`${place}/`));
    });
    expect(revealing.map(({ path }) => path)).toEqual([]);
  });

  it('is built without the admin UI, with a message, in a checkout that lacks the development tools', () => {
    const bare = join(project.folder, 'bare');
    mkdirSync(bare);
    for (const path of ['build.ts', 'package.json']) cpSync(join(project.checkout, path), join(bare, path));
    const prepare = () =>
      execFileSync(process.execPath, ['build.ts', '--admin'], { cwd: bare, encoding: 'utf8' });
    expect(prepare()).toContain('The admin UI is not built');
    cpSync(join(project.checkout, 'dist/admin'), join(bare, 'dist/admin'), { recursive: true });
    expect(prepare()).toBe('');
  });
});

/** Finds Node.js versions older than Colophon needs: a simulated one, and that of the host if it is older. */
function olderNodes(program: string): [string, string][] {
  const pretend = `"data:text/javascript,Object.defineProperty(process.versions,'node',{value:'20.0.0'})"`;
  const hostNodes = hostPath
    .split(delimiter)
    .map((folder) => join(folder, 'node'))
    .filter((path) => existsSync(path) && majorOf(path) < 24);
  return [
    ['a simulated older Node.js', `${program} --import ${pretend}`],
    ...hostNodes.slice(0, 1).map((path): [string, string] => ["the host's older Node.js", path]),
  ];
}

function majorOf(node: string): number {
  return Number.parseInt(execFileSync(node, ['-p', 'process.versions.node'], { encoding: 'utf8' }), 10);
}
