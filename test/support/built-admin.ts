/**
 * The built admin UI for the browser tests: built anew when a source is newer than what is there.
 */
import { execFileSync } from 'node:child_process';
import { packageRoot } from '../../src/base/package-root.ts';

/** Vitest's global set-up. */
export default function buildAdmin(): void {
  try {
    execFileSync(process.execPath, ['build.ts', '--admin'], { cwd: packageRoot, stdio: 'pipe' });
  } catch (error) {
    if (process.env.CI) throw error;
    // The other tests do not need it.
    console.error(`The admin UI could not be built:\n${Object(error).stderr}`);
  }
}
