/**
 * Reads the entries of a run in the change log.
 */
import type { ChangeEntry, ChangeFilter, ChangeLog } from '../../store/changes.ts';

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
  /** Tells whether a write of the run has erased an asset. */
  hasErased(run: string): Promise<boolean>;
}

/** Creates the reader of a log. */
export function createRunEntries(changes: Pick<ChangeLog, 'read'>): RunEntries {
  const read = ({ run, ...page }: RunEntriesRequest) => changes.read({ ...page, filter: { run } });

  async function findNewest(run: string, filter: Pick<ChangeFilter, 'actions'> = {}) {
    // A page may be empty although there are more.
    for (let from: number | undefined; ; ) {
      const request = { order: 'newest first', limit: 1, filter: { run, ...filter } } as const;
      const { entries, next } = await changes.read({ ...request, ...(from !== undefined && { from }) });
      const [newest] = entries;
      if (newest || next === undefined) return newest;
      from = next;
    }
  }

  return {
    read,
    findNewest: (run) => findNewest(run),
    hasErased: async (run) => (await findNewest(run, { actions: ['erase'] })) !== undefined,
  };
}
