/**
 * Finds or starts the MongoDB servers of the test suites, once per test run.
 *
 * In this order: the server of `COLOPHON_TEST_MONGODB_URL`; a `mongod` on the PATH, in an empty folder; the test server that
 * `.ci/install-mongo-server` installs, in memory, once for each core, because it uses only one. With none of them the suites on
 * MongoDB are skipped, and under CI=true the run fails.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, homedir, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import type { TestProject } from 'vitest/node';
import { findFreePort } from './free-port.ts';
import { closeAfterFile } from './opened.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The URLs of the servers, without a database name; empty when there is none. `mongodbUrl()` chooses one. */
    mongodbUrls: readonly string[];
  }
}

/** Starts the test server. */
const launcher = join(import.meta.dirname, 'mongo-server.py');

/** Vitest's global setup: provides `mongodbUrls`, and stops the servers after the tests if they were started here. */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const given = process.env.COLOPHON_TEST_MONGODB_URL;
  const command = given ? undefined : findCommand();
  if (given || !command) {
    if (given) await reportServer(given);
    else reportAbsence();
    project.provide('mongodbUrls', given ? [given] : []);
    return undefined;
  }
  const count = command.program === 'mongod' ? 1 : availableParallelism();
  const servers = await Promise.all(Array.from({ length: count }, () => startServer(command)));
  project.provide(
    'mongodbUrls',
    servers.map(({ url }) => url),
  );
  return async () => {
    await Promise.all(servers.map(({ stop }) => stop()));
  };
}

/** A program and its arguments, without the port. */
interface ServerCommand {
  readonly program: string;
  readonly args: readonly string[];
  /** The folder of its data; absent when the data is in memory. */
  readonly folder?: string;
}

/** How a server of one test differs from that of all suites. */
interface OwnMongoOptions {
  /** Whether it claims to be no replica set, so that it has no transactions. */
  readonly isStandalone?: boolean;
  /** Whether its data outlives a kill. */
  readonly isDurable?: boolean;
}

function findCommand({
  isStandalone = false,
  isDurable = false,
}: OwnMongoOptions = {}): ServerCommand | undefined {
  if (spawnSync('mongod', ['--version']).status === 0) {
    const folder = mkdtempSync(join(tmpdir(), 'colophon-mongod-'));
    return { program: 'mongod', args: ['--bind_ip', '127.0.0.1', '--dbpath', folder], folder };
  }
  const cache = process.env.COLOPHON_TEST_CACHE ?? join(homedir(), '.cache', 'colophon-test');
  const program = join(cache, 'secantusdb', 'bin', 'python3');
  if (!existsSync(program)) return undefined;
  const folder = isDurable ? mkdtempSync(join(tmpdir(), 'colophon-mongo-')) : undefined;
  const storage = ['--storage-path', folder ?? ':memory:', '--cache-size', '256M'];
  const kind = [...(isStandalone ? ['--standalone'] : []), ...(isDurable ? ['--sync-on-commit'] : [])];
  const args = [launcher, '--host', '127.0.0.1', ...storage, '--log-level', 'ERROR', ...kind];
  return { program, args, ...(folder !== undefined && { folder }) };
}

/** Prints what a report of the tests should name. */
async function reportServer(url: string): Promise<void> {
  const client = await MongoClient.connect(url);
  try {
    const admin = client.db().admin();
    const { version } = await admin.serverInfo();
    const { setName = 'no replica set', hosts = [] } = await admin.command({ hello: 1 });
    console.log(`Tests run on MongoDB ${version}, ${setName}, ${hosts.length} members`);
  } finally {
    await client.close();
  }
}

function reportAbsence(): void {
  const message =
    'no MongoDB: set COLOPHON_TEST_MONGODB_URL, put mongod on the PATH, or run .ci/install-mongo-server';
  if (process.env.CI === 'true') throw new Error(`Tests on MongoDB cannot run: ${message}`);
  console.warn(`Tests on MongoDB are skipped: ${message}`);
}

/** Prefers a server to the tests that wait for it, where the user may do that. */
function raisePriority(pid = 0): void {
  try {
    if (pid !== 0) setPriority(pid, -10);
  } catch {
    // Only root may.
  }
}

/** Starts a server for one test, which may stop or kill it, and which ends after the file; returns `undefined` where none is installed. */
export async function startOwnMongo(options?: OwnMongoOptions): Promise<OwnMongo | undefined> {
  const command = findCommand(options);
  if (!command) return undefined;
  const server = await startServer(command);
  return { ...server, stop: closeAfterFile(server.stop) };
}

/** A server that the tests started. */
export interface OwnMongo {
  readonly url: string;
  signal(signal: NodeJS.Signals): void;
  /** Kills the server and starts it again at the same port, with its data if it is durable. */
  restart(): Promise<void>;
  /** Kills the server and removes its data. */
  stop(): Promise<void>;
}

async function startServer({ program, args, folder }: ServerCommand): Promise<OwnMongo> {
  const port = await findFreePort();
  const spawnServer = () => {
    const started = spawn(program, [...args, '--port', String(port)], { stdio: 'ignore' });
    raisePriority(started.pid);
    return started;
  };
  let server = spawnServer();
  const kill = () => server.kill('SIGKILL');
  process.once('exit', kill);
  const stop = async () => {
    process.off('exit', kill);
    await end(server);
    if (folder) rmSync(folder, { recursive: true });
  };
  const url = `mongodb://127.0.0.1:${port}/`;
  const waitUntilReady = async () => {
    const client = await MongoClient.connect(url, { serverSelectionTimeoutMS: 20_000 });
    await client.close();
  };
  const restart = async () => {
    await end(server);
    server = spawnServer();
    await waitUntilReady();
  };
  try {
    await waitUntilReady();
  } catch (error) {
    await stop();
    throw new Error(`${program} did not start`, { cause: error });
  }
  return { url, signal: (signal) => server.kill(signal), restart, stop };
}

/** Kills a server; nobody needs its data, so a graceful shutdown is unnecessary. */
async function end(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const exited = once(server, 'exit');
  server.kill('SIGKILL');
  await exited;
}
