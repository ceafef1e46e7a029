/** The generated client as its users get it: packed by npm, and installed from the tarball into a folder of its own. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

type ClientModule = typeof import('../../../generated/client/lib/index.js');

/** A package that was installed. */
export interface InstalledClient extends ClientModule {
  /** The absolute path of the module that its name stands for. */
  readonly file: string;
  remove(): void;
}

const source = join(import.meta.dirname, '../../../generated/client');

/** Packs and installs the client. Nothing is downloaded, for it has no dependencies. */
export async function installClient(): Promise<InstalledClient> {
  const folder = mkdtempSync(join(tmpdir(), 'colophon-client-'));
  const npm = async (cwd: string, ...words: string[]) =>
    (await promisify(execFile)('npm', words, { cwd })).stdout;
  const [{ filename }] = JSON.parse(await npm(source, 'pack', '--json', '--pack-destination', folder));
  const project = join(folder, 'project');
  mkdirSync(project);
  await npm(project, 'install', '--offline', '--no-audit', '--no-fund', join(folder, filename));
  const file = createRequire(join(project, 'index.js')).resolve('colophon-client');
  const client: ClientModule = await import(pathToFileURL(file).href);
  return { ...client, file, remove: () => rmSync(folder, { recursive: true }) };
}
