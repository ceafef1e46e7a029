/**
 * Builds the admin UI for the browser tests, when a source file is newer than the last build.
 */
import { execFileSync } from 'node:child_process';
import { packageRoot } from '../../src/base/package-root.ts';

/** Vitest's global setup: builds the admin UI. */
export default function buildAdmin(): void {
  try {
    execFileSync(process.execPath, ['build.ts', '--admin'], { cwd: packageRoot, stdio: 'pipe' });
  } catch (error) {
    if (process.env.CI) throw error;
    // The other tests run without it.
    console.error(`The admin UI could not be built:\n${Object(error).stderr}`);
  }
}
