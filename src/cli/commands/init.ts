/**
 * `colophon init`: makes a project in a folder, and fills its store, so that `npm start` serves something.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { readConfig, variables } from '../../app/config/config.ts';
import { checkFailed, usage } from '../../base/errors.ts';
import { readVersion } from '../../base/package-root.ts';
import { randomIds } from '../../base/runtime.ts';
import type { CommandCall } from '../command.ts';
import {
  type FrontEnd,
  frontEndFolder,
  makeNextFrontEnd,
  newProjectFiles,
  newProjectScripts,
} from '../init/new-project.ts';
import { mainFile } from '../main-file.ts';

/** Runs `colophon init`. Errors: usage, when a file that it would write is there, or for an unknown front end. */
export async function init(call: CommandCall): Promise<void> {
  const folder = resolve('.');
  const { port } = readConfig(process.env);
  const frontEnd = chooseFrontEnd(call, port);
  const files = newProjectFiles({
    clientSecret: randomIds.secret(),
    password: randomIds.secret(),
    port: port === defaultPort ? undefined : port,
    frontEnd,
  });
  const present = [...files.keys()].filter((path) => existsSync(join(folder, path)));
  if (present.length > 0) throw usage(`init overwrites nothing, and here is ${present.join(', ')} already`);
  const manifest = toManifest(folder, frontEnd);
  for (const [path, text] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    // Only their owner may read the secrets.
    writeFileSync(join(folder, path), text, { mode: /(^|\/)\.env/.test(path) ? 0o600 : 0o644 });
  }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  await runColophon('import', 'content.jsonl', '--mode', 'upsert', '--by', 'slug');
  // After the import, so that a webhook has nothing to send before the front end runs.
  await runColophon('apply', 'configuration');
  if (frontEnd) await runNpm(['install', `--prefix ${frontEndFolder} install`, 'run client']);
  else if (!isInstalled(folder)) await runNpm(['install']);
  console.log(summary(files, port) + (frontEnd ? frontEndSummary : ''));
}

function chooseFrontEnd(call: CommandCall, port: number): FrontEnd | undefined {
  const name = call.option('with');
  if (name === undefined) return undefined;
  if (name === 'next') return makeNextFrontEnd({ port, secret: randomIds.secret() });
  throw usage(`--with must be next, not ${name}; the guide has a site with Astro`);
}

const defaultPort = variables.COLOPHON_PORT.fallback;

const summary = (files: ReadonlyMap<string, string>, port: number) => `
Made ${[...files.keys(), 'package.json'].join(', ')}.

Start the server, then ask for a post:
  npm start
  curl http://127.0.0.1:${port}/blog/posts/hello

The admin UI is at http://127.0.0.1:${port}/admin; .env has the user and the password.
Change types/ and configuration/ as you like: npm run check tells what a change breaks, npm run apply applies the configuration.`;

const frontEndSummary = `

The web site is in ${frontEndFolder}/. Start it beside the server, and open http://localhost:3000:
  npm --prefix ${frontEndFolder} run dev
npm run client generates its client anew when the types or the REST endpoint have changed.`;

/** The package.json of the folder, or a new one, with the scripts that it lacks. */
function toManifest(folder: string, frontEnd: FrontEnd | undefined): Record<string, unknown> {
  const path = join(folder, 'package.json');
  const manifest = existsSync(path)
    ? JSON.parse(readFileSync(path, 'utf8'))
    : { name: 'blog', version: '0.1.0', private: true };
  const dependencies = {
    colophon: `^${readVersion()}`,
    ...frontEnd?.dependencies,
    ...Object(manifest.dependencies),
  };
  // `npm init` makes this script, which only fails.
  const { test, ...scripts } = Object(manifest.scripts);
  const kept = /no test specified/.test(test ?? 'no test specified') ? scripts : { ...scripts, test };
  return { ...manifest, scripts: { ...newProjectScripts, ...frontEnd?.scripts, ...kept }, dependencies };
}

function isInstalled(folder: string): boolean {
  try {
    createRequire(join(folder, 'package.json')).resolve('colophon/package.json');
    return true;
  } catch {
    return false;
  }
}

/** Runs a command in the new project, with its settings, and prints what it says only if it fails. Errors: check_failed. */
async function runColophon(...words: string[]): Promise<void> {
  try {
    await promisify(execFile)(process.execPath, [mainFile, ...words]);
  } catch (error) {
    const { stdout = '', stderr = '' } = Object(error);
    throw checkFailed(`colophon ${words.join(' ')} failed, so the project is not ready:\n${stdout}${stderr}`);
  }
}

/** Runs commands of npm, which says what it does. Errors: check_failed, with the commands that are left. */
async function runNpm(commands: readonly string[]): Promise<void> {
  const env = { ...process.env, npm_config_audit: 'false', npm_config_fund: 'false' };
  for (const [index, command] of commands.entries()) {
    const [exitCode] = await once(spawn('npm', command.split(' '), { stdio: 'inherit', env }), 'exit');
    if (exitCode === 0) continue;
    const left = commands.slice(index).map((one) => `npm ${one}`);
    throw checkFailed(`npm ${command} failed, so the project is not ready; run ${left.join(' && ')}`);
  }
}
