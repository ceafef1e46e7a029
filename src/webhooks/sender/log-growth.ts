/**
 * Watches the end of the change log for all workers together.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { LogEnds, LogFollower } from '../../content/changes/follow-changes.ts';

/** The end of the log. */
export interface LogGrowth {
  /** Reads it anew. Errors: the store's. */
  look(): Promise<LogEnds>;
  lastSeq(): number;
  /** Resolves when the log has grown beyond `seq`, or at the abort. */
  untilGrown(seq: number, signal: AbortSignal): Promise<void>;
  /** Looks again and again until the signal is aborted. */
  watch(signal: AbortSignal): Promise<void>;
}

const pollMs = 250;

/** Creates it. */
export function createLogGrowth(log: Pick<LogFollower, 'ends'>): LogGrowth {
  let last = 0;
  const waiting = new Set<{ readonly seq: number; readonly resolve: () => void }>();

  async function look(): Promise<LogEnds> {
    const ends = await log.ends();
    last = ends.last;
    for (const each of waiting) if (last > each.seq) each.resolve();
    return ends;
  }

  return {
    look,
    lastSeq: () => last,
    untilGrown(seq, signal) {
      if (last > seq || signal.aborted) return Promise.resolve();
      return new Promise((done) => {
        const entry = { seq, resolve: () => end() };
        const end = () => {
          waiting.delete(entry);
          signal.removeEventListener('abort', end);
          done();
        };
        waiting.add(entry);
        signal.addEventListener('abort', end);
      });
    },
    async watch(signal) {
      while (!signal.aborted) {
        // While the store fails the log does not grow.
        await look().catch(() => undefined);
        await sleep(pollMs, undefined, { signal, ref: false }).catch(() => undefined);
      }
    },
  };
}
