/**
 * Builds an instance: creates each part and passes it its dependencies. `compose-records.ts` builds the services of system records.
 * No other file constructs parts.
 */
import { hash } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { requestValidators } from '../../generated/server/cma-validators.js';
import { type Authenticator, createAuthenticator } from '../access/authenticator.ts';
import {
  createEraseWithResponses,
  type EraseWithResponses,
} from '../access/idempotency/erase-with-responses.ts';
import type { IdempotentRequests } from '../access/idempotency/idempotent-requests.ts';
import { loadSystemTypes, storedCatalog } from '../access/system-types.ts';
import { createSessions } from '../access/users/sessions.ts';
import { packageRoot, readVersion } from '../base/package-root.ts';
import { createSignInRecorder } from '../content/changes/record-sign-in.ts';
import { createLogTrimmer } from '../content/changes/trim-log.ts';
import type { ContentService } from '../content/content-service.ts';
import { createReferenceFinder } from '../content/reading/find-references.ts';
import {
  bundleDocument,
  moveCmaDocument,
  type OpenApiDocument,
  readAdminDocument,
  readCmaDocument,
  withServer,
} from '../documents/openapi-document.ts';
import { createApi } from '../http/api.ts';
import { createAdmin } from '../http/create-admin.ts';
import { createApp } from '../http/create-app.ts';
import { authenticateClients } from '../http/credentials/authenticate-client.ts';
import { toErrorResponse } from '../http/error-map.ts';
import { serveGraphql } from '../http/graphql/serve-graphql.ts';
import { type CmaHandlers, createCmaHandlers } from '../http/handlers/cma.ts';
import { createCmaHistoryHandlers } from '../http/handlers/cma-history.ts';
import type { MountedApi } from '../http/mounted-api.ts';
import { servePages } from '../http/pages/serve-pages.ts';
import { createJsonReader } from '../http/request/read-body.ts';
import { createKeptBodies, type KeptBodies } from '../http/routes/kept-bodies.ts';
import { createRouteAnswerer } from '../http/routes/route-answers.ts';
import { serveRoutes } from '../http/routes/serve-routes.ts';
import { createDryRuns } from '../mapping/records/dry-runs.ts';
import { createPublishedApis, type PublishedApis } from '../mapping/routes/published-apis.ts';
import { openStore } from '../store/open-store.ts';
import type { ContentStore } from '../store/port.ts';
import { assertServable, readFolder, toCatalog } from './chosen-types.ts';
import {
  type AccessRecords,
  type ContentRecords,
  createAccess,
  createContent,
  createEndpoints,
  createRequests,
  createSystem,
  type EndpointRecords,
  type Runtime,
} from './compose-records.ts';
import type { Config } from './config.ts';
import { type InstanceOptions, runBoth } from './instance-options.ts';

/** A complete instance, ready to listen. */
export interface Instance extends AccessRecords, EndpointRecords, ContentRecords {
  readonly app: RequestListener;
  /** The responses of mapped routes that this process keeps. */
  readonly keptBodies: KeptBodies;
  /**
   * Applies changes of API clients and endpoints at once, and removes outdated responses of mapped routes from memory; otherwise this
   * happens within a second.
   */
  refresh(): Promise<void>;
  /**
   * Starts to remove old entries of the change log in the background, and to look for stored content that does not fit its types,
   * which it logs.
   */
  startBackgroundWork(): void;
  /** Makes `/readyz` report that the instance is not ready, so that load balancers send no new requests. */
  startStopping(): void;
  close(): Promise<void>;
}

/** The services that answer requests. */
interface Services extends AccessRecords, EndpointRecords, ContentRecords {
  readonly config: Config;
  readonly runtime: Runtime;
  readonly store: ContentStore;
  readonly system: ContentService;
  readonly requests: IdempotentRequests;
  readonly keptBodies: KeptBodies;
  /** Names the version of Colophon and the content types. */
  readonly program: string;
  readonly refreshOthers: () => Promise<void>;
}

/**
 * Builds an instance with its request listener; `server.ts` makes it listen. Errors: bad_types, bad_config, store_busy, store_failure.
 */
export async function compose(
  config: Config,
  runtime: Runtime,
  { timing, types = readFolder(config.typesDir), refreshOthers = async () => {} }: InstanceOptions = {},
): Promise<Instance> {
  const catalog = toCatalog(types);
  const stored = storedCatalog(loadSystemTypes(), catalog);
  await assertServable(config);
  const { logger } = runtime;
  const store = await openStore({ ...config, catalog: stored, logger, ...(timing && { timing }) });
  try {
    await store.serve(types);
    const system = createSystem(store, runtime);
    const contentRecords = createContent({ rules: config, catalog, store, system }, runtime);
    const { content } = contentRecords;
    const endpoints = createEndpoints({ config, runtime, store, system, content });
    const access = createAccess(system, runtime);
    const requests = createRequests(system, runtime);
    const keptBodies = createKeptBodies({ maxBytes: config.routeCacheBytes, stateOf: content.stateOf });
    const records = { ...contentRecords, requests, ...access, ...endpoints, keptBodies };
    const program = hash('sha256', JSON.stringify([readVersion(), types.sources]), 'base64url');
    return await serve({ config, runtime, store, system, ...records, program, refreshOthers });
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function serve(services: Services): Promise<Instance> {
  const { store, runtime, clients, content, keptBodies } = services;
  const { logger, origins } = runtime;
  await services.graphqlEndpoints.createFirst();
  const authenticator = await createAuthenticator({ clients, logger });
  const publishedApis = await createPublishedApis({ ...services, logger });
  const { trustedProxies, maxRequests, hsts, ...limits } = services.config;
  const serving = { publishedApis, authenticator, limits, origins, logger };
  const answerGet = createRouteAnswerer({ ...services, stateOf: content.stateOf });
  const trimmer = createLogTrimmer({ store, ...runtime, historyDays: services.config.historyDays });
  let isStopping = false;
  return {
    ...services,
    app: createApp({
      apis: await createApis(services, { authenticator, publishedApis }),
      graphql: serveGraphql(serving),
      pages: servePages({ admin: join(packageRoot, 'dist/admin'), guide: join(packageRoot, 'dist/docs') }),
      routes: serveRoutes({ ...serving, answerGet }),
      trustedProxies,
      maxRequests,
      hsts,
      checkReady: () => (isStopping ? Promise.reject(new Error('stopping')) : store.ping()),
      checkHealth: async () => {
        if (!store.canRecover()) throw new Error('This process can no longer use the store');
      },
      origins,
      logger,
    }),
    async refresh() {
      await Promise.all([authenticator.refresh(), publishedApis.refresh(), keptBodies.removeOutdated()]);
    },
    startBackgroundWork() {
      trimmer.start();
      content.unfit.start([...loadSystemTypes().types.keys()]);
    },
    startStopping() {
      isStopping = true;
    },
    async close() {
      const background = [content.unfit, trimmer, services.runs, keptBodies];
      await Promise.all([authenticator, publishedApis, ...background].map((task) => task.stop()));
      await store.close();
    },
  };
}

async function createApis(
  services: Services,
  { authenticator, publishedApis }: { authenticator: Authenticator; publishedApis: PublishedApis },
): Promise<MountedApi[]> {
  const { config, runtime, store, content, refreshOthers } = services;
  const erase = createEraseWithResponses({
    ...services,
    removeFromMemory: () => runBoth(services.keptBodies.removeOutdated, refreshOthers),
  });
  const recordSignIn = createSignInRecorder({ store, ...runtime });
  const sessions = createSessions({ ...services, ...runtime, recordSignIn });
  const { logger } = runtime;
  const document = moveCmaDocument(readCmaDocument(), config.cmaPath);
  const { publicUrl } = config;
  const bundle = (source: OpenApiDocument) =>
    withServer(bundleDocument({ source, catalog: content.catalog }), publicUrl);
  // Bundled for the first download, which few servers have.
  let documents: { cma: OpenApiDocument; admin: OpenApiDocument } | undefined;
  const admin = await createAdmin(
    {
      ...services,
      documents() {
        documents ??= { cma: bundle(document), admin: bundle(readAdminDocument()) };
        return documents;
      },
      publicUrl,
      sessions,
      authenticator: { ...authenticator, refresh: () => runBoth(authenticator.refresh, refreshOthers) },
      publishedApis: { ...publishedApis, refresh: () => runBoth(publishedApis.refresh, refreshOthers) },
      logger,
      dryRuns: createDryRuns(services),
      findReferences: createReferenceFinder({ content, clock: runtime.clock }),
      erase,
    },
    config,
  );
  return config.cmaEnabled ? [await createCma(services, { document, authenticator, erase }), admin] : [admin];
}

async function createCma(
  { config, content, requests, runtime }: Pick<Services, 'config' | 'content' | 'requests' | 'runtime'>,
  {
    document,
    authenticator,
    erase,
  }: { document: OpenApiDocument; authenticator: Authenticator; erase: EraseWithResponses },
): Promise<MountedApi> {
  const { logger } = runtime;
  const handlers: CmaHandlers = {
    ...createCmaHandlers({ basePath: config.cmaPath, content, requests, erase, logger }),
    ...createCmaHistoryHandlers(content),
  };
  const handle = createApi({
    document,
    validators: requestValidators,
    handlers,
    invalidBodyOperations: ['batchAssets'],
    readBody: createJsonReader(config),
  });
  return {
    basePath: config.cmaPath,
    isCompressed: true,
    authenticate: authenticateClients(authenticator),
    handle,
    toErrorResponse,
  };
}
