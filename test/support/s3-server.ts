/**
 * A server that speaks the protocol of S3, for tests: Moto from PyPI, in a process of its own, which keeps its objects in memory.
 *
 * `.ci/install-s3-server` installs it. Without it, suites in buckets are skipped; with CI=true they fail.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import { findFreePort } from './free-port.ts';

const cache = process.env.COLOPHON_TEST_CACHE ?? join(homedir(), '.cache', 'colophon-test');
const program = join(cache, 'moto', 'bin', 'moto_server');

/** Whether the server is installed. */
export const hasS3Server = existsSync(program);

/** What the client finds in the environment; the server accepts any. */
export const s3Credentials = { AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' };

/** A server with one bucket. */
export interface S3Server {
  readonly endpoint: string;
  /** Returns a setting `COLOPHON_FILES_URL` for a prefix. */
  urlOf(prefix: string): string;
  stop(): Promise<void>;
}

/** Starts a server. */
export async function startS3Server(): Promise<S3Server> {
  const port = await findFreePort();
  const server: ChildProcess = spawn(program, ['--host', '127.0.0.1', '--port', String(port)], {
    stdio: 'ignore',
  });
  const kill = () => server.kill('SIGKILL');
  process.once('exit', kill);
  const endpoint = `http://127.0.0.1:${port}`;
  await vi.waitUntil(() => createBucket(endpoint), { timeout: 60_000, interval: 100 });
  return {
    endpoint,
    urlOf: (prefix) => `s3://files/${prefix}?endpoint=${endpoint}&region=us-east-1`,
    async stop() {
      process.off('exit', kill);
      const exited = once(server, 'exit');
      kill();
      await exited;
    },
  };
}

async function createBucket(endpoint: string): Promise<boolean> {
  try {
    return (await fetch(`${endpoint}/files`, { method: 'PUT' })).ok;
  } catch {
    // It has not started yet.
    return false;
  }
}
