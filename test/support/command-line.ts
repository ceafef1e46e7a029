/**
 * Runs the command line as a separate process, from the bundle that users run. Its environment is what the test gives.
 */
import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { inject } from 'vitest';
import { compileCache } from './compile-cache.ts';
import type { ClientHeaders } from './instance.ts';
import { closeAfterFile } from './opened.ts';
import { roundsOf } from './rounds.ts';
import type { StoreLocation } from './stores.ts';

/** Environment variables. */
export type Environment = Readonly<Record<string, string>>;

/** How a process ended; `exitCode` is null when a signal ended it. */
export interface Outcome {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A process of the command line. */
export interface CommandProcess {
  readonly stdout: () => string;
  readonly stderr: () => string;
  readonly ended: Promise<Outcome>;
  readonly pid: number | undefined;
  /** Stops reading its output, as when the program at the other end of the pipe has ended. */
  closeLog(): void;
  signal(signal: NodeJS.Signals): void;
}

/** `colophon serve`, listening. */
export interface ServingProcess extends CommandProcess {
  /** The address that it printed. */
  readonly url: string;
  /** Sends SIGTERM and waits until the process ends; if no test does, it is done after the file. */
  stop(): Promise<Outcome>;
}

/** The program of the command line, from `built-command-line.ts`. */
export const commandLine = inject('commandLine');
const shortTimeoutServer = join(import.meta.dirname, 'short-timeout-server.ts');

const maxRunMs = roundsOf({ usual: 1_200_000, long: 3_600_000 });

/** How a command is started: by default from the bundle, in a folder for temporary files. */
export interface CommandOptions {
  readonly timeoutMs?: number;
  readonly entry?: string;
  readonly cwd?: string;
}

/** Starts a command and kills it after `timeoutMs`; the default is longer than any test file takes. */
export function startCommand(
  words: readonly string[],
  environment: Environment = {},
  { timeoutMs = maxRunMs, entry = commandLine, cwd = tmpdir() }: CommandOptions = {},
): CommandProcess {
  const child = spawn(process.execPath, [entry, ...words], {
    cwd,
    // The command line keeps its compiled code beside its bundle.
    env: { ...(entry.endsWith('.ts') ? compileCache : {}), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
  });
  const stdout = collect(child.stdout);
  const stderr = collect(child.stderr);
  const ended = new Promise<Outcome>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exitCode) => resolve({ exitCode, stdout: stdout(), stderr: stderr() }));
  });
  return {
    stdout,
    stderr,
    ended,
    pid: child.pid,
    closeLog() {
      child.stdout.destroy();
      child.stderr.destroy();
    },
    signal: (signal) => child.kill(signal),
  };
}

/** Runs a command to its end. */
export function runCommand(
  words: readonly string[],
  environment: Environment = {},
  options: CommandOptions = {},
): Promise<Outcome> {
  return startCommand(words, environment, options).ended;
}

/** Starts a server and waits until it listens; it uses a free port unless `environment` sets one. */
export const startServing = (
  environment: Environment,
  options: { timeoutMs?: number } = {},
): Promise<ServingProcess> =>
  untilListening(startCommand(['serve'], { COLOPHON_PORT: '0', ...environment }, options));

/** Starts a server with short time limits: see `short-timeout-server.ts`. */
export const startShortTimeoutServer = (environment: Environment): Promise<ServingProcess> =>
  untilListening(startCommand([], { COLOPHON_PORT: '0', ...environment }, { entry: shortTimeoutServer }));

/** Waits until a command that starts a server has printed its address. */
export async function untilListening(serving: CommandProcess): Promise<ServingProcess> {
  let hasEnded = false;
  void serving.ended.finally(() => {
    hasEnded = true;
  });
  let url: string | undefined;
  while (url === undefined) {
    if (hasEnded) throw new Error(`The server did not start: ${serving.stderr()}`);
    await setTimeout(10);
    url = /listening on (http:\S+)\n/.exec(serving.stdout())?.[1];
  }
  return {
    ...serving,
    url,
    stop: closeAfterFile(() => {
      serving.signal('SIGTERM');
      return serving.ended;
    }),
  };
}

function collect(stream: Readable): () => string {
  let text = '';
  stream.setEncoding('utf8').on('data', (more: string) => {
    text += more;
  });
  return () => text;
}

/** Returns the environment variables that make a process use a store. */
export function environmentOf({ config: { dataDir, mongodbUrl } }: StoreLocation): Environment {
  return {
    COLOPHON_DATA_DIR: dataDir,
    // The test server of MongoDB may take seconds for a short search.
    ...(mongodbUrl === undefined ? {} : { COLOPHON_MONGODB_URL: mongodbUrl, COLOPHON_QUERY_MS: '60000' }),
  };
}

/** Returns the environment variables that make a process use an API client, which are also those of the client that it creates. */
export const credentialsOf = (headers: ClientHeaders): Environment => ({
  COLOPHON_CLIENT_ID: headers['X-Client-Id'],
  COLOPHON_CLIENT_SECRET: headers['X-Client-Secret'],
});
