/**
 * Checks a database file, and repairs what can be made again from its assets and its change log.
 *
 * Checks read one connection, which blocks no writer. A repair copies all rows to a new file, whose indexes are made anew, and
 * puts it in the place of the damaged one, which no process may use.
 */
import type { DatabaseSync } from 'node:sqlite';
import { isDomainError, transferFailed } from '../../../base/errors.ts';
import { silentLogger } from '../../../base/runtime.ts';
import type { Catalog } from '../../../model/content-type.ts';
import type { CopiedAsset } from '../../copy/store-copy.ts';
import { isLossless } from '../../copy/store-dump.ts';
import type { CheckedPart, Findings } from '../../inspection/findings.ts';
import type { StoreInspection } from '../../store-adapter.ts';
import { openConnection, type Row } from '../connection.ts';
import { createSqliteDump } from '../copy/dump-file.ts';
import { createSqliteLoader } from '../copy/load-file.ts';
import { createStoredTypes } from '../indexes/stored-types.ts';
import { isBusy, isDamage, isDiskFault, toFileError } from '../map-error.ts';
import { findFormat } from '../schema.ts';
import { createSqliteStore } from '../sqlite-store.ts';
import { toTypesToStore } from '../threads/store-threads.ts';
import { checkIndexes } from './check-indexes.ts';
import { checkWords } from './check-words.ts';

const busyMs = 5_000;
/** SQLite lists so many faults of the file. */
const maxFaults = 100;

/** Opens a file. Errors: bad_config, store_busy, store_failure. */
export function createSqliteInspection(file: string, catalog: Catalog): StoreInspection {
  const run = async <Result>(work: () => Result | Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      throw toFileError({ file, operation: 'verify' }, error);
    }
  };

  async function prepare(): Promise<void> {
    const store = await createSqliteStore({ file, catalog, logger: silentLogger });
    try {
      await store.prepare();
    } finally {
      await store.close();
    }
  }

  return {
    findFault: () => run(() => findFirstFault(file)),
    check: (findings) =>
      run(() => {
        const attempt = (part: CheckedPart, work: () => void) => {
          try {
            work();
          } catch (error) {
            if (isBusy(error) || isDiskFault(error) || isDomainError(error)) throw error;
            // Values of a damaged page can make any check fail.
            findings.fault(part, `the file is so damaged that this cannot be checked: ${messageOf(error)}`);
          }
        };
        attempt('database', () => {
          const database = openConnection({ file, busyMs, mustExist: true });
          try {
            checkAll(database, { file, catalog, findings, attempt });
          } finally {
            database.close();
          }
        });
      }),
    repair: () =>
      run(async () => {
        assertFormat(file);
        await copyRows(file);
        await prepare();
      }),
    close: async () => {},
  };
}

/** Asserts that a file is a store of this version, before a repair changes anything. A damaged page may hide it. Errors: bad_config. */
function assertFormat(file: string): void {
  const database = openConnection({ file, busyMs, mustExist: true });
  try {
    findFormat(database, file);
  } catch (error) {
    if (!isDamage(error)) throw error;
  } finally {
    database.close();
  }
}

function findFirstFault(file: string): string | undefined {
  const database = openConnection({ file, busyMs, mustExist: true });
  try {
    const result = database.prepare('PRAGMA integrity_check(1)').get()?.integrity_check;
    return result === 'ok' ? undefined : String(result);
  } catch (error) {
    // It ends at an index over a document that is no JSON, and where the file makes no sense.
    if (isBusy(error) || isDiskFault(error)) throw error;
    return messageOf(error);
  } finally {
    database.close();
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

type Attempt = (part: CheckedPart, work: () => void) => void;

function checkAll(
  database: DatabaseSync,
  {
    file,
    catalog,
    findings,
    attempt,
  }: { file: string; catalog: Catalog; findings: Findings; attempt: Attempt },
): void {
  database.exec('PRAGMA query_only = TRUE');
  const isEmpty = findFormat(database, file) === 0;
  // The check of all assets reports documents that are no JSON. What compares fields with their indexes cannot read those.
  let isReadable = isEmpty;
  attempt('database', () => {
    isReadable ||= !hasUnreadable(database);
  });
  attempt('database', () => checkPages(database, findings));
  if (isEmpty) return;
  database.exec('BEGIN');
  attempt('totals', () => checkTotals(database, findings));
  if (!isReadable) {
    findings.notice('indexes', 'no index can be compared with the assets while one of them is damaged');
    return;
  }
  const types = createStoredTypes(toTypesToStore(catalog), numbersOf(database));
  attempt('indexes', () => checkIndexes(database, { types, findings }));
  attempt('words', () => checkWords(database, { types, findings }));
}

const hasUnreadable = (database: DatabaseSync) =>
  database.prepare('SELECT 1 FROM assets NOT INDEXED WHERE NOT json_valid(document)').get() !== undefined;

/** Lets SQLite check all pages, and each index against its table. */
function checkPages(database: DatabaseSync, findings: Findings): void {
  const statement = database.prepare(`PRAGMA integrity_check(${maxFaults})`);
  statement.setReturnArrays(true);
  for (const row of statement.iterate() as Iterable<unknown>) {
    const [text] = row as Row;
    if (text !== 'ok') findings.fault('database', `SQLite reports: ${String(text).replaceAll('\n', '; ')}`);
  }
}

function checkTotals(database: DatabaseSync, findings: Findings): void {
  const wrong = database
    .prepare(
      `SELECT class, total, n FROM types
       LEFT JOIN (SELECT type, count(*) AS n FROM assets NOT INDEXED GROUP BY type) ON type = number
       WHERE total <> ifnull(n, 0)`,
    )
    .all();
  for (const { class: name, total, n } of wrong) {
    findings.fault('totals', `the total of ${name} is ${total}, and there are ${n ?? 0} assets`);
  }
}

const numbersOf = (database: DatabaseSync) =>
  new Map(
    database
      .prepare('SELECT class, number FROM types')
      .all()
      .map((row) => [String(row.class), Number(row.number)]),
  );

/** Copies all rows to a new file, without reading an index, and replaces the former file. */
async function copyRows(file: string): Promise<void> {
  const loader = createSqliteLoader({ file, isReplacing: true });
  try {
    const dump = createSqliteDump(file, { leftOut: [] });
    const assertIntact = <Record extends Pick<CopiedAsset, 'isDamaged' | 'isMisplaced'>>(
      records: readonly Record[],
    ) => {
      // A new checksum would hide the damage.
      if (records.some(({ isDamaged, isMisplaced }) => isDamaged || isMisplaced)) throw damagedContent(file);
      return records;
    };
    try {
      for await (const assets of dump.assets()) await loader.loadAssets(assertIntact(assets));
      for await (const entries of dump.entries()) await loader.loadEntries(assertIntact(entries));
    } finally {
      await dump.close();
    }
    if (!isLossless(dump.lost)) throw damagedContent(file);
    await loader.finish(dump.facts);
  } catch (error) {
    if (!isDomainError(error, 'bad_config')) throw error;
    throw damagedContent(file);
  } finally {
    await loader.close();
  }
}

const damagedContent = (file: string) =>
  transferFailed(
    `${file} is damaged in more than its indexes. Restore a backup; or \`colophon backup create\` saves what is not damaged, which \`colophon backup restore --replace\` brings back`,
  );
