/**
 * Runs the command line for measurements of time and memory. It reads `/proc`, so the memory is known on Linux.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const main = join(import.meta.dirname, '../../colophon.cjs');

export const credentials = { COLOPHON_CLIENT_ID: 'bench', COLOPHON_CLIENT_SECRET: 'bench-secret' };

export type Environment = Record<string, string>;

/** The time and memory a process used, and what it printed. */
export interface Cost {
  readonly seconds: number;
  readonly peakMb: number;
  readonly output: string;
}

/** Runs a program of Node.js, by default the command line, to its end and samples its memory. */
export async function runCommand(
  words: readonly string[],
  environment: Environment,
  program = main,
): Promise<Cost> {
  const startedMs = performance.now();
  const child = spawn(process.execPath, [program, ...words], {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [output, errors] = ['', ''];
  child.stdout.on('data', (text) => {
    output += text;
  });
  child.stderr.on('data', (text) => {
    errors += text;
  });
  const ended = once(child, 'close');
  let peakMb = 0;
  while (child.exitCode === null && child.signalCode === null) {
    peakMb = Math.max(peakMb, readPeak(child.pid));
    await Promise.race([ended, sleep(20)]);
  }
  await ended;
  if (child.exitCode !== 0) throw new Error(`${words.join(' ')}: ${output}${errors}`);
  return { seconds: (performance.now() - startedMs) / 1000, peakMb, output };
}

/** Returns the peak memory of a process so far, in MB. */
function readPeak(pid: number | undefined): number {
  try {
    const [, kilobytes = '0'] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kilobytes) / 1024;
  } catch {
    return 0;
  }
}

/** Starts a server; `stop` returns its peak memory in MB. */
export async function serve(environment: Environment, words: readonly string[] = []) {
  const child = spawn(process.execPath, [main, 'serve', ...words], {
    env: { ...environment, ...credentials, COLOPHON_PORT: '0', COLOPHON_LOG_LEVEL: 'silent' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (text) => {
    output += text;
  });
  while (!/listening on (\S+)/.test(output)) {
    if (child.exitCode !== null) throw new Error(`The server ended: ${output}`);
    await sleep(20);
  }
  const url = /listening on (\S+)/.exec(output)?.[1] ?? '';
  const stop = async (): Promise<number> => {
    const peakMb = readPeak(child.pid);
    const ended = once(child, 'exit');
    child.kill();
    await ended;
    return peakMb;
  };
  return { url, stop };
}
