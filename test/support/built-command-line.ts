/**
 * Bundles the command line once before the tests start it in many processes.
 */
import { execFileSync } from 'node:child_process';
import { commandLine } from './command-line.ts';

/** Vitest's global setup: the first command makes the bundle of the present sources. */
export default function buildCommandLine(): void {
  execFileSync(process.execPath, [commandLine, '--version'], { stdio: ['ignore', 'ignore', 'inherit'] });
}
