/** The package `colophon` as it is published, packed from a clean checkout, and the folder of somebody who installs it. */
import { execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { vi } from 'vitest';
import { copyCheckout } from '../../support/clean-checkout.ts';
import { compileCache } from '../../support/compile-cache.ts';
import { startRegistry } from '../../support/npm-registry.ts';

/** How a line ended that was typed; `exitCode` is null when a signal ended it. */
export interface Outcome {
  readonly exitCode: number | null;
  readonly output: string;
}

/** A line that was typed and is running. */
export interface Running {
  readonly output: () => string;
  readonly ended: Promise<Outcome>;
  /** Signals the process itself, or all that it started, as a terminal does. */
  signal(signal: NodeJS.Signals, to?: 'process' | 'all'): void;
}

/** A line that serves, and has said where. */
export interface Serving extends Running {
  readonly url: string;
  stop(): Promise<Outcome>;
}

/** A folder of somebody who has npm. */
export interface Project {
  readonly folder: string;
  readonly checkout: string;
  /** What npm said of the package that it made. */
  readonly packed: { readonly files: readonly { readonly path: string }[]; readonly size: number };
  start(line: string, environment?: Environment): Running;
  run(line: string, environment?: Environment): Promise<Outcome>;
  /** Runs a line that serves until it does, at a port and with a store of its own. */
  serve(line: string, environment?: Environment): Promise<Serving>;
  read(path: string): string;
  write(path: string, text: string): void;
  remove(): Promise<void>;
}

type Environment = Readonly<Record<string, string>>;

/** The PATH of the host, with nothing of this checkout's. */
export const hostPath = (process.env.PATH ?? '')
  .split(delimiter)
  .filter((folder) => !folder.includes('node_modules'))
  .join(delimiter);

/** Packs the package in a clean checkout, and makes an empty folder where npm finds it. */
export async function createProject(): Promise<Project> {
  const place = mkdtempSync(join(tmpdir(), 'colophon-published-'));
  const checkout = join(place, 'checkout');
  copyCheckout(checkout);
  const npm = async (...words: string[]) =>
    (await promisify(execFile)('npm', words, { cwd: checkout })).stdout;
  const report = await npm('pack', '--json', '--pack-destination', place);
  const [packed] = JSON.parse(report.slice(report.search(/^\[$/m)));
  const registry = await startRegistry({
    manifest: JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')),
    tarball: join(place, packed.filename),
    others: (await npm('config', 'get', 'registry')).trim(),
  });
  const folder = join(place, 'project');
  mkdirSync(folder);
  const base = {
    ...compileCache,
    HOME: process.env.HOME ?? place,
    PATH: hostPath,
    npm_config_registry: registry.url,
    // What npm thinks of the host's configuration is no part of what is tested.
    npm_config_loglevel: 'error',
  };
  const running = new Set<Running>();
  const start = (line: string, environment: Environment = {}) => {
    const started = startLine(line, { cwd: folder, environment: { ...base, ...environment } });
    running.add(started);
    void started.ended.then(() => running.delete(started));
    return started;
  };
  return {
    folder,
    checkout,
    packed,
    start,
    run: (line, environment) => start(line, environment).ended,
    serve: (line, environment) =>
      untilServing(start(line, { COLOPHON_PORT: '0', COLOPHON_LOG_LEVEL: 'silent', ...environment })),
    read: (path) => readFileSync(join(folder, path), 'utf8'),
    write(path, text) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    },
    async remove() {
      const left = [...running];
      for (const one of left) one.signal('SIGKILL', 'all');
      await Promise.all(left.map(({ ended }) => ended));
      registry.close();
      rmSync(place, { recursive: true });
    },
  };
}

function startLine(line: string, { cwd, environment }: { cwd: string; environment: Environment }): Running {
  // In a group of its own, as a shell gives it.
  const child = spawn('sh', ['-c', `exec ${line}`], { cwd, env: environment, detached: true });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (more: string) => {
      output += more;
    });
  }
  const ended = new Promise<Outcome>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exitCode) => resolve({ exitCode, output }));
  });
  return {
    output: () => output,
    ended,
    signal(signal, to = 'process') {
      if (child.pid !== undefined) process.kill(to === 'all' ? -child.pid : child.pid, signal);
    },
  };
}

async function untilServing(running: Running): Promise<Serving> {
  const failed = running.ended.then(({ output }) => {
    throw new Error(`It does not serve: ${output}`);
  });
  const url = await Promise.race([
    failed,
    vi.waitUntil(() => /listening on (\S+)\n/.exec(running.output())?.[1], { timeout: 100_000 }),
  ]);
  return {
    ...running,
    url,
    stop() {
      running.signal('SIGTERM', 'all');
      return running.ended;
    },
  };
}
