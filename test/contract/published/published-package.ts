/** The published package `colophon`, packed from a clean checkout, and the project of a user who installs it. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { copyCheckout } from '../../support/clean-checkout.ts';
import { compileCache } from '../../support/compile-cache.ts';
import { startRegistry } from '../../support/npm-registry.ts';
import {
  type Environment,
  hostPath,
  type Outcome,
  type Running,
  type Serving,
  startScript,
  untilServing,
} from '../../support/shell.ts';

/** The project folder of a user with npm. */
export interface Project {
  readonly folder: string;
  readonly checkout: string;
  /** The report of `npm pack`. */
  readonly packed: { readonly files: readonly { readonly path: string }[]; readonly size: number };
  start(line: string, environment?: Environment): Running;
  run(line: string, environment?: Environment): Promise<Outcome>;
  /** Starts a command that serves, on a free port and a new store, and waits until it is ready. */
  serve(line: string, environment?: Environment): Promise<Serving>;
  read(path: string): string;
  write(path: string, text: string): void;
  remove(): Promise<void>;
}

/** Packs the package in a clean checkout, and creates an empty project whose npm registry has it. */
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
  const certificates = process.env.NODE_EXTRA_CA_CERTS;
  const base = {
    ...compileCache,
    HOME: process.env.HOME ?? place,
    PATH: hostPath,
    // Registries of the host may have a certificate that only the host trusts.
    ...(certificates && { NODE_EXTRA_CA_CERTS: certificates }),
    npm_config_registry: registry.url,
    // Hides npm's warnings about the configuration of the host.
    npm_config_loglevel: 'error',
    npm_config_audit: 'false',
  };
  const running = new Set<Running>();
  const start = (line: string, environment: Environment = {}) => {
    const started = startScript(`exec ${line}`, { cwd: folder, environment: { ...base, ...environment } });
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
