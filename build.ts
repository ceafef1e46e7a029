/**
 * Builds dist/, which is what the published package runs: the server compiled, the admin UI and the guide.
 *
 * `node build.ts` builds all of it anew. `node build.ts --admin` builds the admin UI alone, and only when a source is newer than what
 * is there; npm runs it after an installation, which may be one without the development tools.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
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

const { values: options } = parseArgs({ options: { admin: { type: 'boolean' } } });
if (options.admin) buildAdminIfStale();
else {
  rmSync(fromHere('dist'), { recursive: true, force: true });
  run(vite, ['build', 'src/admin']);
  run('vitepress/bin/vitepress.js', ['build', 'docs']);
  run('typescript/bin/tsc', ['-p', 'tsconfig.build.json']);
  // JavaScript already, and so nothing that the compiler puts there.
  for (const path of ['client/lib', 'server/cma-validators.js', 'server/admin-validators.js']) {
    cpSync(fromHere(`generated/${path}`), fromHere(`dist/generated/${path}`), {
      recursive: true,
      filter: (source) => !source.endsWith('.d.ts'),
    });
  }
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
