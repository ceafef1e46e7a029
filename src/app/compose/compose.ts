/**
 * Builds an instance on the configured store: its services (`services.ts`), and the application that serves them. No file outside this
 * folder constructs parts.
 */
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { loadSystemTypes, storedCatalog } from '../../access/system-types.ts';
import type { Collected, Metric } from '../../base/metrics/metric.ts';
import { packageRoot } from '../../base/package-root.ts';
import { createLogTrimmer } from '../../content/changes/trim-log.ts';
import { createFileCleaner } from '../../content/files/unused-files.ts';
import { createApp } from '../../http/create-app.ts';
import { serveFiles } from '../../http/files/serve-files.ts';
import { serveGraphql } from '../../http/graphql/serve-graphql.ts';
import { servePages } from '../../http/pages/serve-pages.ts';
import { createRouteAnswerer } from '../../http/routes/route-answers.ts';
import { serveRoutes } from '../../http/routes/serve-routes.ts';
import { serveMetrics } from '../../http/serve-metrics.ts';
import type { FilePlace } from '../../store/file-place.ts';
import { openFilePlace, openStore } from '../../store/open-store.ts';
import { createStoreMeter } from '../../store/store-metrics.ts';
import { assertServable, readFolder, toCatalog } from '../chosen-types.ts';
import type { Config } from '../config/config.ts';
import { openTracing } from '../tracing/open-tracing.ts';
import { createApis } from './compose-apis.ts';
import type { InstanceOptions, Runtime } from './runtime.ts';
import { createSenderLimits } from './sender-limits.ts';
import { createServices, type Services } from './services.ts';

/** A complete instance, ready to listen. */
export interface Instance {
  readonly services: Services;
  readonly app: RequestListener;
  /**
   * Applies changes of API clients and endpoints at once, and removes outdated responses of mapped routes from memory; otherwise this
   * happens within a second.
   */
  refresh(): Promise<void>;
  /**
   * Starts to remove old entries of the change log and unused files in the background, to send changes to webhooks, and to look for stored content
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
  options: InstanceOptions = {},
): Promise<Instance> {
  const { types = readFolder(config.typesDir), timing, openWriterChannel } = options;
  const { dataDir, mongodbUrl, filesUrl, queryMs } = config;
  const { logger } = runtime;
  const [catalog, systemCatalog] = [toCatalog(types), loadSystemTypes()];
  await assertServable(config);
  const senderLimits = createSenderLimits(config, runtime);
  const tracing = await openTracing(logger);
  const meter = createStoreMeter({ follow: senderLimits.follow, tracing });
  const store = await openStore({
    dataDir,
    mongodbUrl,
    queryMs,
    logger,
    timing,
    openWriterChannel,
    meter,
    catalog: storedCatalog(systemCatalog, catalog),
    onSearch: senderLimits.rateLimits?.charge,
  });
  let place: FilePlace | undefined;
  try {
    place = await openFilePlace({ dataDir, mongodbUrl, filesUrl });
    await store.serve(types);
    return serve(
      await createServices({
        config,
        runtime,
        options,
        types,
        catalog,
        systemCatalog,
        store,
        place,
        meter,
        tracing,
        senderLimits,
      }),
    );
  } catch (error) {
    await place?.close();
    await store.close();
    throw error;
  }
}

function serve(services: Services): Instance {
  const { config, store, content, authenticator, publishedApis, routeCache, liveFeeds, metrics } = services;
  const { clock, logger, origins, rateLimiter, tracing, program, usage, runs, webhookSender, system } =
    services;
  const {
    basePath,
    filesAccess,
    historyDays,
    hsts,
    imageSizes,
    maxRequests,
    trustedProxies,
    worker = 1,
  } = config;
  const { place, previews, unusedFiles, erasures, clockWatch } = services;
  const answerGet = createRouteAnswerer({ program, stateOf: content.stateOf, routeCache });
  const trimmer = createLogTrimmer({ store, clock, clockWatch, logger, historyDays });
  const cleaner = createFileCleaner({ files: unusedFiles, place, clock, clockWatch, logger });
  let isStopping = false;
  return {
    services,
    app: createApp({
      apis: createApis(services),
      files: serveFiles({ ...services, filesAccess, imageSizes, maxTransfers: maxRequests }),
      graphql: serveGraphql(services),
      pages: servePages({
        admin: join(packageRoot, 'dist/admin'),
        guide: join(packageRoot, 'dist/docs'),
        basePath,
        frameOrigins: previews.origins,
      }),
      routes: serveRoutes(services, answerGet),
      basePath,
      trustedProxies,
      rateLimiter,
      maxRequests,
      hsts,
      origins,
      tracing,
      logger,
      async checkReady() {
        if (isStopping) throw new Error('stopping');
        await place.ping?.();
        await store.ping();
      },
      checkHealth: async () => {
        if (!(await store.canRecover())) throw new Error('This process can no longer use the store');
      },
      requests: metrics.requests,
      usage: usage.counts,
      metrics: serveMetrics({ authenticator, collect: services.collectMetrics }),
    }),
    collect: async (what) => (what === 'metrics' ? metrics.collect() : metrics.collectRecentTraffic()),
    async refresh() {
      await Promise.all([authenticator.refresh(), publishedApis.refresh(), routeCache.removeOutdated()]);
    },
    startBackgroundWork() {
      usage.start();
      // One worker suffices.
      if (worker === 1) {
        clockWatch.start();
        trimmer.start();
        cleaner.start();
        erasures.start({ ifBegun: !config.erasesDeletions });
        webhookSender.start();
        content.releases.schedules.start(logger, clockWatch);
      }
      content.unfit.start([...system.catalog.types.keys()]);
    },
    startStopping() {
      isStopping = true;
      void liveFeeds.stop();
    },
    async close() {
      metrics.stop();
      // First of all, so that another process can go on at once.
      await webhookSender.stop();
      await content.releases.schedules.stop();
      await liveFeeds.stop();
      const background = [
        content.unfit,
        trimmer,
        clockWatch,
        cleaner,
        runs,
        usage,
        routeCache,
        authenticator,
        publishedApis,
        previews,
      ];
      await Promise.all([erasures.stop(), ...background.map((task) => task.stop())]);
      await place.close();
      await store.close();
    },
  };
}
