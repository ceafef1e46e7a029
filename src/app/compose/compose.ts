/**
 * Builds an instance: creates each part and passes it its dependencies. `compose-records.ts` builds the services of system records.
 * No other file constructs parts.
 */
import { hash } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { createAuthenticator } from '../../access/authenticator.ts';
import { loadSystemTypes, storedCatalog } from '../../access/system-types.ts';
import { createUsage, type Usage } from '../../access/usage/usage.ts';
import type { Collected, Metric } from '../../base/metrics/metric.ts';
import { packageRoot, readVersion } from '../../base/package-root.ts';
import { createLogTrimmer } from '../../content/changes/trim-log.ts';
import { createApp } from '../../http/create-app.ts';
import { serveGraphql } from '../../http/graphql/serve-graphql.ts';
import { servePages } from '../../http/pages/serve-pages.ts';
import { createBodyMemory } from '../../http/request/body-memory.ts';
import { createRouteAnswerer } from '../../http/routes/route-answers.ts';
import { createRouteCache, type RouteCache } from '../../http/routes/route-cache.ts';
import { serveRoutes } from '../../http/routes/serve-routes.ts';
import { serveMetrics } from '../../http/serve-metrics.ts';
import { createPublishedApis } from '../../mapping/routes/published-apis.ts';
import { openStore } from '../../store/open-store.ts';
import { createStoreMeter, toLoadMetrics } from '../../store/store-metrics.ts';
import { assertServable, readFolder, toCatalog } from '../chosen-types.ts';
import type { Config } from '../config/config.ts';
import { createInstanceMetrics } from '../metrics/instance-metrics.ts';
import { openTracing } from '../tracing/open-tracing.ts';
import { createApis } from './compose-apis.ts';
import { createFeeds } from './compose-feeds.ts';
import { createRateLimiting, type RateLimiting } from './compose-rate-limits.ts';
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
import { createTypesChecker } from './compose-types-check.ts';
import { createWebhookParts, type WebhookParts } from './compose-webhooks.ts';
import type { InstanceOptions } from './instance-options.ts';
import type { Services } from './services.ts';

/** A complete instance, ready to listen. */
export interface Instance extends AccessRecords, EndpointRecords, ContentRecords, RateLimiting, WebhookParts {
  readonly app: RequestListener;
  readonly usage: Usage;
  /** The responses of mapped routes that this process keeps. */
  readonly routeCache: RouteCache;
  /**
   * Applies changes of API clients and endpoints at once, and removes outdated responses of mapped routes from memory; otherwise this
   * happens within a second.
   */
  refresh(): Promise<void>;
  /**
   * Starts to remove old entries of the change log in the background, to send changes to webhooks, and to look for stored content
   * that does not fit its types, which it logs.
   */
  startBackgroundWork(): void;
  /** Makes `/readyz` report that the instance is not ready, so that load balancers send no new requests. */
  startStopping(): void;
  /** Returns what this process has collected. */
  collect(what: Collected): Promise<readonly Metric[]>;
  close(): Promise<void>;
}

/**
 * Builds an instance with its request listener; `server.ts` makes it listen. Errors: bad_types, bad_config, store_busy, store_failure.
 */
export async function compose(
  config: Config,
  runtime: Runtime,
  {
    timing,
    types = readFolder(config.typesDir),
    refreshOthers = async () => {},
    openWriterChannel,
    collectAll,
    feedTiming,
    leaseTiming,
  }: InstanceOptions = {},
): Promise<Instance> {
  const catalog = toCatalog(types);
  const stored = storedCatalog(loadSystemTypes(), catalog);
  await assertServable(config);
  const { logger } = runtime;
  const rates = createRateLimiting(config, runtime.origins);
  const { dataDir, mongodbUrl, queryMs } = config;
  const tracing = await openTracing(logger);
  const meter = createStoreMeter({ follow: rates.follow, tracing });
  const store = await openStore({
    dataDir,
    mongodbUrl,
    queryMs,
    catalog: stored,
    logger,
    onSearch: rates.rateLimits?.charge,
    timing,
    openWriterChannel,
    meter,
  });
  try {
    await store.serve(types);
    const system = createSystem(store, runtime);
    const contentRecords = createContent({ rules: config, catalog, store, system }, runtime);
    const { content } = contentRecords;
    const endpoints = createEndpoints({ config, runtime, system, content });
    const access = createAccess(system, runtime);
    const requests = createRequests(system, runtime);
    const routeCache = createRouteCache({ maxBytes: config.routeCacheBytes, stateOf: content.stateOf });
    const webhookParts = createWebhookParts({ config, store, system, catalog, runtime, leaseTiming });
    const records = { ...contentRecords, requests, ...access, ...endpoints, ...webhookParts, routeCache };
    const program = hash('sha256', JSON.stringify([readVersion(), types.sources]), 'base64url');
    const usage = createUsage({ system, ...runtime });
    const typesChecker = createTypesChecker({
      config,
      runtime,
      store,
      system,
      usage,
      sources: types.sources,
    });
    const shared = { ...rates, tracing, usage, refreshOthers, collectAll, typesChecker, feedTiming };
    return await serve({ config, runtime, store, system, meter, ...records, program, ...shared });
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function serve(services: Services): Promise<Instance> {
  const { store, runtime, content, routeCache, rateLimiter } = services;
  const { logger, origins } = runtime;
  const liveFeeds = createFeeds(services);
  await services.graphqlEndpoints.createFirst();
  const authenticator = await createAuthenticator({ ...services, ...runtime });
  const { trustedProxies, maxRequests, hsts, basePath, maxBodyBytes } = services.config;
  const limits = { maxBodyBytes, memory: createBodyMemory({ maxBytes: 16 * maxBodyBytes }) };
  const publishedApis = await createPublishedApis({ ...services, logger, basePath });
  const serving = { publishedApis, authenticator, limits, origins, rateLimiter, logger };
  const answerGet = createRouteAnswerer({ ...services, stateOf: content.stateOf });
  const metrics = createInstanceMetrics({
    ...services,
    collectStore: () => [...services.meter.collect(), ...toLoadMetrics(store.load())],
    liveFeeds,
    clock: runtime.clock,
  });
  const collect = async (what: Collected) =>
    what === 'metrics' ? metrics.collect() : metrics.collectLastHour();
  const { collectAll = collect } = services;
  const collectLastHour = () => collectAll('last hour');
  const trimmer = createLogTrimmer({ store, ...runtime, historyDays: services.config.historyDays });
  let isStopping = false;
  return {
    ...services,
    app: createApp({
      apis: await createApis(
        { ...services, liveFeeds, collectLastHour },
        { authenticator, publishedApis, limits },
      ),
      graphql: serveGraphql(serving),
      pages: servePages({
        admin: join(packageRoot, 'dist/admin'),
        guide: join(packageRoot, 'dist/docs'),
        basePath,
      }),
      routes: serveRoutes({ ...serving, answerGet }),
      basePath,
      trustedProxies,
      rateLimiter,
      maxRequests,
      hsts,
      checkReady: () => (isStopping ? Promise.reject(new Error('stopping')) : store.ping()),
      checkHealth: async () => {
        if (!(await store.canRecover())) throw new Error('This process can no longer use the store');
      },
      origins,
      requests: metrics.requests,
      usage: services.usage.counts,
      metrics: serveMetrics({ authenticator, collect: () => collectAll('metrics') }),
      tracing: services.tracing,
      logger,
    }),
    collect,
    async refresh() {
      await Promise.all([authenticator.refresh(), publishedApis.refresh(), routeCache.removeOutdated()]);
    },
    startBackgroundWork() {
      services.usage.start();
      // One worker suffices.
      if ((services.config.worker ?? 1) === 1) {
        trimmer.start();
        services.webhookSender.start();
      }
      content.unfit.start([...loadSystemTypes().types.keys()]);
    },
    startStopping() {
      isStopping = true;
      void liveFeeds.stop();
    },
    async close() {
      metrics.stop();
      // First of all, so that another process can go on at once.
      await services.webhookSender.stop();
      await liveFeeds.stop();
      const background = [content.unfit, trimmer, services.runs, services.usage, routeCache];
      await Promise.all([authenticator, publishedApis, ...background].map((task) => task.stop()));
      await store.close();
    },
  };
}
