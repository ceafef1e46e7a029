/**
 * Reads the change log of the whole store, newest first, for those who may see every change.
 *
 * One read of the store looks at a limited number of entries, so a filter that few entries match needs several reads for a page.
 */
import type { Asset } from '../../model/content-type.ts';
import type { ChangeEntry, ChangeFilter, LogPage, LogRequest } from '../../store/changes.ts';
import type { ContentStore } from '../../store/port.ts';

/** The store's types that this reader returns, so that its users need not know the port. */
export type { ChangeEntry, ChangeFilter } from '../../store/changes.ts';

/** A change as the log has numbered it. */
export type LoggedChange = LogPage['entries'][number];

/** Which changes to read. */
export interface ChangesRequest {
  readonly filter: ChangeFilter;
  /** The `seq` to continue from, exclusive. */
  readonly from?: number;
  readonly limit: number;
}

/** Reads the change log. Every call rejects with `not_supported` on a store that keeps none. */
export interface ChangeReader {
  /** Returns the random name of the store's line of history. */
  epoch(): Promise<string>;
  /** Reads a page; it has fewer entries than `limit` while `next` is set if the search took too long. */
  read(request: ChangesRequest): Promise<LogPage>;
  /** Finds an asset as an entry left it, or as it was deleted; `undefined` when that is no longer known. */
  stateAfter(entry: ChangeEntry): Promise<Asset | undefined>;
}

/** How often one page reads the store. */
const maxReads = 10;

/** Creates the reader. */
export function createChangeReader({ changes }: Pick<ContentStore, 'changes'>): ChangeReader {
  async function read({ filter, from, limit }: ChangesRequest): Promise<LogPage> {
    const entries: LoggedChange[] = [];
    let next = from;
    for (let reads = 0; reads < maxReads && entries.length < limit; reads++) {
      const page = await changes.read(toLogRequest({ filter, from: next, limit: limit - entries.length }));
      entries.push(...page.entries);
      next = page.next;
      if (next === undefined) return { entries };
    }
    return { entries, ...(next === undefined ? {} : { next }) };
  }

  async function stateAfter({ asset, number, action, before }: ChangeEntry): Promise<Asset | undefined> {
    // The entry of a deletion has the whole asset.
    if (action === 'delete') return before as Asset | undefined;
    const state = await changes.stateOf(asset, { number });
    return state.kind === 'exists' ? state.asset : undefined;
  }

  return { epoch: async () => (await changes.position()).epoch, read, stateAfter };
}

function toLogRequest({
  filter,
  from,
  limit,
}: Omit<ChangesRequest, 'from'> & { from: number | undefined }): LogRequest {
  return { order: 'newest first', filter, limit, ...(from === undefined ? {} : { from }) };
}
