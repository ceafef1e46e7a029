/**
 * Finds out what a request that runs again has written earlier, by the change log.
 */
import type { ChangeEntry } from '../store/changes.ts';
import type { ContentStore } from '../store/port.ts';
import type { PreAssignedIds } from './pre-assigned-ids.ts';
import { changeOf, type Written } from './prepare-write.ts';

/** How many entries are read at a time, and how many in all; others may have changed the asset since. */
const limits = { page: 50, entries: 1_000 };
/** How far the clocks of two processes may differ. */
const clockToleranceMs = 60 * 60 * 1000;

/** One write of a request: the asset that it writes, and its index in the request. */
export interface OwnWrite {
  readonly id: string;
  readonly index: number;
  readonly reserved: PreAssignedIds;
}

type LoggedStore = Pick<ContentStore, 'capabilities' | 'changes'>;

/** Finds the entry of a write that another run of the request has made, and returns its `id`. */
export async function recallChange(store: LoggedStore, write: OwnWrite): Promise<string | undefined> {
  return (await recallEntry(store, write))?.id;
}

/** Finds the entry of a write that another run of the request has made. */
async function recallEntry(
  store: LoggedStore,
  { id, index, reserved }: OwnWrite,
): Promise<ChangeEntry | undefined> {
  if (reserved.run === 'only' || !store.capabilities.changes) return undefined;
  let searched = 0;
  for (let before: number | undefined; ; ) {
    const from = before === undefined ? {} : { before };
    const { entries, next } = await store.changes.history({ asset: id, limit: limits.page, ...from });
    const own = entries.find((entry) => reserved.findWriter(entry.id)?.index === index);
    if (own) return own;
    searched += entries.length;
    const reachedMs = entries.at(-1)?.atMs ?? 0;
    const isOlder = reachedMs < reserved.reservedAtMs - clockToleranceMs;
    if (next === undefined || isOlder || searched >= limits.entries) return undefined;
    before = next;
  }
}

/** Finds the entry of a write that an earlier run of the request has made. Reads nothing for a first run. */
export async function recallEarlier(
  store: ContentStore,
  { id, reserved }: Pick<OwnWrite, 'id' | 'reserved'>,
): Promise<ChangeEntry | undefined> {
  return reserved.run === 'repeat' ? recallEntry(store, { id, index: 0, reserved }) : undefined;
}

/**
 * Finds out whether another run of the request has already written an asset with this present version. Without a change log, a
 * write is only known while it is the last one.
 */
export async function recallWrite(
  store: ContentStore,
  present: { readonly id: string; readonly version: string },
  reserved: PreAssignedIds,
): Promise<Written | undefined> {
  const { id, version } = present;
  const last = reserved.findWriter(version);
  const change = last?.change ?? (await recallEarlier(store, { id, reserved }))?.id;
  return change === undefined ? undefined : changeOf(store, change);
}
