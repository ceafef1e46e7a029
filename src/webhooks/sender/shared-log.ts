/**
 * The end of the change log, read once for all webhooks: those that stand at the same position and are about the same types get the same
 * pages, and the states of assets around their changes are found once.
 *
 * All pages end where the log was last seen to end, so that webhooks that have read everything stand at the same position, and
 * share what comes next. Pages are kept until the log grows, and only a few.
 */
import type {
  ChangeFilter,
  FollowedChanges,
  LogFollower,
  StatesAround,
} from '../../content/changes/follow-changes.ts';

/** A page, with the states around its changes. */
export interface SharedPage extends FollowedChanges {
  /** Finds the states around the changes of the page, by `seq`; lacks those of assets that were erased since. */
  findStates(): Promise<ReadonlyMap<number, StatesAround>>;
}

/** Reads pages. */
export interface SharedLog {
  /** Reads the changes after a position. Errors: the store's. */
  readAfter(request: { readonly seq: number; readonly filter: ChangeFilter }): Promise<SharedPage>;
}

/** How many changes a page has. */
export const pageSize = 50;
const maxPages = 16;

/** Creates it. `lastSeq` is the `seq` of the last change that is known of. */
export function createSharedLog(
  log: Pick<LogFollower, 'readAfter' | 'states'>,
  lastSeq: () => number,
): SharedLog {
  const pages = new Map<string, Promise<SharedPage>>();
  let end = 0;

  async function read(request: { seq: number; filter: ChangeFilter }, upTo: number): Promise<SharedPage> {
    const page = await log.readAfter({ ...request, limit: pageSize });
    const isCut = page.upTo >= upTo;
    const changes = isCut ? page.changes.filter(({ seq }) => seq <= upTo) : page.changes;
    let states: Promise<ReadonlyMap<number, StatesAround>> | undefined;
    return {
      changes,
      upTo: isCut ? Math.max(upTo, request.seq) : page.upTo,
      isEnd: isCut || page.isEnd,
      findStates() {
        states ??= log.states.around(changes).catch((error: unknown) => {
          // They are read again when the store answers.
          states = undefined;
          throw error;
        });
        return states;
      },
    };
  }

  return {
    readAfter({ seq, filter }) {
      if (end !== lastSeq()) pages.clear();
      end = lastSeq();
      const key = JSON.stringify([seq, filter]);
      const known = pages.get(key);
      if (known) return known;
      const page = read({ seq, filter }, end);
      pages.set(key, page);
      // A failed one is read again.
      page.catch(() => pages.delete(key));
      const [oldest] = pages.keys();
      if (pages.size > maxPages && oldest !== undefined) pages.delete(oldest);
      return page;
    },
  };
}
