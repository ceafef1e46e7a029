/** A server with content, and mirrors that follow it, as processes of the command line. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import {
  type CommandProcess,
  type Environment,
  environmentOf,
  runCommand,
  type ServingProcess,
  startCommand,
  startServing,
} from './command-line.ts';
import { findFreePort } from './free-port.ts';
import { type StoreLocation, sqliteLocation } from './stores.ts';

/** An asset as the API returns it. */
export type FoundAsset = { readonly _id: string; readonly _type: string } & Record<string, unknown>;

export const shippedTypes = join(import.meta.dirname, '../../graphql/content');
export const authorType = 'com.example.news.Author';
const sectionType = 'com.example.news.Section';
const allTypes = [authorType, sectionType];

/** A source, and its mirrors. */
export interface MirrorBench {
  readonly source: StoreLocation;
  readonly url: string;
  path(name: string): string;
  /** Starts the server of the source, always at the same address. */
  serve(environment?: Environment): Promise<ServingProcess>;
  /** Starts `colophon mirror` on the source. */
  mirror(words: readonly string[], environment?: Environment): CommandProcess;
  /** Runs it with `--once` and asserts that it succeeds; returns the printed counts. */
  mirrorOnce(words: readonly string[]): Promise<{ written: number; removed: number; restarts: number }>;
  /** Sends a request to the content management API; returns its status and result. */
  send(method: string, path: string, body?: object): Promise<{ status: number; result: FoundAsset }>;
  /** The assets of the source by `_id`, read from its store. */
  readSource(): Promise<ReadonlyMap<string, FoundAsset>>;
  remove(): Promise<void>;
}

/** Creates it. Environment variables of `serve` and `mirror` come on top of the credentials. */
export async function createMirrorBench(types: string = shippedTypes): Promise<MirrorBench> {
  const folder = mkdtempSync(join(tmpdir(), 'colophon-mirror-'));
  const source = sqliteLocation();
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const started = new Set<CommandProcess>();
  const { clientId, secret } = await createClient(source);
  const credentials = { COLOPHON_CLIENT_ID: clientId, COLOPHON_CLIENT_SECRET: secret };
  const headers = {
    'X-Client-Id': clientId,
    'X-Client-Secret': secret,
    'Content-Type': 'application/json',
  };

  function mirror(words: readonly string[], environment: Environment = {}): CommandProcess {
    const given = { ...credentials, COLOPHON_TYPES: types, ...environment };
    const child = startCommand(['mirror', url, ...words], given);
    started.add(child);
    return child;
  }

  return {
    source,
    url,
    path: (name) => join(folder, name),
    async serve(environment = {}) {
      const settings = { ...environmentOf(source), COLOPHON_TYPES: types };
      const serving = await startServing({ ...settings, COLOPHON_PORT: String(port), ...environment });
      started.add(serving);
      return serving;
    },
    mirror,
    async mirrorOnce(words) {
      const { exitCode, stdout, stderr } = await mirror([...words, '--once', '--json']).ended;
      expect(exitCode, stderr).toBe(0);
      return JSON.parse(stdout);
    },
    async send(method, path, body) {
      const response = await fetch(`${url}/api/rest/cma/contents${path}`, {
        method,
        headers,
        ...(body && { body: JSON.stringify(body) }),
      });
      const { result } = (await response.json()) as { result: FoundAsset };
      return { status: response.status, result };
    },
    readSource: () => readStore(source, types),
    async remove() {
      for (const child of started) child.signal('SIGKILL');
      await Promise.all([...started].map(({ ended }) => ended));
      await source.remove();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Creates an API client that may erase, too. */
async function createClient(source: StoreLocation): Promise<{ clientId: string; secret: string }> {
  const scopes = ['cma:read', 'cma:write', 'admin'].flatMap((scope) => ['--scope', scope]);
  const words = ['client', 'create', '--name', 'tester', ...scopes, '--json'];
  const { exitCode, stdout, stderr } = await runCommand(words, environmentOf(source));
  expect(exitCode, stderr).toBe(0);
  return JSON.parse(stdout);
}

/** Reads the authors and sections of a store. */
export async function readStore(
  location: StoreLocation,
  types: string = shippedTypes,
): Promise<ReadonlyMap<string, FoundAsset>> {
  const froms = allTypes.flatMap((type) => ['--from', type]);
  const environment = { ...environmentOf(location), COLOPHON_TYPES: types };
  const { exitCode, stdout, stderr } = await runCommand(['export', ...froms], environment);
  expect(exitCode, stderr).toBe(0);
  return toAssets(stdout);
}

/** Reads the file of a mirror. */
export const readMirrorFile = (path: string) => toAssets(readFileSync(path, 'utf8'));

function toAssets(lines: string): ReadonlyMap<string, FoundAsset> {
  const assets = lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line): FoundAsset => JSON.parse(line));
  const byId = new Map(assets.map((asset) => [asset._id, asset]));
  expect(byId.size, 'each asset once').toBe(assets.length);
  return byId;
}

/** A UUID with a number. */
export const mirrorId = (n: number) => `0191f3a0-5b7e-7c11-9d2e-${String(n).padStart(12, '0')}`;

/** An author to create. */
export const authorOf = (n: number, slug = `author-${n}`) => ({
  _id: mirrorId(n),
  _type: authorType,
  slug,
  name: `Author ${n}`,
});

/** A section to create. */
export const sectionOf = (n: number) => ({
  _id: mirrorId(n),
  _type: sectionType,
  slug: `section-${n}`,
  name: `Section ${n}`,
});
