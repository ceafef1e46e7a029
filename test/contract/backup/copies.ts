import { join } from 'node:path';
import { backupRules } from '../../../src/access/backup-rules.ts';
import { storedCatalog } from '../../../src/access/system-types.ts';
import { backUp, restore } from '../../../src/app/compose/compose-backup.ts';
import { readConfig } from '../../../src/app/config/config.ts';
import { createRequestOrigins } from '../../../src/base/request-origin.ts';
import { randomIds, silentLogger, systemClock } from '../../../src/base/runtime.ts';
import type { Asset, Catalog, Json } from '../../../src/model/content-type.ts';
import type { CopiedAsset, CopiedEntry, CopiedFacts } from '../../../src/store/copy/store-copy.ts';
import { adapterOf } from '../../../src/store/open-store.ts';
import type { ContentStore } from '../../../src/store/port.ts';
import { openBackup } from '../../../src/transfer/backup/backup-file.ts';
import { openStoreAt } from '../../support/content.ts';
import { temporaryFolder } from '../../support/opened.ts';
import type { StoreLocation } from '../../support/stores.ts';
import { systemCatalog } from '../../support/types.ts';

/** A folder for backup files, which is deleted after the tests of the file. */
export function createFolder() {
  const folder = temporaryFolder();
  return { path: (name: string) => join(folder, name) };
}

const configOf = ({ config }: StoreLocation) => ({ ...readConfig({}), ...config });
const { signal } = new AbortController();
const runtime = { logger: silentLogger, clock: systemClock, ids: randomIds, origins: createRequestOrigins() };

/** Writes a backup of a store. */
export const save = (location: StoreLocation, path: string, { onProgress = () => {} } = {}) =>
  backUp(configOf(location), {
    path,
    processId: process.pid,
    runtime,
    signal,
    progress: onProgress,
  });

/** Fills a store from a backup. */
export const load = (
  location: StoreLocation,
  path: string,
  { isReplacing = false, stop = signal, onProgress = () => {} } = {},
) =>
  restore(configOf(location), {
    path,
    isReplacing,
    runtime,
    signal: stop,
    progress: onProgress,
  });

/** Opens a store for content types, and those of system records. */
export async function openFor(location: StoreLocation, content: Catalog): Promise<ContentStore> {
  const catalog = storedCatalog(systemCatalog(), content);
  const store = await openStoreAt(location, catalog);
  return store;
}

/** A whole store, or what a backup has of one. */
export interface Copy {
  readonly facts: CopiedFacts;
  readonly assets: ReadonlyMap<string, Omit<CopiedAsset, 'text' | 'shape'> & { asset: Json }>;
  readonly entries: readonly CopiedEntry[];
}

/** Reads a store. */
export async function readStore({ config }: StoreLocation): Promise<Copy> {
  const dump = await adapterOf(config).dump(backupRules());
  try {
    const assets = await flatten(dump.assets());
    return toCopy(dump.facts, { assets, entries: await flatten(dump.entries()) });
  } finally {
    await dump.close();
  }
}

async function flatten<One>(blocks: AsyncIterable<readonly One[]>): Promise<One[]> {
  const all: One[] = [];
  for await (const block of blocks) all.push(...block);
  return all;
}

/** Reads a backup. */
export function readFile(path: string): Copy {
  const backup = openBackup(path);
  try {
    const blocks = [...backup.records()];
    const [assets, entries] = [
      blocks.flatMap((block) => block.assets),
      blocks.flatMap((block) => block.entries),
    ];
    return toCopy(backup.header, { assets, entries });
  } finally {
    backup.close();
  }
}

function toCopy(
  facts: CopiedFacts,
  { assets, entries }: { assets: readonly CopiedAsset[]; entries: readonly CopiedEntry[] },
): Copy {
  const byId = assets.map(
    ({ text, shape: _, ...rest }) => [rest.id, { ...rest, asset: JSON.parse(text) as Asset }] as const,
  );
  if (new Set(assets.map(({ id }) => id)).size < assets.length) throw new Error('An asset was copied twice');
  return { facts, assets: new Map(byId.sort(([one], [other]) => (one < other ? -1 : 1))), entries };
}
