/**
 * Builds everything and hands each part what it needs. Nothing else constructs.
 */
import type { RequestListener } from 'node:http';
import { type ApiClients, createApiClients } from '../access/api-clients.ts';
import { createAuthenticator } from '../access/authenticator.ts';
import { loadSystemTypes, storedCatalog } from '../access/system-types.ts';
import type { Clock, IdSource, Logger } from '../base/runtime.ts';
import { type ContentService, createContentService } from '../content/content-service.ts';
import { createApi } from '../http/api.ts';
import { createApp, type MountedApi } from '../http/create-app.ts';
import { createCmaHandlers } from '../http/handlers/cma.ts';
import { moveCmaDocument, readCmaDocument } from '../http/openapi-document.ts';
import { readJsonBody } from '../http/read-body.ts';
import type { Catalog } from '../model/content-type.ts';
import { loadTypes } from '../model/load-types.ts';
import { readTypeSources } from '../model/type-sources.ts';
import { openStore } from '../store/open-store.ts';
import type { ContentStore } from '../store/port.ts';
import type { Config } from './config.ts';

/** What the outside world lends to an instance. */
export interface Runtime {
  readonly logger: Logger;
  readonly clock: Clock;
  readonly ids: IdSource;
}

/** A whole instance, ready to listen. */
export interface Instance {
  readonly app: RequestListener;
  readonly content: ContentService;
  readonly clients: ApiClients;
  /** Takes changes of API clients into force at once, which otherwise happens within a second. */
  refreshClients(): Promise<void>;
  /** Makes `/readyz` say no, so that no new work is sent here. */
  startStopping(): void;
  close(): Promise<void>;
}

/** The API clients of a store, for the command line. */
export interface ClientsOfStore {
  readonly clients: ApiClients;
  close(): Promise<void>;
}

/** Opens the store for its API clients alone. Errors: store_busy, store_failure. */
export async function composeClients(config: Config, runtime: Runtime): Promise<ClientsOfStore> {
  const systemCatalog = loadSystemTypes();
  const { logger } = runtime;
  const store = await openStore({ ...config, catalog: storedCatalog(systemCatalog), logger });
  return { clients: createClients(store, systemCatalog, runtime), close: store.close };
}

/** Builds an instance up to its application; `server.ts` makes it listen. Errors: bad_types, store_busy, store_failure. */
export async function compose(config: Config, runtime: Runtime): Promise<Instance> {
  const catalog = loadTypes(readTypeSources(config.typesDir));
  const systemCatalog = loadSystemTypes();
  const { logger } = runtime;
  const store = await openStore({ ...config, catalog: storedCatalog(systemCatalog, catalog), logger });
  try {
    const content = createContentService({ ...runtime, catalog, store, rules: config });
    const clients = createClients(store, systemCatalog, runtime);
    return await composeServices({ config, logger, store, content, clients });
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function composeServices({
  config,
  logger,
  store,
  content,
  clients,
}: {
  config: Config;
  logger: Logger;
  store: ContentStore;
  content: ContentService;
  clients: ApiClients;
}): Promise<Instance> {
  const apis = config.cmaEnabled ? [await createCma(config, content)] : [];
  const authenticator = await createAuthenticator({ clients, logger });
  let isStopping = false;
  const checkReady = () => (isStopping ? Promise.reject(new Error('stopping')) : store.ping());
  return {
    app: createApp({ apis, authenticator, checkReady, logger }),
    content,
    clients,
    refreshClients: authenticator.refresh,
    startStopping: () => {
      isStopping = true;
    },
    async close() {
      await authenticator.stop();
      await store.close();
    },
  };
}

function createClients(store: ContentStore, catalog: Catalog, { clock, ids }: Runtime): ApiClients {
  const rules = { siteOwnerRequired: false, referencesChecked: true };
  return createApiClients({
    system: createContentService({ catalog, store, clock, ids, rules }),
    clock,
    ids,
  });
}

async function createCma({ cmaPath, maxBodyBytes }: Config, content: ContentService): Promise<MountedApi> {
  const serve = await createApi({
    document: moveCmaDocument(readCmaDocument(), cmaPath),
    handlers: createCmaHandlers(content),
    readBody: readJsonBody({ maxBodyBytes }),
  });
  return { basePath: cmaPath, serve };
}
