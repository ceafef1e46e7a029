/**
 * Opens the configured store for its content, for a command.
 */
import type { IdempotentRequests } from '../../access/idempotency/idempotent-requests.ts';
import { loadSystemTypes, storedCatalog } from '../../access/system-types.ts';
import { boundLines } from '../../model/types/compare-catalogs.ts';
import { adapterOf, openStore } from '../../store/open-store.ts';
import type { ContentStore } from '../../store/port.ts';
import { createDeliveryRecords } from '../../webhooks/records/delivery-records.ts';
import { type ChosenTypes, populatedWithContent } from '../chosen-types.ts';
import type { Config } from '../config/config.ts';
import {
  type ContentRecords,
  createContent,
  createRequests,
  createSystem,
  type Open,
  type Runtime,
} from './compose-records.ts';

/** Content, with warnings to show before it is changed. */
export interface OpenContent extends ContentRecords {
  /** Where the content is stored, without credentials. */
  readonly location: string;
  /** The idempotent requests that write the content. */
  readonly requests: IdempotentRequests;
  /** Removes the log of deliveries of an asset to webhooks. */
  readonly eraseDeliveries: (assetId: string) => Promise<void>;
  /** Finds the assets of these classes whose stored text cannot be read. */
  readonly findUnreadable: ContentStore['findUnreadable'];
  /** Says what the store does not guarantee for these types. */
  readonly warnings: readonly string[];
}

/**
 * Opens the store for its content. Only a new store that is opened for writing is prepared for the types; others stay as they are.
 *
 * Errors: bad_types, bad_config, store_busy, store_failure.
 */
export async function composeContent(
  config: Config,
  runtime: Runtime,
  { chosen, isReadOnly }: { chosen: ChosenTypes; isReadOnly: boolean },
): Promise<Open<OpenContent>> {
  const { logger } = runtime;
  const { catalog } = chosen;
  const stored = storedCatalog(loadSystemTypes(), catalog);
  const store = await openStore({ ...config, catalog: stored, logger, isReadOnly });
  try {
    const warnings = isReadOnly ? [] : await prepareToWrite(store, chosen);
    const system = createSystem(store, runtime);
    const records = createContent({ rules: config, catalog, store, system }, runtime);
    const requests = createRequests(system, runtime);
    const { deleteOfAsset: eraseDeliveries } = createDeliveryRecords(system);
    const { findUnreadable } = store;
    const close = () => closeContent(records, store);
    const { location } = adapterOf(config);
    return { ...records, location, requests, eraseDeliveries, findUnreadable, warnings, close };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/**
 * Prepares a new store for the types; others stay as they are. Returns what the store does not guarantee for these types.
 *
 * Errors: bad_config, store_busy, store_failure.
 */
export async function prepareToWrite(store: ContentStore, { types, known }: ChosenTypes): Promise<string[]> {
  if (!known.served && populatedWithContent(known).length === 0) {
    await store.serve(types);
    return [];
  }
  const unenforced = (await store.findUnenforcedUniqueFields()).map(({ type, field }) => `${type} ${field}`);
  return [
    ...(known.served
      ? []
      : ['this store has no record of its types, because no server of this version has served it yet']),
    ...(unenforced.length === 0 ? [] : [[notYetUnique, ...boundLines(unenforced)].join('\n  ')]),
  ];
}

const notYetUnique = 'these fields are not kept unique until a server has been started:';

async function closeContent({ runs }: ContentRecords, store: ContentStore): Promise<void> {
  await runs.stop();
  await store.close();
}
