/**
 * Opens the configured store for a command: for its content, its records, or its webhooks, or to be read by checks.
 */
import type { IdempotentRequests } from '../../access/idempotency/idempotent-requests.ts';
import { createRunRecords } from '../../access/runs/run-records.ts';
import { loadSystemTypes, storedCatalog, systemPrefix } from '../../access/system-types.ts';
import { findHighestTime } from '../../content/changes/clock-watch.ts';
import { createContentService } from '../../content/content-service.ts';
import { hasKeptDeletions } from '../../content/erasure/erase-asset.ts';
import type { Catalog } from '../../model/content-type.ts';
import { adapterOf } from '../../store/open-store.ts';
import type { ContentStore } from '../../store/port.ts';
import { boundLines } from '../../types/compare-catalogs.ts';
import { createCursorRecords, createHeldAssets } from '../../webhooks/records/cursor-records.ts';
import { createDeliveryRecords } from '../../webhooks/records/delivery-records.ts';
import { type ChosenTypes, populatedWithContent } from '../chosen-types.ts';
import type { Config } from '../config/config.ts';
import type { ReadStore } from '../doctor/check-store.ts';
import { composeErasures, composeFileDeletion } from './compose-erasures.ts';
import {
  type AccessRecords,
  type ContentRecords,
  createAccess,
  createContent,
  createEndpoints,
  createRequests,
  createSystem,
  type EndpointRecords,
  type OpenOptions,
  openConfigured,
} from './compose-records.ts';
import { createWebhookParts, type WebhookParts } from './compose-webhooks.ts';
import type { Runtime } from './runtime.ts';

/** Services on an open store, which their user closes. */
export type Open<Records> = Records & { close(): Promise<void> };

/** Opens the store for its system records only, and prepares it for them unless it is only read. */
export async function openSystem(
  config: Config,
  { logger }: Runtime,
  { isReadOnly = false }: OpenOptions,
): Promise<ContentStore> {
  const store = await openConfigured(config, { logger, isReadOnly });
  try {
    if (!isReadOnly) await store.prepare();
  } catch (error) {
    await store.close();
    throw error;
  }
  return store;
}

/**
 * Opens the store for its API clients and users only, independently of its content types. Errors: store_busy, store_failure.
 */
export async function composeAccess(
  config: Config,
  runtime: Runtime,
  options: OpenOptions = {},
): Promise<Open<AccessRecords>> {
  const store = await openSystem(config, runtime, options);
  const { clients, users, invitations } = createAccess(createSystem(store, runtime), runtime);
  return { clients, users, invitations, close: store.close };
}

/**
 * Opens the store for its endpoints, whose documents are checked against the given content types. Errors: store_busy, store_failure.
 */
export async function composeEndpoints(
  config: Config,
  runtime: Runtime,
  { catalog, isReadOnly = false }: OpenOptions & { readonly catalog: Catalog },
): Promise<Open<EndpointRecords>> {
  const store = await openSystem(config, runtime, { isReadOnly });
  return { ...createEndpointsOf(store, { config, runtime, catalog }), close: store.close };
}

/** Creates the services of the endpoints of a store whose content is only described. */
function createEndpointsOf(
  store: ContentStore,
  { config, runtime, catalog }: { config: Config; runtime: Runtime; catalog: Catalog },
): EndpointRecords {
  const { clock, ids, origins, logger } = runtime;
  const content = createContentService({ catalog, store, clock, ids, origins, logger, rules: config });
  return createEndpoints({ config, runtime, system: createSystem(store, runtime), content });
}

/**
 * Opens the store for its webhooks. They are about the given content types, for which the store is not prepared.
 *
 * Errors: bad_types, bad_config, store_busy, store_failure.
 */
export async function composeWebhooks(
  config: Config,
  runtime: Runtime,
  { catalog, isReadOnly = false }: OpenOptions & { readonly catalog: Catalog },
): Promise<Open<Pick<WebhookParts, 'webhooks'>>> {
  // Prepares the store for system records, and leaves content alone.
  if (!isReadOnly) await (await openSystem(config, runtime, {})).close();
  const store = await openConfigured(config, { catalog, logger: runtime.logger, isReadOnly });
  const system = createSystem(store, runtime);
  const { webhooks } = createWebhookParts({ config, store, system, catalog, runtime });
  return { webhooks, close: store.close };
}

/** Opens the store for the checks of an installation, which only read it. Errors: bad_config, store_busy, store_failure. */
export async function openToRead(config: Config, runtime: Runtime): Promise<ReadStore> {
  const catalog = storedCatalog(loadSystemTypes());
  const store = await openConfigured(config, { logger: runtime.logger, isReadOnly: true });
  const system = createSystem(store, runtime);
  const { clients, users, invitations } = createAccess(system, runtime);
  const { graphqlEndpoints } = createEndpointsOf(store, { config, runtime, catalog });
  const background = {
    system,
    cursors: createCursorRecords(system),
    held: createHeldAssets(system),
    runs: createRunRecords(system),
  };
  const { findIncompleteIndexes, readClock, readFormat, ping, close } = store;
  return {
    clients,
    users,
    invitations,
    graphqlEndpoints,
    findIncompleteIndexes,
    readClock,
    findHighestTime: () => findHighestTime(store),
    readFormat,
    ping,
    close,
    description: `the ${adapterOf(config).name} store`,
    hasChangeLog: store.capabilities.changes,
    hasKeptDeletions: async () =>
      config.erasesDeletions && hasKeptDeletions(store, (type) => !type.startsWith(systemPrefix)),
    ...(store.capabilities.changes && { background }),
  };
}

/** Content, with warnings to show before it is changed. */
export interface OpenContent extends Pick<ContentRecords, 'content' | 'runs' | 'audit'> {
  /** Where the content is stored, without credentials. */
  readonly location: string;
  /** The idempotent requests that write the content. */
  readonly requests: IdempotentRequests;
  /** Removes the log of deliveries of an asset to webhooks. */
  readonly eraseDeliveries: (assetId: string) => Promise<void>;
  /** Deletes the files that only an erased asset has used. */
  readonly deleteFiles: (assetId: string) => Promise<void>;
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
  const { catalog } = chosen;
  const store = await openConfigured(config, { catalog, logger: runtime.logger, isReadOnly });
  try {
    const warnings = isReadOnly ? [] : await prepareToWrite(store, chosen);
    const system = createSystem(store, runtime);
    const requests = createRequests(system, runtime);
    const eraseDeliveries = createDeliveryRecords(system).deleteOfAsset;
    const { deleteFiles, close: closeFiles } = composeFileDeletion(config, { runtime, store, system });
    const erasureParts = { runtime, store, system, catalog, requests, eraseDeliveries, deleteFiles };
    // Only where deletions are erasures: removes what the store keeps of deleted assets.
    const erasures = isReadOnly || !config.erasesDeletions ? undefined : composeErasures(erasureParts);
    const parts = { rules: config, catalog, store, system, deleted: erasures };
    const { content, runs, audit } = createContent(parts, runtime);
    return {
      content,
      runs,
      audit,
      warnings,
      location: adapterOf(config).location,
      requests,
      eraseDeliveries,
      deleteFiles,
      async close() {
        await runs.stop();
        // A server goes on with what is left.
        await erasures?.end().catch((err: unknown) => {
          runtime.logger.warn({ err }, 'A server will remove the rest of what is kept of deleted assets');
        });
        await closeFiles();
        await store.close();
      },
    };
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
async function prepareToWrite(store: ContentStore, { types, known }: ChosenTypes): Promise<string[]> {
  if (!known.served && populatedWithContent(known).length === 0) {
    await store.serve(types);
    return [];
  }
  const unenforced = (await store.findUnenforcedUniqueFields()).map(({ type, field }) => `${type} ${field}`);
  return [
    ...(known.served ? [] : ['this store has no record of its types, because no server has served it yet']),
    ...(unenforced.length === 0 ? [] : [[notYetUnique, ...boundLines(unenforced)].join('\n  ')]),
  ];
}

const notYetUnique = 'these fields are not kept unique until a server has been started:';
