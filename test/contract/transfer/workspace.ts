/** The workspace of a transfer test: a folder for its files, the instances it starts, and the commands it runs. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import type { NewApiClient } from '../../../src/access/clients/api-clients.ts';
import type { Config } from '../../../src/app/config/config.ts';
import {
  type CommandProcess,
  credentialsOf,
  type Environment,
  environmentOf,
  type Outcome,
  startCommand,
} from '../../support/command-line.ts';
import { startInstance, type TestInstance } from '../../support/instance.ts';
import { temporaryFolder } from '../../support/opened.ts';
import type { StoreLocation, Way } from '../../support/stores.ts';
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
  /** Starts an instance, which stops with the workspace. */
  serve(location: StoreLocation, settings?: Partial<Config>): Promise<TestInstance>;
  /** Returns the store at a location, or a server of it, whose API client has these scopes. */
  reach(way: Way, location: StoreLocation, scopes?: NewApiClient['scopes']): Promise<Site>;
  stop(): Promise<void>;
}

/** A workspace for each test of a file or suite; its instances stop after the test. */
export function workspaceForEach(): Workspace {
  let present: Workspace;
  beforeEach(() => {
    present = createWorkspace();
  });
  afterEach(() => present.stop());
  return {
    path: (...given) => present.path(...given),
    input: (...given) => present.input(...given),
    lines: (...given) => present.lines(...given),
    serve: (...given) => present.serve(...given),
    reach: (...given) => present.reach(...given),
    stop: () => present.stop(),
  };
}

/** Creates a workspace. Its instances stop after the tests of the file, if not before. */
export function createWorkspace(): Workspace {
  const folder = temporaryFolder();
  const instances: TestInstance[] = [];
  const path = (name: string) => join(folder, name);
  async function serve(location: StoreLocation, settings?: Partial<Config>): Promise<TestInstance> {
    const instance = await startInstance(location, settings);
    instances.push(instance);
    return instance;
  }
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
    serve,
    async reach(way, location, scopes) {
      if (way === 'directly') return onStore(location);
      const instance = await serve(location);
      if (!scopes) return onServer(instance);
      const headers = await instance.createClient({ scopes });
      await instance.refresh();
      return onServer({ url: instance.url, headers });
    },
    async stop() {
      await Promise.all(instances.map((instance) => instance.stop()));
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
    environment: credentialsOf(headers),
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
