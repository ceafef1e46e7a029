/**
 * Where Colophon itself is installed, whether it runs from its sources or as built: the folder of its `package.json`.
 */
import { findPackageJSON } from 'node:module';
import { dirname } from 'node:path';

/** The absolute path of the folder that holds `openapi/` and `graphql/`. */
export const packageRoot = dirname(findPackageJSON(import.meta.url) ?? process.cwd());
