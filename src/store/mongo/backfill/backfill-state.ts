/**
 * The state of the backfill in a database: one document of the collection `store`.
 */
import type { BackfillState } from '../../backfill-calls.ts';
import type { BackfillRecord, Database } from '../database.ts';
import { isDuplicate } from '../map-error.ts';
import { limited } from '../writes/time-limits.ts';

type Store = Database['store'];

/** Only a state that no failover undoes, because processes act on it. */
const majority = { readConcern: { level: 'majority' } } as const;

/** Reads the state; `undefined` if no backfill has ever begun. Errors: the driver's. */
export async function readBackfillState(store: Store): Promise<BackfillState | undefined> {
  const found = await store.findOne<BackfillRecord>({ _id: 'backfill' }, { ...majority, ...limited });
  return found ? toState(found) : undefined;
}

/** Replaces the state if its revision is still one less, and returns whether it was. Errors: the driver's. */
export async function writeBackfillState(store: Store, state: BackfillState): Promise<boolean> {
  const { revision } = state;
  const record = toBackfillRecord(state);
  try {
    if (revision === 1) {
      await store.insertOne(record, limited);
      return true;
    }
    const former = { _id: 'backfill', revision: revision - 1 } as const;
    const { matchedCount } = await store.replaceOne(former, record, limited);
    return matchedCount === 1;
  } catch (error) {
    if (isDuplicate(error)) return false;
    throw error;
  }
}

/** Returns the document of a state. */
export const toBackfillRecord = (state: BackfillState): BackfillRecord => ({
  _id: 'backfill',
  revision: state.revision,
  state: JSON.stringify(state),
});

// Safe: `toBackfillRecord` wrote the text.
const toState = ({ state }: BackfillRecord) => JSON.parse(state) as BackfillState;
