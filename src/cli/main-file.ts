/**
 * The main file of the command line, for code that runs it as a child process. It is TypeScript in a checkout and JavaScript in a
 * build.
 */
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(import.meta.url);

/** The absolute path of `main.ts` or `main.js`. */
export const mainFile = join(dirname(here), `main${extname(here)}`);
