/**
 * Runs writes in transactions that also append their entries to the change log.
 *
 * The entries of a transaction are inserted at its end, in one command. An asset that is inserted goes on with the numbers of one
 * that was deleted; its last entry is found by the index of `gone`.
 */
import type { ClientSession } from 'mongodb';
import { storeBusy } from '../../../base/errors.ts';
import { randomIds, systemClock } from '../../../base/runtime.ts';
import type { ChangeAction, ChangeOrigin } from '../../changes.ts';
import type { Database } from '../database.ts';
import { isDuplicate } from '../map-error.ts';
import { insertsAtOnce, insertsLimited, limited, withinInsertsLimit } from '../writes/time-limits.ts';
import { type ChangeDocument, createStamps, parseChangeId, toChangeId } from './change-document.ts';
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
  /** Reads the numbers that `nextNumber` will need, in one query. */
  loadNumbers(assets: readonly string[]): Promise<void>;
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

  async function findLast(assets: readonly string[], session: ClientSession): Promise<Map<string, number>> {
    const options = { projection: { _id: 1 }, session, ...limited } as const;
    const found = await database.changes.find({ gone: { $in: [...assets] } }, options).toArray();
    const last = new Map(assets.map((asset) => [asset, 0]));
    for (const { asset, number } of found.map(({ _id }) => parseChangeId(_id))) {
      last.set(asset, Math.max(last.get(asset) ?? 0, number));
    }
    return last;
  }

  function begin(session: ClientSession, append: LoggedTransaction['append']): LoggedTransaction {
    const numbers = new Map<string, number>();
    async function loadNumbers(assets: readonly string[]): Promise<void> {
      const missing = assets.filter((asset) => !numbers.has(asset));
      if (missing.length === 0) return;
      for (const [asset, number] of await findLast(missing, session)) numbers.set(asset, number);
    }
    return {
      session,
      loadNumbers,
      async nextNumber(asset) {
        await loadNumbers([asset]);
        return (numbers.get(asset) ?? 0) + 1;
      },
      append(change) {
        numbers.set(change.asset, change.number);
        append(change);
      },
    };
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
          const append = (change: NewChange) => {
            entries.push(toChangeDocument(change, { origin, stamp: nextStamp() }));
          };
          const done = await work(begin(session, append));
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
    ...(change.version === undefined && { gone: asset }),
    ...(fits && { state }),
    by: { ...by },
    ...(run !== undefined && { run }),
    ...(requestId !== undefined && { requestId }),
  };
}
