/**
 * Stops all lists of a run when one of them is too costly: the others would keep the store busy for as long again.
 */
import { isDomainError } from '../../base/errors.ts';
import type { Caller } from '../../content/reading/find-assets.ts';

/** The lists of one run. */
export interface SearchGroup {
  /** Registers a list before any is read. */
  add(): void;
  /** Reads a list for a caller whose signal also stops when another list is too costly. */
  run<Page>(caller: Caller, read: (caller: Caller) => Promise<Page>): Promise<Page>;
}

/** Creates the group of one run. */
export function createSearchGroup(): SearchGroup {
  let lists = 0;
  let stop: AbortController | undefined;
  return {
    add() {
      lists++;
    },
    async run(caller, read) {
      // One list has nothing to stop.
      if (lists < 2) return read(caller);
      stop ??= new AbortController();
      const { signal } = stop;
      const own = { ...caller, signal: caller.signal ? AbortSignal.any([caller.signal, signal]) : signal };
      try {
        return await read(own);
      } catch (error) {
        if (isDomainError(error, 'query_too_costly')) stop.abort(error);
        throw error;
      }
    },
  };
}
