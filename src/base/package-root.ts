/**
 * Finds the folder of Colophon's own `package.json`, both in the sources and in the built package.
 */
import { findPackageJSON } from 'node:module';
import { dirname } from 'node:path';

/** The absolute path of the folder that holds `openapi/` and `graphql/`. */
export const packageRoot = dirname(findPackageJSON(import.meta.url) ?? process.cwd());
