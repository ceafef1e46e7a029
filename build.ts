/**
 * Builds dist/, which is what the published package runs: the server bundled, the admin UI and the guide.
 *
 * `node build.ts` builds all of it anew. `node build.ts --admin` builds the admin UI alone, and only when a source is newer than what
 * is there. `node build.ts --validators` makes the validators of requests alone, unless they are current. `node build.ts --server <folder>`
 * bundles the server into a new folder, for `colophon.cjs`. `node build.ts --prepare` is what npm runs after an installation in a checkout,
 * as the script `postprepare`, of which it does not warn users of the package: it makes the admin UI, the guide and the bundle of the
 * checkout, if the development tools are there.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';

/** What is built from sources: the first page of it, its tool, and the sources. */
const admin = {
  page: fromHere('dist/admin/index.html'),
  name: 'The admin UI',
  tool: 'vite/bin/vite.js',
  words: ['build', 'src/admin'],
  sources: [
    'src/admin',
    'src/client',
    'generated/client',
    'generated/openapi',
    'package-lock.json',
    'bundled-packages.ts',
  ],
};
const guide = {
  page: fromHere('dist/docs/index.html'),
  name: 'The guide',
  tool: 'vitepress/bin/vitepress.js',
  words: ['build', 'docs'],
  sources: ['docs', 'generated/openapi', 'package-lock.json', 'bundled-packages.ts'],
};

const { values: options } = parseArgs({
  options: {
    admin: { type: 'boolean' },
    prepare: { type: 'boolean' },
    server: { type: 'string' },
    validators: { type: 'boolean' },
  },
});
if (options.validators) await makeValidators();
else if (options.server !== undefined) await bundleServer(options.server);
else if (options.admin || options.prepare) {
  buildIfStale(admin);
  if (options.prepare) buildIfStale(guide);
  // The first command makes the bundle. Without the development tools no command runs.
  if (options.prepare && existsSync(tool('rolldown/package.json')))
    execFileSync(process.execPath, [fromHere('colophon.cjs'), '--version'], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
} else {
  rmSync(fromHere('dist'), { recursive: true, force: true });
  run(admin.tool, admin.words);
  run(guide.tool, guide.words);
  await bundleServer(fromHere('dist/server'));
  const { buildLibrary } = await import('./build-server.ts');
  await buildLibrary(fromHere('dist/server'));
}

async function bundleServer(folder: string): Promise<void> {
  // Loaded when needed, because an installation may lack the bundler.
  const { buildServer } = await import('./build-server.ts');
  mkdirSync(dirname(folder), { recursive: true });
  await makeValidators();
  await buildServer(folder);
}

/** Loaded when needed, because a checkout may lack the sources. */
async function makeValidators(): Promise<void> {
  const { ensureValidators } = await import('./src/codegen/ensure-validators.ts');
  await ensureValidators();
}

function buildIfStale(part: typeof admin): void {
  if (existsSync(tool(part.tool))) {
    if (!isFresh(part)) run(part.tool, part.words);
  } else if (!existsSync(part.page)) {
    console.log(
      `${part.name} is not built, for that needs the development tools: npm ci without --omit=dev.`,
    );
  }
}

function isFresh({ page, sources }: typeof admin): boolean {
  const newestMs = Math.max(...sources.map((source) => newestChangeMs(fromHere(source))));
  return existsSync(page) && statSync(page).mtimeMs >= newestMs;
}

function newestChangeMs(path: string): number {
  const { mtimeMs } = statSync(path);
  if (!statSync(path).isDirectory()) return mtimeMs;
  const files = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Math.max(...files.map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs));
}

function run(program: string, words: readonly string[]): void {
  execFileSync(process.execPath, [tool(program), ...words], {
    cwd: import.meta.dirname,
    stdio: 'inherit',
    // With another value in its environment, as tests have it, Vite builds for development: paths of sources included.
    env: { ...process.env, NODE_ENV: 'production' },
  });
}

/** The program of a development tool. */
function tool(path: string): string {
  return fromHere(`node_modules/${path}`);
}

function fromHere(path: string): string {
  return join(import.meta.dirname, path);
}
