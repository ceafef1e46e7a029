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
import { clientCommands, type FrontEnd, frontEndFolder, makeNextFrontEnd } from '../init/front-end.ts';
import { newProjectFiles, newProjectScripts } from '../init/new-project.ts';
import { mainFile } from '../main-file.ts';

/** Runs `colophon init`. Errors: usage, when a file that it would write is there. */
export async function init(call: CommandCall): Promise<void> {
  const folder = resolve('.');
  const { port } = readConfig(process.env);
  const frontEnd = call.option('with') ? makeNextFrontEnd({ port, secret: randomIds.secret() }) : undefined;
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
  if (frontEnd || !isInstalled(folder)) await install('.');
  if (frontEnd) {
    await install(frontEndFolder);
    for (const words of clientCommands) await runColophon(...words);
  }
  console.log(summary(files, port) + (frontEnd ? frontEndSummary : ''));
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

/** Installs the packages of a folder; npm says what it does. Errors: check_failed. */
async function install(folder: string): Promise<void> {
  const [exitCode] = await once(
    spawn('npm', ['install', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'inherit' }),
    'exit',
  );
  if (exitCode !== 0) throw checkFailed(`npm install failed in ${resolve(folder)}: run it again`);
}
