/**
 * Lets a server start without V8's optimizing compilers. What runs only at the start is compiled by them just before it ends: that takes 40 ms
 * of other threads, and memory that they keep.
 */
import { flushCompileCache } from 'node:module';
import { setFlagsFromString } from 'node:v8';

const compilers = ['opt', 'maglev'];

/** Runs the start of a server; the compilers then work as usual. Errors: those of `start`. */
export async function startUnoptimized<Started>(start: () => Promise<Started>): Promise<Started> {
  setCompilers('--no-');
  try {
    return await start();
  } finally {
    setCompilers('--');
  }
}

function setCompilers(prefix: string): void {
  // V8 compiles for the flags in force. Code that was loaded before is cached with those of its start.
  flushCompileCache();
  for (const name of compilers) setFlagsFromString(prefix + name);
}
