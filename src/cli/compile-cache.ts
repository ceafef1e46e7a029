/**
 * Keeps the compiled code of this process for the next one, which then starts in about two thirds of the time.
 *
 * V8 trusts the cache, so it lies where only those can write who could change the program itself or are the user: beside the program, and
 * else in the user's folder for caches. It is a help only: where neither can be written, nothing is kept. Node.js has its own variables for
 * it, NODE_COMPILE_CACHE and NODE_DISABLE_COMPILE_CACHE, which take precedence.
 */
import { constants, enableCompileCache } from 'node:module';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Uses the cache in this process, its threads and the processes that it starts. Node.js writes it when they end. */
export function cacheCompiledCode(): void {
  const { ENABLED, FAILED } = constants.compileCacheStatus;
  for (const folder of findFolders()) {
    const { status } = enableCompileCache(folder);
    // Threads and child processes read the variable alone.
    if (status === ENABLED) process.env.NODE_COMPILE_CACHE = folder;
    if (status !== FAILED) return;
  }
}

function* findFolders(): Generator<string> {
  const program = fileURLToPath(import.meta.url);
  // The sources of a checkout stay as they are.
  if (!program.endsWith('.ts')) yield join(dirname(program), 'compile-cache');
  try {
    yield join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'colophon');
  } catch {
    // The user has no home.
  }
}
