/** Runs POSIX shell scripts as a user does: in a separate process group, without this checkout's programs on the PATH. */
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

/** A running script. */
export interface Running {
  readonly output: () => string;
  readonly ended: Promise<Outcome>;
  /** Signals the process alone, or its whole process group as a terminal does. */
  signal(signal: NodeJS.Signals, to?: 'process' | 'all'): void;
}

/** A running script whose server listens. */
export interface Serving extends Running {
  readonly url: string;
  stop(): Promise<Outcome>;
}

/** The PATH without the programs of this checkout. */
export const hostPath = (process.env.PATH ?? '')
  .split(delimiter)
  .filter((folder) => !folder.includes('node_modules'))
  .join(delimiter);

/** Starts a script with exactly the given environment. */
export function startScript(
  script: string,
  { cwd, environment }: { cwd: string; environment: Environment },
): Running {
  // In a separate process group, as a shell does. One pipe keeps the order of what the script prints and of its messages.
  const child = spawn('sh', ['-ec', `exec 2>&1\n${script}`], { cwd, env: environment, detached: true });
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

/** Waits until the server of a script prints its address. */
export async function untilServing(running: Running): Promise<Serving> {
  const failed = running.ended.then(({ output }) => {
    throw new Error(`The server did not start: ${output}`);
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
