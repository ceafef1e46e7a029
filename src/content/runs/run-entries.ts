/**
 * Reads the entries of a run in the change log.
 */
import type { ChangeEntry, ChangeLog } from '../../store/changes.ts';

export type { ChangeEntry } from '../../store/changes.ts';

/** Which entries of a run to read: those with a `seq` beyond `from`, in the order. */
export interface RunEntriesRequest {
  readonly run: string;
  readonly order: 'oldest first' | 'newest first';
  readonly from?: number;
  readonly limit: number;
}

/** A page of entries. `next` is the `from` of the next page; absent at the end. */
export interface RunEntriesPage {
  readonly entries: readonly (ChangeEntry & { readonly seq: number })[];
  readonly next?: number;
}

/** The entries of runs. */
export interface RunEntries {
  read(request: RunEntriesRequest): Promise<RunEntriesPage>;
  /** Finds the newest entry of a run. */
  findNewest(run: string): Promise<(ChangeEntry & { readonly seq: number }) | undefined>;
}

/** Creates the reader of a log. */
export function createRunEntries(changes: Pick<ChangeLog, 'read'>): RunEntries {
  const read = ({ run, ...page }: RunEntriesRequest) => changes.read({ ...page, filter: { run } });

  async function findNewest(run: string) {
    // A page may be empty although there are more.
    for (let from: number | undefined; ; ) {
      const request = { run, order: 'newest first', limit: 1 } as const;
      const { entries, next } = await read({ ...request, ...(from !== undefined && { from }) });
      const [newest] = entries;
      if (newest || next === undefined) return newest;
      from = next;
    }
  }

  return { read, findNewest };
}
