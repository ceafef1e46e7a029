/**
 * Builds the image of a Containerfile without a container engine: each stage is a folder, whose commands see it as their root (chroot in a
 * mount namespace). The folder has the base image's place for Node.js and npm and the user `node`; its other programs are those of this
 * machine, read-only. There is no network namespace, so a server of the image listens on this machine.
 *
 * It needs root, and the permission to mount.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { type BuildStep, type ImageSettings, parseContainerfile, type Stage } from './container-file.ts';
import { type Environment, hostPath } from './shell.ts';

/** A built image. */
export interface Image {
  /** The folder with its files. */
  readonly root: string;
  readonly settings: ImageSettings;
  /** Starts a command as a container of the image does, with additional environment variables. */
  start(words: readonly string[], environment?: Environment): ChildProcess;
  remove(): void;
}

/** The npm of this machine. */
interface Npm {
  readonly folder: string;
  readonly cache: string;
  readonly registry: string;
}

/** The state of a stage while its steps run. */
interface Layer {
  readonly root: string;
  readonly npm: Npm;
  environment: Environment;
  workdir: string;
  user: string;
}

/** Tells whether this process may build images. */
export const canBuildImages = (): boolean =>
  process.getuid?.() === 0 && spawnSync('unshare', ['--mount', 'true']).status === 0;

/** Builds the last stage of a Containerfile. Throws with the output of a command that failed. */
export async function buildImage(containerfile: string, context: string): Promise<Image> {
  const place = mkdtempSync(join(tmpdir(), 'colophon-image-'));
  const remove = () => rmSync(place, { recursive: true, force: true });
  try {
    const stages = parseContainerfile(containerfile);
    const roots = new Map<string | undefined, string>();
    const npm = findNpm();
    let last: { layer: Layer; stage: Stage } | undefined;
    for (const [index, stage] of stages.entries()) {
      const layer = createBase(join(place, String(index)), npm);
      for (const step of stage.steps) await take(step, { layer, context, roots });
      roots.set(stage.name, layer.root);
      last = { layer, stage };
    }
    if (!last) throw new Error('The Containerfile has no stage');
    const { layer, stage } = last;
    const start: Image['start'] = (words, environment = {}) =>
      enter({ ...layer, environment: { ...layer.environment, ...environment } }, 'exec "$@"', words);
    return { root: layer.root, settings: stage.settings, start, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/** Finds the npm that the host runs, not one of a package. */
function findNpm(): Npm {
  const environment = { env: { ...process.env, PATH: hostPath }, encoding: 'utf8' } as const;
  const ask = (script: string) => execFileSync('sh', ['-c', script], environment).trim();
  return {
    folder: join(realpathSync(ask('command -v npm')), '../..'),
    cache: ask('npm config get cache'),
    registry: ask('npm config get registry'),
  };
}

/** Takes one step of a stage. */
async function take(
  step: BuildStep,
  parts: {
    readonly layer: Layer;
    readonly context: string;
    readonly roots: ReadonlyMap<string | undefined, string>;
  },
): Promise<void> {
  const { layer, context, roots } = parts;
  switch (step.kind) {
    case 'env':
      layer.environment = { ...layer.environment, [step.name]: step.value };
      return;
    case 'user':
      layer.user = step.user;
      return;
    case 'workdir':
      layer.workdir = step.path;
      mkdirSync(join(layer.root, step.path), { recursive: true });
      return;
    case 'copy': {
      const from = step.from === undefined ? context : roots.get(step.from);
      if (from === undefined) throw new Error(`There is no stage ${step.from}`);
      const target = join(layer.root, layer.workdir, step.target);
      for (const source of step.sources) copy(join(from, source), target, step.target.endsWith('/'));
      return;
    }
    case 'run': {
      const child = enter(layer, step.script, [], step.cache);
      let output = '';
      for (const stream of [child.stdout, child.stderr]) {
        stream?.on('data', (more: Buffer) => {
          output += more;
        });
      }
      const [exitCode] = await once(child, 'close');
      if (exitCode !== 0) throw new Error(`RUN ${step.script}: exit code ${exitCode}\n${output}`);
    }
  }
}

/** Copies a file into a folder or to a path, and the contents of a folder into a folder, as COPY does. */
function copy(source: string, target: string, intoFolder: boolean): void {
  const isFile = statSync(source).isFile();
  cpSync(source, isFile && intoFolder ? join(target, basename(source)) : target, {
    recursive: true,
    verbatimSymlinks: true,
  });
}

/** Creates what the base image has beside the programs of this machine. */
function createBase(root: string, npm: Npm): Layer {
  const folders = ['dev', 'proc', 'usr', 'root', 'home/node', 'var/cache', 'var/lib', 'local/bin', 'etc'];
  for (const folder of [...folders, 'local/lib/node_modules/npm', 'tmp'])
    mkdirSync(join(root, folder), { recursive: true });
  chmodSync(join(root, 'tmp'), 0o1777);
  for (const name of ['bin', 'sbin', 'lib', 'lib64'])
    if (lstatSync(`/${name}`, { throwIfNoEntry: false })?.isSymbolicLink())
      symlinkSync(readlinkSync(`/${name}`), join(root, name));
  for (const name of ['resolv.conf', 'hosts', 'nsswitch.conf', 'ssl', 'ld.so.cache'])
    if (existsSync(`/etc/${name}`))
      cpSync(`/etc/${name}`, join(root, 'etc', name), { recursive: true, verbatimSymlinks: true });
  writeFileSync(
    join(root, 'etc/passwd'),
    'root:x:0:0::/root:/bin/sh\nnode:x:1000:1000::/home/node:/bin/sh\n',
  );
  writeFileSync(join(root, 'etc/group'), 'root:x:0:\nnode:x:1000:\n');
  writeFileSync(join(root, 'local/bin/node'), '');
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(root, 'local/bin/npm'));
  const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
  return { root, npm, environment: { PATH: path }, workdir: '/', user: '0:0' };
}

/** Starts a script in a stage; it replaces the process that is returned, so signals reach it. */
function enter(
  { root, npm, environment, workdir, user }: Layer,
  script: string,
  words: readonly string[] = [],
  cache?: string,
): ChildProcess {
  if (cache !== undefined) mkdirSync(join(root, cache), { recursive: true });
  const mounts = [
    'mount --rbind /dev dev',
    'mount -t proc proc proc',
    'mount --bind -o ro /usr usr',
    'mount --bind local usr/local',
    `mount --bind '${process.execPath}' usr/local/bin/node`,
    `mount --bind '${npm.folder}' usr/local/lib/node_modules/npm`,
    ...(cache === undefined ? [] : [`mount --bind '${npm.cache}' '.${cache}'`]),
  ];
  const inside = `cd '${workdir}'; ${script}`;
  const outside = [...mounts, `exec chroot --userspec=${user} . /bin/sh -c "$0" "$@"`].join(' && ');
  const fromMachine = ['NODE_EXTRA_CA_CERTS', 'HTTPS_PROXY', 'https_proxy', 'NO_PROXY', 'no_proxy'];
  return spawn('unshare', ['--mount', 'sh', '-ec', outside, inside, 'sh', ...words], {
    cwd: root,
    env: {
      ...Object.fromEntries(fromMachine.flatMap((name) => [[name, process.env[name]]])),
      npm_config_registry: npm.registry,
      HOME: user === '0:0' ? '/root' : '/home/node',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}
