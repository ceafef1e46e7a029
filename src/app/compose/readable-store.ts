/**
 * Reads the configured store although its file is damaged: finds out what of it can be read, and makes a temporary copy of that, whose
 * searches find everything there is.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backupRules } from '../../access/backup-rules.ts';
import { loadSystemTypes, storedCatalog } from '../../access/system-types.ts';
import { silentLogger } from '../../base/runtime.ts';
import { adapterOf } from '../../store/open-store.ts';
import {
  createDamageList,
  type Damage,
  findDamage,
  isSound,
  noDamage,
} from '../../transfer/backup/damage.ts';
import type { Config } from '../config/config.ts';
import { catalogOf, prepareStore } from './compose-backup.ts';

/** A store of which every search finds what can be read. */
export interface ReadableStore {
  /** The configuration of the store, or of a copy of it. */
  readonly config: Config;
  /** Absent when the store is sound. */
  readonly damage?: Damage;
  /** Removes the copy, if there is one. */
  close(): Promise<void>;
}

/** Reads all assets of the store, and copies them if something is damaged. Errors: bad_config, store_busy, store_failure, those of the file system. */
export async function openReadable(config: Config): Promise<ReadableStore> {
  const { fault, damage } = await examineFile(config, { withLog: false });
  if (fault === undefined && isSound(damage)) return { config, close: async () => {} };
  const folder = mkdtempSync(join(tmpdir(), 'colophon-readable-'));
  const close = async () => rmSync(folder, { recursive: true, force: true });
  try {
    const copy = { ...config, dataDir: folder };
    await copyReadable(config, copy);
    return { config: copy, damage, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** What is wrong with the file of a store. */
export interface FileExamination {
  /** The first thing that the database's own check finds. */
  readonly fault: string | undefined;
  readonly damage: Damage;
}

/** Examines the file of the configured store; a database on a server examines its own. Errors: bad_config, store_busy, store_failure. */
export async function examineFile(
  config: Config,
  order: { readonly withLog: boolean },
): Promise<FileExamination> {
  const adapter = adapterOf(config);
  if (adapter.folder === undefined || !adapter.exists()) return { fault: undefined, damage: noDamage };
  const inspection = await adapter.inspect({ catalog: storedCatalog(loadSystemTypes()) });
  const fault = await inspection.findFault().finally(inspection.close);
  const dump = await adapter.dump({ ...backupRules(), leftOut: [] });
  return { fault, damage: await findDamage(dump, order).finally(dump.close) };
}

/** Copies the assets that can be read; searches of content need no change log. */
async function copyReadable(from: Config, to: Config): Promise<void> {
  const dump = await adapterOf(from).dump({ ...backupRules(), leftOut: [] });
  try {
    const { catalog } = catalogOf(dump.facts);
    const loader = await adapterOf(to).load({ isReplacing: false, catalog });
    try {
      const { takeAsset } = createDamageList(dump.lost);
      for await (const assets of dump.assets()) await loader.loadAssets(assets.filter(takeAsset));
      await loader.finish(dump.facts);
    } finally {
      await loader.close();
    }
    await prepareStore(to, { catalog, logger: silentLogger });
  } finally {
    await dump.close();
  }
}
