/**
 * Follows the change log from a position onwards, oldest change first, with the states of the assets around each change.
 */
import type { ContentStore } from '../../store/port.ts';
import type { ChangeFilter, LoggedChange } from './read-changes.ts';
import { createStateReader, type StateReader } from './states-around.ts';

/** Where the log stands: the name of the store's line of history, and the `seq` of its oldest and newest entry. */
export interface LogEnds {
  readonly epoch: string;
  readonly first: number;
  readonly last: number;
}

/** The changes after a position. */
export interface FollowedChanges {
  readonly changes: readonly LoggedChange[];
  /** All changes up to this `seq` have been examined. */
  readonly upTo: number;
  /** Whether there was nothing further when the log was read. */
  readonly isEnd: boolean;
}

/** Reads the log forwards. Every call rejects with `not_supported` on a store that keeps none. */
export interface LogFollower {
  ends(): Promise<LogEnds>;
  readAfter(request: {
    readonly seq: number;
    readonly limit: number;
    readonly filter?: ChangeFilter;
  }): Promise<FollowedChanges>;
  /** Finds one change; `undefined` when it was trimmed or erased. */
  find(seq: number): Promise<LoggedChange | undefined>;
  /** Finds the first `seq` that was written at a time or later; after the last one if there is none. */
  findFrom(atMs: number): Promise<number>;
  readonly states: StateReader;
}

/** Creates it. */
export function createLogFollower(store: Pick<ContentStore, 'texts' | 'changes'>): LogFollower {
  const { changes: log } = store;
  const ends = async () => {
    const { epoch, first, last } = await log.position();
    return { epoch, first, last };
  };

  const readAfter: LogFollower['readAfter'] = async ({ seq, limit, filter = {} }) => {
    // Read first: what is written later has a greater number.
    const { last } = await log.position();
    const { entries, next } = await log.read({ order: 'oldest first', from: seq, limit, filter });
    const upTo = next ?? Math.max(last, entries.at(-1)?.seq ?? seq);
    return { changes: entries, upTo: Math.max(upTo, seq), isEnd: next === undefined };
  };

  async function find(seq: number): Promise<LoggedChange | undefined> {
    const { entries } = await log.read({ order: 'oldest first', from: seq - 1, limit: 1 });
    return entries.find((entry) => entry.seq === seq);
  }

  async function findFrom(atMs: number): Promise<number> {
    for (let from = 0; ; ) {
      const page = await readAfter({ seq: from, limit: 1, filter: { fromMs: atMs } });
      const [first] = page.changes;
      if (first) return first.seq;
      if (page.isEnd) return page.upTo + 1;
      from = page.upTo;
    }
  }

  return { ends, readAfter, find, findFrom, states: createStateReader(store) };
}
