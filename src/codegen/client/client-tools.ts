/**
 * The packages that make the client. They are optional peers of Colophon, since a server runs without them.
 */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { cannotGenerate } from '../../base/errors.ts';
import { packageRoot } from '../../base/package-root.ts';

const tools = ['@hey-api/openapi-ts', 'typescript'];

/** Asserts that the tools are installed. Errors: cannot_generate, with the command that installs what is missing. */
export function assertClientTools(): void {
  const { devDependencies: tested } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8'));
  const missing = tools.filter((name) => !isCompatible(findInstalledVersion(name), tested[name]));
  if (missing.length === 0) return;
  const wanted = missing.map((name) => `${name}@${tested[name]}`).join(' ');
  throw cannotGenerate(
    `it needs packages, or versions of them, that are not installed here; run npm install --save-dev ${wanted}`,
  );
}

/** Finds the package's folder, since not every package lets its manifest be resolved. */
function findInstalledVersion(name: string): string | undefined {
  const folders = createRequire(import.meta.url).resolve.paths(name) ?? [];
  const manifest = folders.map((folder) => join(folder, name, 'package.json')).find(existsSync);
  return manifest === undefined ? undefined : JSON.parse(readFileSync(manifest, 'utf8')).version;
}

/** Whether a version keeps what the tested one promises: the same major version, or before 1.0 the same minor version. */
function isCompatible(version: string | undefined, tested: string): boolean {
  const promise = (text = '') => /^(0\.\d+|\d+)\./.exec(text)?.[1];
  return version !== undefined && promise(version) === promise(tested);
}
