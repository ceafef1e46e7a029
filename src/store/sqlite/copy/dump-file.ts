/**
 * Reads a whole database file for a copy, in one read transaction: SQLite keeps the state at its begin for it while others write.
 *
 * The WAL cannot be emptied meanwhile, so it grows by what is written, and an erasure reports `store_busy`. Of a damaged file, everything
 * is read that can be read.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { CopiedAsset, CopiedEntry, CopiedFacts } from '../../copy/store-copy.ts';
import {
  type DumpOptions,
  inBlocks,
  type LostRecords,
  nothingLost,
  type StoreDump,
} from '../../copy/store-dump.ts';
import { openConnection } from '../connection.ts';
import { isUnreadable, toFileError } from '../map-error.ts';
import { findFormat } from '../schema.ts';
import { selectNames, selectServedTypes } from '../store-records.ts';
import { selectAssets } from './dump-assets.ts';
import { lastSeq, selectEntries } from './dump-entries.ts';
import { attempt } from './read-around.ts';

const busyMs = 5_000;

/** Opens a file. Errors: bad_config, store_busy, store_failure. */
export function createSqliteDump(file: string, { leftOut }: Pick<DumpOptions, 'leftOut'>): StoreDump {
  const run = <Result>(work: () => Result): Result => {
    try {
      return work();
    } catch (error) {
      throw toFileError({ file, operation: 'dump' }, error);
    }
  };
  return run(() => {
    const database = openConnection({ file, busyMs, mustExist: true });
    try {
      database.exec('PRAGMA query_only = TRUE; BEGIN');
      const isEmpty = findFormat(database, file) === 0;
      const lost = nothingLost();
      return {
        facts: readFacts(database, { isEmpty, lost }),
        lost,
        async *assets() {
          if (!isEmpty)
            yield* guarded(
              run,
              inBlocks(selectAssets(database, { leftOut, lost: lost.assets }), lengthOfAsset),
            );
        },
        async *entries() {
          if (!isEmpty) yield* guarded(run, inBlocks(selectEntries(database, lost.entries), lengthOfEntry));
        },
        close: async () => database.close(),
      };
    } catch (error) {
      database.close();
      throw error;
    }
  });
}

/** Yields what an iterator does, with its errors translated. */
function* guarded<Value>(run: <Result>(work: () => Result) => Result, values: Iterator<Value>) {
  for (;;) {
    const next = run(() => values.next());
    if (next.done) return;
    yield next.value;
  }
}

function readFacts(
  database: DatabaseSync,
  { isEmpty, lost }: { isEmpty: boolean; lost: LostRecords },
): CopiedFacts {
  /** Reads a part; what cannot be read is lost. */
  const read = <Part>(name: string, part: () => Part): Part | undefined => {
    try {
      return part();
    } catch (error) {
      // A text in it may be no JSON.
      if (!isUnreadable(error) && !(error instanceof SyntaxError)) throw error;
      lost.parts.push(name);
      return undefined;
    }
  };
  const served = read('the content types that were served last', () => selectServedTypes(database));
  const names = read('the former names of content types', () => selectNames(database));
  const known = { ...(served && { served }), ...(names !== undefined && { names }) };
  const facts = { store: 'SQLite', isOneMoment: true, ...known } as const;
  if (isEmpty) return { ...facts, seq: 0 };
  const log = read('when the change log began', () => readLogFacts(database));
  const [last] = lastSeq.flatMap(
    (sql) => attempt(() => [Number(database.prepare(sql).get()?.key ?? 0)]) ?? [],
  );
  return { ...facts, seq: last ?? 0, ...log };
}

function readLogFacts(database: DatabaseSync): Pick<CopiedFacts, 'epoch' | 'loggedSinceMs'> {
  const rows = database.prepare('SELECT name, value FROM store_facts').all();
  const named = new Map(rows.map(({ name, value }) => [name, value]));
  return { epoch: String(named.get('epoch')), loggedSinceMs: Number(named.get('logged_since')) };
}

const lengthOfAsset = ({ text }: CopiedAsset) => text.length;

const lengthOfEntry = ({ before, state = '' }: CopiedEntry) =>
  state.length + (before ? JSON.stringify(before).length : 0);
