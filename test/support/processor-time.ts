/**
 * Clocks that count processor time, in milliseconds. They measure work, which other programs on a busy machine do not lengthen as they
 * lengthen a wait.
 */
import { readFileSync } from 'node:fs';

/** Returns the processor time that the main thread of a process has used. Linux only. */
export function mainThreadMs(pid: number): number {
  const [nanoseconds] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ');
  return Number(nanoseconds) / 1e6;
}

/** Returns the processor time that all threads of a process have used, those that ended included. Linux only. */
export function processMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name of the program, in brackets, may contain spaces; user and system time are the 14th and 15th fields.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const msOfTick = 10;
  return (Number(fields[11]) + Number(fields[12])) * msOfTick;
}

/** Returns the processor time that the calling thread of this process has used. */
export function ownThreadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
