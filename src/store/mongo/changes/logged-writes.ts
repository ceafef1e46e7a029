/**
 * Runs writes in transactions that also append their entries to the change log.
 *
 * The entries of a transaction are inserted at its end, in one command. An asset that is inserted counts from 1 unless that entry
 * exists: only then the transaction is repeated, and looks up the last entries of deleted assets.
 */
import type { ClientSession } from 'mongodb';
import { storeBusy } from '../../../base/errors.ts';
import { randomIds, systemClock } from '../../../base/runtime.ts';
import type { ChangeAction, ChangeOrigin } from '../../changes.ts';
import type { Database } from '../database.ts';
import { isDuplicate } from '../map-error.ts';
import { insertsAtOnce, insertsLimited, limited, withinInsertsLimit } from '../writes/time-limits.ts';
import {
  type ChangeDocument,
  createStamps,
  entriesOf,
  parseChangeId,
  toChangeId,
} from './change-document.ts';
import type { ChangedValues } from './describe-change.ts';
import type { Numbering } from './numbering.ts';

/** An entry to append. */
export interface NewChange extends ChangedValues {
  /** The `_id` of the asset. */
  readonly asset: string;
  readonly number: number;
  /** Absent means a random one. */
  readonly id?: string | undefined;
  readonly type: string;
  readonly action: ChangeAction;
  readonly version?: string;
  readonly previous?: string;
}

/** A transaction whose writes are logged. */
export interface LoggedTransaction {
  readonly session: ClientSession;
  /** Returns the number of the next entry of an asset that does not exist. */
  nextNumber(asset: string): Promise<number>;
  /** Appends an entry at the end of the transaction. */
  append(change: NewChange): void;
}

/** Runs work in a logged transaction. Errors: those of the work, the driver's, store_busy. */
export type RunLogged = <Result>(
  origin: ChangeOrigin | undefined,
  work: (transaction: LoggedTransaction) => Promise<Result>,
) => Promise<Result>;

const maxAttempts = 5;

/** Creates it over an open database; `numbering` learns of each transaction. */
export function createLoggedWrites(database: Database, numbering: Numbering): RunLogged {
  const nextStamp = createStamps(systemClock.nowMs);

  async function findLast(asset: string, session: ClientSession): Promise<number> {
    const options = { sort: { _id: -1 }, projection: { _id: 1 }, session, ...limited } as const;
    const last = await database.changes.findOne({ _id: entriesOf(asset) }, options);
    return last ? parseChangeId(last._id).number : 0;
  }

  async function insertAll(entries: readonly ChangeDocument[], session: ClientSession): Promise<void> {
    for (let next = 0; next < entries.length; next += insertsAtOnce) {
      const part = entries.slice(next, next + insertsAtOnce);
      const options = { ...insertsLimited, ordered: true, session };
      try {
        await withinInsertsLimit(() => database.changes.insertMany(part, options));
      } catch (error) {
        throw isDuplicate(error) ? new NumberTaken() : error;
      }
    }
  }

  return async (origin, work) => {
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      let entries: ChangeDocument[] = [];
      try {
        const result = await database.inTransaction(async (session) => {
          entries = [];
          const numbers = new Map<string, number>();
          const done = await work({
            session,
            async nextNumber(asset) {
              return (numbers.get(asset) ?? (attempt > 0 ? await findLast(asset, session) : 0)) + 1;
            },
            append(change) {
              numbers.set(change.asset, change.number);
              entries.push(toChangeDocument(change, { origin, stamp: nextStamp() }));
            },
          });
          if (session.inTransaction()) await insertAll(entries, session);
          return done;
        });
        const stamp = entries.at(-1)?.pending;
        if (stamp !== undefined) numbering.noteWritten(stamp);
        return result;
      } catch (error) {
        if (!(error instanceof NumberTaken)) throw error;
      }
    }
    throw storeBusy('an asset is being deleted and created again');
  };
}

/** Ends a transaction because an entry with this number of its asset exists. */
class NumberTaken extends Error {}

/** The most bytes of texts that one entry has: a document has 16 MiB. */
const maxTextBytes = 15 * 1_048_576;

function toChangeDocument(
  { asset, number, id, state, ...change }: NewChange,
  { origin, stamp }: { origin: ChangeOrigin | undefined; stamp: number },
): ChangeDocument {
  const { by, run, requestId, atMs } = origin ?? { by: { kind: 'system' }, atMs: systemClock.nowMs() };
  // Without it, reading a past state undoes more entries.
  const fits = state !== undefined && state.length + (change.before?.length ?? 0) < maxTextBytes;
  return {
    _id: toChangeId(asset, number),
    id: id ?? randomIds.version(),
    pending: stamp,
    at: atMs,
    ...change,
    ...(fits && { state }),
    by: { ...by },
    ...(run !== undefined && { run }),
    ...(requestId !== undefined && { requestId }),
  };
}
