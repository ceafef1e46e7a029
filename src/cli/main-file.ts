/**
 * The file of the command line, for what runs it as a process of its own; it is TypeScript in a checkout and JavaScript as built.
 */
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(import.meta.url);

/** The absolute path of `main.ts` or `main.js`. */
export const mainFile = join(dirname(here), `main${extname(here)}`);
