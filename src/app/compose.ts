/**
 * Builds an instance and hands each part what it needs; `compose-records.ts` builds those that keep Colophon's own records.
 * Nothing else constructs.
 */
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { type Authenticator, createAuthenticator } from '../access/authenticator.ts';
import { createSessions } from '../access/sessions.ts';
import { loadSystemTypes, storedCatalog } from '../access/system-types.ts';
import { packageRoot } from '../base/package-root.ts';
import { type ContentService, createContentService } from '../content/content-service.ts';
import { createApi } from '../http/api.ts';
import { authenticateClients } from '../http/authenticate-client.ts';
import { createAdmin } from '../http/create-admin.ts';
import { createApp, type MountedApi } from '../http/create-app.ts';
import { toErrorAnswer } from '../http/error-map.ts';
import { createCmaHandlers } from '../http/handlers/cma.ts';
import { loosenBodies, moveCmaDocument, readCmaDocument } from '../http/openapi-document.ts';
import { readJsonBody } from '../http/read-body.ts';
import { serveGraphql } from '../http/serve-graphql.ts';
import { servePages } from '../http/serve-pages.ts';
import { serveRoutes } from '../http/serve-routes.ts';
import { createGateway, type Gateway } from '../mapping/gateway.ts';
import { loadTypes } from '../model/load-types.ts';
import { readTypeSources } from '../model/type-sources.ts';
import { openStore } from '../store/open-store.ts';
import type { ContentStore } from '../store/port.ts';
import {
  type AccessRecords,
  createAccess,
  createEndpoints,
  createRequests,
  createSystem,
  type EndpointRecords,
  type Runtime,
} from './compose-records.ts';
import type { Config } from './config.ts';

/** A whole instance, ready to listen. */
export interface Instance extends AccessRecords, EndpointRecords {
  readonly app: RequestListener;
  readonly content: ContentService;
  /** Takes changes of API clients and endpoints into force at once, which otherwise happens within a second. */
  refresh(): Promise<void>;
  /** Makes `/readyz` say no, so that no new work is sent here. */
  startStopping(): void;
  close(): Promise<void>;
}

/** Everything that requests are served from. */
interface Services extends AccessRecords, EndpointRecords {
  readonly config: Config;
  readonly runtime: Runtime;
  readonly store: ContentStore;
  readonly system: ContentService;
  readonly content: ContentService;
}

/** Builds an instance up to its application; `server.ts` makes it listen. Errors: bad_types, store_busy, store_failure. */
export async function compose(config: Config, runtime: Runtime): Promise<Instance> {
  const catalog = loadTypes(readTypeSources(config.typesDir));
  const { logger } = runtime;
  const store = await openStore({ ...config, catalog: storedCatalog(loadSystemTypes(), catalog), logger });
  try {
    const system = createSystem(store, runtime);
    const content = createContentService({ ...runtime, catalog, store, rules: config });
    const endpoints = createEndpoints({ config, runtime, store, system, content });
    const access = createAccess(system, runtime);
    return await serve({ config, runtime, store, system, content, ...access, ...endpoints });
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function serve(services: Services): Promise<Instance> {
  const { store, runtime, clients } = services;
  const { logger } = runtime;
  await services.graphqlEndpoints.createFirst();
  const authenticator = await createAuthenticator({ clients, logger });
  const gateway = await createGateway({ ...services, logger });
  const limits = services.config;
  const doors = { gateway, authenticator, limits, logger };
  let isStopping = false;
  return {
    ...services,
    app: createApp({
      apis: await createApis(services, { authenticator, gateway }),
      graphql: serveGraphql(doors),
      pages: servePages(join(packageRoot, 'dist/admin')),
      routes: serveRoutes(doors),
      checkReady: () => (isStopping ? Promise.reject(new Error('stopping')) : store.ping()),
      logger,
    }),
    async refresh() {
      await Promise.all([authenticator.refresh(), gateway.refresh()]);
    },
    startStopping() {
      isStopping = true;
    },
    async close() {
      await Promise.all([authenticator.stop(), gateway.stop()]);
      await store.close();
    },
  };
}

async function createApis(
  services: Services,
  { authenticator, gateway }: { authenticator: Authenticator; gateway: Gateway },
): Promise<MountedApi[]> {
  const { config, runtime } = services;
  const sessions = createSessions({ ...services, ...runtime });
  const { logger } = runtime;
  const admin = await createAdmin({ ...services, sessions, authenticator, gateway, logger }, config);
  return config.cmaEnabled ? [await createCma(services, authenticator), admin] : [admin];
}

async function createCma(
  { config, content, system, runtime }: Pick<Services, 'config' | 'content' | 'system' | 'runtime'>,
  authenticator: Authenticator,
): Promise<MountedApi> {
  const { cmaPath } = config;
  const { logger } = runtime;
  const requests = createRequests(system, runtime);
  const serve = await createApi({
    document: loosenBodies(moveCmaDocument(readCmaDocument(), cmaPath), ['batchAssets']),
    handlers: createCmaHandlers({ content, requests, logger }),
    readBody: readJsonBody(config),
  });
  return { basePath: cmaPath, authenticate: authenticateClients(authenticator), serve, toErrorAnswer };
}
