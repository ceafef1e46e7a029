/**
 * Checks a database file, and repairs what can be made again from its assets and its change log.
 *
 * A repair copies all rows to a new file, whose indexes are made anew, and
 * puts it in the place of the damaged one, which no process may use.
 */
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { isDomainError, transferFailed } from '../../../base/errors.ts';
import { silentLogger } from '../../../base/runtime.ts';
import type { Catalog } from '../../../model/content-type.ts';
import type { CopiedAsset } from '../../copy/store-copy.ts';
import { isLossless } from '../../copy/store-dump.ts';
import type { CheckedPart, Finding } from '../../inspection/findings.ts';
import type { StoreInspection } from '../../store-adapter.ts';
import { openConnection } from '../connection.ts';
import { createSqliteDump } from '../copy/dump-file.ts';
import { createSqliteLoader } from '../copy/load-file.ts';
import { isBusy, isDamage, isDiskFault, toFileError } from '../map-error.ts';
import { findFormat } from '../schema.ts';
import { createSqliteStore } from '../sqlite-store.ts';
import { toTypesToStore } from '../threads/store-threads.ts';
import { deserializeError } from '../threads/worker-calls.ts';
import type { InspectionData, InspectionMessage } from './inspection-entry.ts';

const busyMs = 5_000;

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
    check: (findings, onPart) =>
      run(async () => {
        for (const finding of await checkOnThread({ file, types: toTypesToStore(catalog) }, onPart))
          findings.add(finding);
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

/** Runs the checks on another thread. Errors: those of `checkFile`. */
function checkOnThread(
  workerData: InspectionData,
  onPart: (part: CheckedPart) => void,
): Promise<readonly Finding[]> {
  const { promise, resolve, reject } = Promise.withResolvers<readonly Finding[]>();
  const thread = new Worker(entry, { workerData });
  thread.on('message', (message: InspectionMessage) => {
    if ('part' in message) onPart(message.part);
    else if ('findings' in message) resolve(message.findings);
    else reject(deserializeError(message.error));
  });
  thread.on('error', reject);
  thread.on('exit', () => reject(new Error('The check has ended without a result')));
  return promise;
}

const entry = new URL(`./inspection-entry${extname(import.meta.url)}`, import.meta.url);

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
