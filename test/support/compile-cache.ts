/**
 * Where processes that tests start keep what Node.js compiled, so that each starts in half the time: most of it goes into
 * stripping and compiling the same modules again.
 */
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** To be spread into the environment of a process of this repository. */
export const compileCache = { NODE_COMPILE_CACHE: join(tmpdir(), 'colophon-test-compile-cache') } as const;
