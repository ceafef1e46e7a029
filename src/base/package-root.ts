/**
 * The folder of Colophon's own `package.json`, for sources and the built package alike.
 */
import { findPackageJSON } from 'node:module';
import { dirname } from 'node:path';

/** The absolute path of the folder that holds `openapi/` and `graphql/`. */
export const packageRoot = dirname(findPackageJSON(import.meta.url) ?? process.cwd());
