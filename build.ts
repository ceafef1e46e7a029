/**
 * Builds dist/, which is what the published package runs: the server bundled, the admin UI and the guide.
 *
 * `node build.ts` builds all of it anew. `node build.ts --admin` builds the admin UI alone, and only when a source is newer than what
 * is there. `node build.ts --server <folder>` bundles the server into a new folder, for `colophon.cjs`. `node build.ts --prepare` is what
 * npm runs after an installation, which may be one without the development tools: it makes the admin UI and the bundle of the checkout.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';

const builtPage = fromHere('dist/admin/index.html');
const vite = 'vite/bin/vite.js';
const adminSources = [
  'src/admin',
  'src/client',
  'generated/client',
  'generated/openapi',
  'package-lock.json',
];

const { values: options } = parseArgs({
  options: { admin: { type: 'boolean' }, prepare: { type: 'boolean' }, server: { type: 'string' } },
});
if (options.server !== undefined) await bundleServer(options.server);
else if (options.admin || options.prepare) {
  buildAdminIfStale();
  // The first command makes the bundle.
  if (options.prepare)
    execFileSync(process.execPath, [fromHere('colophon.cjs'), '--version'], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
} else {
  rmSync(fromHere('dist'), { recursive: true, force: true });
  run(vite, ['build', 'src/admin']);
  run('vitepress/bin/vitepress.js', ['build', 'docs']);
  await bundleServer(fromHere('dist/server'));
  const { buildLibrary } = await import('./build-server.ts');
  await buildLibrary(fromHere('dist/server'));
}

async function bundleServer(folder: string): Promise<void> {
  // Loaded when needed, because an installation may lack the bundler.
  const { buildServer } = await import('./build-server.ts');
  mkdirSync(dirname(folder), { recursive: true });
  await buildServer(folder);
}

function buildAdminIfStale(): void {
  if (existsSync(tool(vite))) {
    if (!isAdminFresh()) run(vite, ['build', 'src/admin']);
  } else if (!existsSync(builtPage)) {
    console.log(
      'The admin UI is not built, for that needs the development tools: npm ci without --omit=dev. All else works without it.',
    );
  }
}

function isAdminFresh(): boolean {
  const newestMs = Math.max(...adminSources.map((source) => newestChangeMs(fromHere(source))));
  return existsSync(builtPage) && statSync(builtPage).mtimeMs >= newestMs;
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
