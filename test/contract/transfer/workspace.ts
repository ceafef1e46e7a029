/** The workspace of a transfer test: a folder for its files, the instances it starts, and the commands it runs. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import type { Config } from '../../../src/app/config/config.ts';
import {
  type CommandProcess,
  type Environment,
  environmentOf,
  type Outcome,
  startCommand,
} from '../../support/command-line.ts';
import { startInstance, type TestInstance } from '../../support/instance.ts';
import type { StoreLocation } from '../../support/stores.ts';
import { type LineAsset, writeLines } from './content.ts';

/** What a command works on: a store or a server. */
export interface Site {
  readonly environment: Environment;
  readonly words: readonly string[];
}

/** A folder for the files of a test, with its instances. */
export interface Workspace {
  path(name: string): string;
  /** Writes an input file and returns its path. */
  input(lines: readonly (LineAsset | string)[], name?: string): string;
  lines(name: string): LineAsset[];
  /** Starts an instance that stops when the workspace is removed. */
  serve(location: StoreLocation, settings?: Partial<Config>): Promise<TestInstance>;
  remove(): Promise<void>;
}

/** A workspace for each test of a file or suite, which is removed after the test, with the store at its location. */
export function workspaceForEach(location: () => StoreLocation): Omit<Workspace, 'remove'> {
  let present: Workspace;
  beforeEach(() => {
    present = createWorkspace();
  });
  afterEach(async () => {
    await present.remove();
    await location().remove();
  });
  return {
    path: (...given) => present.path(...given),
    input: (...given) => present.input(...given),
    lines: (...given) => present.lines(...given),
    serve: (...given) => present.serve(...given),
  };
}

/** Creates a workspace. */
export function createWorkspace(): Workspace {
  const folder = mkdtempSync(join(tmpdir(), 'colophon-transfer-'));
  const instances: TestInstance[] = [];
  const path = (name: string) => join(folder, name);
  return {
    path,
    input(lines, name = 'input.ndjson') {
      writeLines(path(name), lines);
      return path(name);
    },
    lines: (name) =>
      readFileSync(path(name), 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line)),
    async serve(location, settings) {
      const instance = await startInstance(location, settings);
      instances.push(instance);
      return instance;
    },
    async remove() {
      await Promise.all(instances.map((instance) => instance.stop()));
      rmSync(folder, { recursive: true });
    },
  };
}

/** Works directly on a store. */
export const onStore = (location: StoreLocation): Site => ({
  environment: environmentOf(location),
  words: [],
});

/** Works through the content management API; `url` may be that of a proxy. */
export function onServer({ url, headers }: Pick<TestInstance, 'url' | 'headers'>): Site {
  return {
    environment: {
      COLOPHON_CLIENT_ID: headers['X-Client-Id'],
      COLOPHON_CLIENT_SECRET: headers['X-Client-Secret'],
    },
    words: ['--url', url],
  };
}

/** Starts `import` or `export`. */
export function start(command: 'import' | 'export', site: Site, words: readonly string[]): CommandProcess {
  return startCommand([command, ...words, ...site.words], site.environment);
}

/** Runs `import` or `export` to its end. */
export function run(command: 'import' | 'export', site: Site, words: readonly string[]): Promise<Outcome> {
  return start(command, site, words).ended;
}

/** The summary that an import prints with `--json`. */
export interface Summary {
  /** Absent in a dry run. */
  readonly run?: string;
  readonly complete: boolean;
  readonly lines: number;
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly failed: number;
  readonly dangling: number;
  readonly report?: string;
}

export const summaryOf = ({ stdout }: Outcome): Summary => JSON.parse(stdout);

/** Reads the names of all assets of a type, sorted. */
export async function namesAt(site: Site, type: string): Promise<string[]> {
  const { stdout } = await run('export', site, ['--from', type]);
  const lines = stdout.split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line).name).toSorted();
}
