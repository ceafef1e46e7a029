/**
 * The packages that the client is made with. An installation may have been stripped of them, since a server runs without.
 */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { cannotGenerate } from '../../base/errors.ts';
import { packageRoot } from '../../base/package-root.ts';

const tools = ['@hey-api/openapi-ts', 'typescript'];

/** Errors: cannot_generate, which says how to install what is missing. */
export function assertClientTools(): void {
  const missing = tools.filter((name) => !isInstalled(name));
  if (missing.length === 0) return;
  const { dependencies } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8'));
  const wanted = missing.map((name) => `${name}@${dependencies[name]}`).join(' ');
  throw cannotGenerate(`it needs packages that are not installed here; run npm install ${wanted}`);
}

/** Looks for the package's folder, as not every package lets its manifest be resolved. */
function isInstalled(name: string): boolean {
  const folders = createRequire(import.meta.url).resolve.paths(name) ?? [];
  return folders.some((folder) => existsSync(join(folder, name, 'package.json')));
}
