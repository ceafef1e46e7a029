/**
 * Numbers entries of the change log that are committed and have no `seq` yet.
 *
 * One transaction checks the fencing number, moves the last number, and numbers the entries. It becomes visible whole, and the next
 * one begins after it has ended, so a reader that has read up to n never finds an entry up to n later.
 */
import type { ClientSession } from 'mongodb';
import type { Database, NumberingRecord } from '../database.ts';
import { limited } from '../writes/time-limits.ts';
import { type ChangeDocument, parseChangeId, toChangeId } from './change-document.ts';
import type { HeldLease } from './numbering-lease.ts';

/** An entry without a number. */
type Pending = Required<Pick<ChangeDocument, '_id' | 'pending' | 'type' | 'action'>>;

/** The most entries that one transaction numbers; their predecessors come in addition. */
const maxEntries = 500;

/**
 * Numbers the entries that are waiting, in one step. `none` means that there were none, `more` that others are waiting, `lost`
 * that another process has the lease.
 */
export async function numberEntries(
  database: Database,
  { fence, session: own }: HeldLease,
): Promise<'none' | 'done' | 'more' | 'lost'> {
  const found = await findPending(database, { pending: { $gt: 0 } });
  if (found.length === 0) return 'none';
  const entries = found.length < maxEntries ? found : await withPredecessors(database, found);
  const isNumbered = await database.inTransaction(
    (session) => writeNumbers(database, { fence, entries: inOrder(entries), session }),
    own,
  );
  if (!isNumbered) return 'lost';
  return found.length < maxEntries ? 'done' : 'more';
}

async function findPending({ changes }: Database, filter: object): Promise<Pending[]> {
  // Reads what a majority has, so that no numbered entry can be rolled back.
  const readConcern = { level: 'majority' } as const;
  const options = {
    projection: { pending: 1, type: 1, action: 1 },
    sort: { pending: 1 },
    limit: maxEntries,
  } as const;
  return changes.find<Pending>(filter, { ...options, readConcern, ...limited }).toArray();
}

/** Adds earlier entries of the same assets that the limit has cut off, which happens when the clocks of processes differ. */
async function withPredecessors(database: Database, found: readonly Pending[]): Promise<Pending[]> {
  const entries = new Map(found.map((entry) => [entry._id, entry]));
  for (let latest: readonly Pending[] = found; latest.length > 0; ) {
    const ids = latest.map(({ _id }) => previousId(_id)).filter((id) => !entries.has(id));
    latest = ids.length === 0 ? [] : await findPending(database, { _id: { $in: ids }, pending: { $gt: 0 } });
    for (const entry of latest) entries.set(entry._id, entry);
  }
  return [...entries.values()];
}

function previousId(id: string): string {
  const { asset, number } = parseChangeId(id);
  return toChangeId(asset, number - 1);
}

/** Sorts entries by the time of their writing, and those of one asset by their number, whatever the clocks of processes say. */
function inOrder(entries: readonly Pending[]): Pending[] {
  const ofAssets = Map.groupBy(
    entries.toSorted((one, other) => (one._id < other._id ? 1 : -1)),
    ({ _id }) => parseChangeId(_id).asset,
  );
  return entries
    .toSorted((one, other) => one.pending - other.pending)
    .flatMap(({ _id }) => ofAssets.get(parseChangeId(_id).asset)?.pop() ?? []);
}

async function writeNumbers(
  { store, changes, types }: Database,
  { fence, entries, session }: { fence: number; entries: readonly Pending[]; session: ClientSession },
): Promise<boolean> {
  const options = { session, ...limited };
  const counting = { $inc: { last: entries.length } };
  const former = await store.findOneAndUpdate({ _id: 'numbering', fence }, counting, options);
  if (!former) return false;
  // Safe: this `_id` is that of the numbering.
  const first = (former as NumberingRecord).last + 1;
  const updates = entries.map(({ _id, pending }, n) => ({
    // An erased entry leaves a gap; one that an earlier attempt has numbered keeps its number.
    updateOne: {
      filter: { _id, pending },
      update: { $set: { seq: first + n }, $unset: { pending: true as const } },
    },
  }));
  await changes.bulkWrite(updates, { ordered: false, ...options });
  const writes = entries.filter(({ action }) => action !== 'signIn');
  const counts = [...Map.groupBy(writes, ({ type }) => type)].map(([_id, { length }]) => ({
    updateOne: { filter: { _id }, update: { $inc: { changes: length } }, upsert: true },
  }));
  if (counts.length > 0) await types.bulkWrite(counts, { ordered: false, ...options });
  return true;
}
