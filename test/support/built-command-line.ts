/**
 * Makes the validators that tests import, and bundles the command line once before the tests start it in many processes. They start the
 * bundle itself, because `colophon.cjs` looks at every source for changes.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { packageRoot } from '../../src/base/package-root.ts';
import { ensureValidators } from '../../src/codegen/ensure-validators.ts';
import { findBundle } from './bundled-threads.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The program of the command line. */
    commandLine: string;
  }
}

/** Vitest's global setup: the validators, and the first command makes the bundle of the present sources. */
export default async function buildCommandLine(project: TestProject): Promise<void> {
  await ensureValidators();
  const inCheckout = join(packageRoot, 'colophon.cjs');
  execFileSync(process.execPath, [inCheckout, '--version'], { stdio: ['ignore', 'ignore', 'inherit'] });
  // In watch mode, sources change after that.
  const bundle = project.config.watch ? undefined : findBundle();
  project.provide('commandLine', bundle ? join(bundle, 'launch.cjs') : inCheckout);
}
