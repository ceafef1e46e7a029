/**
 * Tunes V8's garbage collection so that a process's memory stays small. A process that moves content produces much garbage
 * and keeps little. By default V8 lets the heap grow with the work instead of collecting more often, so that a larger file would
 * need more memory.
 */
import { flushCompileCache } from 'node:module';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Makes V8 collect garbage early, in this thread and in threads it starts. */
export function tuneGc(): void {
  // V8 compiles for the flags in force. Code that was loaded before is cached with those of a start.
  flushCompileCache();
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--max-semi-space-size=4');
  setFlagsFromString('--heap-growing-percent=50');
}

/**
 * Collects the garbage that starting a server has left, which takes some 50 ms, and returns the memory to the system: a seventh of what the
 * process has then. V8 itself keeps the room for new objects as large as the start needed it.
 */
export function releaseStartMemory(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  // The one kind of collection that makes this room small again.
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}

/** A larger room saves no processor time under load; V8's own limit is several times this one. */
const newSpaceBytes = 16 * 1024 * 1024;
const checkEveryMs = 250;

/**
 * Keeps V8's room for new objects of this thread near 16 MB. Under load V8 doubles it step by step, several times beyond what helps,
 * and returns it to the system late. V8 reads its own limit at the start of the process only, but the factor of each step whenever
 * it takes one.
 */
export function limitNewSpace(): void {
  let factor = 2;
  const check = () => {
    const space = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space');
    const next = (space?.space_size ?? 0) < newSpaceBytes ? 2 : 1;
    if (next === factor) return;
    flushCompileCache();
    setFlagsFromString(`--semi-space-growth-factor=${next}`);
    factor = next;
  };
  setInterval(check, checkEveryMs).unref();
}
