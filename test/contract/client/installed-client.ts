/** The generated client as users get it: packed by npm and installed from the tarball into a new project. */
import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { createProject, type Project } from './project.ts';

type ClientModule = typeof import('../../../generated/client/lib/index.js');

/** The installed package. */
export interface InstalledClient extends ClientModule {
  /** The project that has it installed. */
  readonly project: Project;
  /** The absolute path of its main module. */
  readonly file: string;
  /** The paths of the files in its tarball. */
  readonly packed: readonly string[];
  remove(): void;
}

const source = join(import.meta.dirname, '../../../generated/client');

/** Packs and installs the client. Downloads nothing, since the client has no dependencies. */
export async function installClient(): Promise<InstalledClient> {
  const project = createProject();
  const { folder, remove } = project;
  const npm = async (cwd: string, ...words: string[]) =>
    (await promisify(execFile)('npm', words, { cwd })).stdout;
  const [{ filename, files }] = JSON.parse(await npm(source, 'pack', '--json', '--pack-destination', folder));
  await npm(folder, 'install', '--offline', '--no-audit', '--no-fund', join(folder, filename));
  const file = createRequire(join(folder, 'index.js')).resolve('colophon-client');
  const client: ClientModule = await import(pathToFileURL(file).href);
  const packed = files.map(({ path }: { readonly path: string }) => path);
  return { ...client, project, file, packed, remove };
}
