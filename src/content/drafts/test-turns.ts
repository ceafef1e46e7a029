/**
 * The turns in which drafts are tested, and the time for it.
 */
import { setImmediate } from 'node:timers/promises';
import { queryTooCostly } from '../../base/errors.ts';
import { defaultQueryMs } from '../../store/port.ts';

/** How long drafts are tested before other work may run. */
const turnMs = 20;

/** Lets other work run between the tests of drafts, and ends them after the time of a search, without the searches of the store. */
export function createTestTurns(signal: AbortSignal | undefined) {
  let leftMs = defaultQueryMs;
  let startMs = 0;
  const spentMs = () => performance.now() - startMs;
  const begin = () => {
    startMs = performance.now();
  };
  /** Errors: query_too_costly. */
  const assertTime = () => {
    if (spentMs() > leftMs) throw queryTooCostly();
  };
  const end = () => {
    assertTime();
    leftMs -= spentMs();
  };
  return {
    begin,
    assertTime,
    end,
    async next() {
      if (spentMs() < turnMs) return;
      end();
      await setImmediate();
      signal?.throwIfAborted();
      begin();
    },
  };
}
