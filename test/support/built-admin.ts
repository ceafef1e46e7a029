/**
 * The built admin UI for the browser tests: built anew when a source is newer than what is there.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/base/package-root.ts';

/** Vitest's global set-up. */
export default function buildAdmin(): void {
  const built = join(packageRoot, 'dist/admin/index.html');
  const sources = ['src/admin', 'generated/client', 'generated/openapi', 'package-lock.json'];
  const newestMs = Math.max(...sources.map((source) => newestChangeMs(join(packageRoot, source))));
  if (existsSync(built) && statSync(built).mtimeMs >= newestMs) return;
  try {
    execFileSync('npm', ['run', 'build:admin'], { cwd: packageRoot, stdio: 'pipe' });
  } catch (error) {
    if (process.env.CI) throw error;
    // The other tests do not need it.
    console.error(`The admin UI could not be built:\n${Object(error).stderr}`);
  }
}

function newestChangeMs(path: string): number {
  const { mtimeMs } = statSync(path);
  if (!statSync(path).isDirectory()) return mtimeMs;
  const files = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Math.max(...files.map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs));
}
