/** Scripts of a POSIX shell, run as a user runs them: in a separate process group, without anything of this checkout on the PATH. */
import { spawn } from 'node:child_process';
import { delimiter } from 'node:path';
import { vi } from 'vitest';

/** Environment variables. */
export type Environment = Readonly<Record<string, string>>;

/** How a script ended; `exitCode` is null when a signal ended it. */
export interface Outcome {
  readonly exitCode: number | null;
  readonly output: string;
}

/** A script that is running. */
export interface Running {
  readonly output: () => string;
  readonly ended: Promise<Outcome>;
  /** Signals the process itself, or all that it started, as a terminal does. */
  signal(signal: NodeJS.Signals, to?: 'process' | 'all'): void;
}

/** A script that serves, and has said where. */
export interface Serving extends Running {
  readonly url: string;
  stop(): Promise<Outcome>;
}

/** The PATH of the host, with nothing of this checkout's. */
export const hostPath = (process.env.PATH ?? '')
  .split(delimiter)
  .filter((folder) => !folder.includes('node_modules'))
  .join(delimiter);

/** Starts a script; its environment is what is given and nothing else. */
export function startScript(
  script: string,
  { cwd, environment }: { cwd: string; environment: Environment },
): Running {
  // In a separate group, as a shell does it.
  const child = spawn('sh', ['-ec', script], { cwd, env: environment, detached: true });
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

/** Waits until a script that serves says where. */
export async function untilServing(running: Running): Promise<Serving> {
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
