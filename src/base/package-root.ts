/**
 * Finds the folder of Colophon's own `package.json`, both in the sources and in the built package, and reads its version.
 */
import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';

/** The absolute path of the folder that holds `openapi/` and `graphql/`. */
export const packageRoot = dirname(findPackageJSON(import.meta.url) ?? process.cwd());

/** Reads the version of Colophon. */
export function readVersion(): string {
  return JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')).version;
}
