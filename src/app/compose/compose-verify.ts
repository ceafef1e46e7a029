/**
 * Checks the configured store: its database, its assets and its change log; and repairs what follows from the assets.
 */
import { backupRules } from '../../access/backup-rules.ts';
import { loadSystemTypes, storedCatalog } from '../../access/system-types.ts';
import { isDamagedStore, isDomainError } from '../../base/errors.ts';
import { createRequestOrigins } from '../../base/request-origin.ts';
import { randomIds, silentLogger, systemClock } from '../../base/runtime.ts';
import type { Catalog } from '../../model/content-type.ts';
import {
  type CheckedPart,
  createFindings,
  type Finding,
  type Findings,
} from '../../store/inspection/findings.ts';
import { adapterOf, toStoredNames } from '../../store/open-store.ts';
import type { StoreAdapter } from '../../store/store-adapter.ts';
import { type CheckedCopy, type CopyCheck, checkCopy } from '../../transfer/verify/check-copy.ts';
import { verifyFiles } from '../../transfer/verify/verify-files.ts';
import { toCatalog } from '../chosen-types.ts';
import type { Config } from '../config/config.ts';
import { composeFiles } from './compose-files.ts';

/** How to check. */
export interface VerifyOrder {
  readonly isRepairing: boolean;
  /** Is called before each part of the database is checked. */
  begin(part: CheckedPart): void;
  /** Is called with the number of records read so far. */
  progress(records: number): void;
}

/** What was found. */
export interface Verified {
  /** Absent when the database is too damaged to read its assets. */
  readonly checked?: CheckedCopy;
  readonly findings: readonly Finding[];
}

/** Checks the store, after a repair if that is asked for. Errors: bad_config, transfer_failed, store_busy, store_failure. */
export async function verify(config: Config, order: VerifyOrder): Promise<Verified> {
  const { isRepairing, begin, progress } = order;
  const adapter = adapterOf(config);
  const catalog = await readCatalog(adapter);
  const findings = createFindings();
  const inspection = await adapter.inspect({ catalog });
  try {
    if (isRepairing) await inspection.repair();
    await inspection.check(findings, begin);
  } finally {
    await inspection.close();
  }
  try {
    const checked = await checkRecords(adapter, { catalog, findings, progress });
    await checkFiles(config, findings);
    return { checked, findings: findings.list() };
  } catch (error) {
    // A file that is too damaged to read, which the inspection has reported.
    if (!isOfDamage(error) || findings.list().length === 0) throw error;
    return { findings: findings.list() };
  }
}

async function checkRecords(
  adapter: StoreAdapter,
  parts: Pick<CopyCheck, 'catalog' | 'findings' | 'progress'>,
): Promise<CheckedCopy> {
  const rules = backupRules();
  const dump = await adapter.dump({ ...rules, leftOut: [] });
  try {
    const unlogged = [...rules.unlogged].flatMap(([type, kept]) => (kept === 'all' ? [type] : []));
    return await checkCopy({ ...parts, dump, unlogged });
  } finally {
    await dump.close();
  }
}

/** Checks that the bytes of the files are there, each with the size that its record has. */
async function checkFiles(config: Config, findings: Findings): Promise<void> {
  const origins = createRequestOrigins();
  const runtime = { logger: silentLogger, clock: systemClock, ids: randomIds, origins };
  const parts = await composeFiles(config, runtime, { isReadOnly: true });
  try {
    for await (const checked of verifyFiles({ ...parts, records: parts.records(), isWhole: false })) {
      if (!('fault' in checked)) continue;
      const { file, fault, assets } = checked;
      findings.fault('files', `the bytes of ${file.name} (${file.hash}) ${fault}`);
      for (const id of assets) findings.fault('files', 'an asset may name a file that is not whole', { id });
    }
  } finally {
    await parts.close();
  }
}

/** The types that the store was last served with, and those of system records. */
async function readCatalog(adapter: StoreAdapter): Promise<Catalog> {
  const system = loadSystemTypes();
  try {
    const { served } = await adapter.readTypes();
    const catalog = storedCatalog(system, served && toCatalog(served));
    return await toStoredNames(adapter, { catalog, logger: silentLogger });
  } catch (error) {
    // Of a damaged file; the inspection says more.
    if (!isOfDamage(error)) throw error;
    return storedCatalog(system);
  }
}

const isOfDamage = (error: unknown) => isDomainError(error, 'bad_config') || isDamagedStore(error);
