/**
 * Counts the wrong attempts that go by a name, such as an email, and says how long the next one has to wait.
 *
 * What is counted is forgotten after a quiet quarter of an hour, and the names that were used last are kept, up to a number: whoever
 * wants to push one out has to make more attempts than there is time for.
 */
import type { Clock } from '../base/runtime.ts';

/** The wrong attempts of many names. */
export interface WrongAttempts {
  /** How long the next attempt has to wait; 0 when it may be made now. */
  waitMs(name: string): number;
  /** Counts one. */
  add(name: string): void;
  /** Takes back one that was counted. */
  takeBack(name: string): void;
  /** Forgets all of a name. */
  forget(name: string): void;
}

/** After how long without a wrong attempt all of them are forgotten; time spent waiting does not count. */
export const memoryMs = 15 * 60 * 1000;
/** How long the first one too many makes wait; each further one doubles it. */
export const firstWaitMs = 30 * 1000;
/** The longest wait. */
export const longestWaitMs = 15 * 60 * 1000;

interface Entry {
  readonly count: number;
  readonly lastMs: number;
}

/** Begins to count; `free` attempts make nobody wait. */
export function createWrongAttempts({
  clock,
  free,
  maxNames,
}: {
  clock: Clock;
  free: number;
  maxNames: number;
}): WrongAttempts {
  // A map keeps the order of insertion, so its first name is the one unused for longest.
  const entries = new Map<string, Entry>();

  const untilMs = ({ count, lastMs }: Entry) =>
    count < free ? lastMs : lastMs + Math.min(firstWaitMs * 2 ** (count - free), longestWaitMs);

  function find(name: string): Entry | undefined {
    const entry = entries.get(name);
    return entry && untilMs(entry) + memoryMs > clock.nowMs() ? entry : undefined;
  }

  function keep(name: string, entry: Entry): void {
    entries.delete(name);
    entries.set(name, entry);
    const [oldest] = entries.keys();
    if (entries.size > maxNames && oldest !== undefined) entries.delete(oldest);
  }

  return {
    waitMs(name) {
      const entry = find(name);
      return entry ? Math.max(0, untilMs(entry) - clock.nowMs()) : 0;
    },
    add(name) {
      keep(name, { count: (find(name)?.count ?? 0) + 1, lastMs: clock.nowMs() });
    },
    takeBack(name) {
      const entry = find(name);
      if (entry) keep(name, { ...entry, count: entry.count - 1 });
    },
    forget(name) {
      entries.delete(name);
    },
  };
}
