/**
 * Builds the services that an instance is made of: one object, which is passed on as itself.
 */
import { hash } from 'node:crypto';
import type { WrongCredentials } from '../../access/authenticator.ts';
import { createAuthenticator } from '../../access/authenticator.ts';
import type { IdempotentRequests } from '../../access/idempotency/idempotent-requests.ts';
import { createPreviewLinks, type PreviewLinks } from '../../access/preview-links.ts';
import type { RateLimits } from '../../access/rate-limits.ts';
import { createSavedViews } from '../../access/saved-views.ts';
import { createUsage, type Usage } from '../../access/usage/usage.ts';
import { createPresence } from '../../access/users/presence.ts';
import { createSessions } from '../../access/users/sessions.ts';
import type { Metric } from '../../base/metrics/metric.ts';
import { readVersion } from '../../base/package-root.ts';
import type { Tracing } from '../../base/tracing.ts';
import { type ClockWatch, createClockWatch } from '../../content/changes/clock-watch.ts';
import { createSignInRecorder } from '../../content/changes/record-sign-in.ts';
import type { ContentService } from '../../content/content-service.ts';
import type { ErasureSweep } from '../../content/erasure/erasure-sweep.ts';
import { createLiveFeeds, type LiveFeeds } from '../../content/feed/live/live-feeds.ts';
import type { UnusedFiles } from '../../content/files/unused-files.ts';
import type { UnseenConflicts } from '../../content/overlay/unseen-conflicts.ts';
import { createReferenceFinder } from '../../content/reading/find-references.ts';
import { createPreviewAddresses } from '../../content/reading/preview-addresses.ts';
import {
  createBundles,
  moveCmaDocument,
  type OpenApiDocument,
  readCmaDocument,
} from '../../documents/openapi-document.ts';
import { createDocumentReader } from '../../graphql/documents/served-documents.ts';
import type { AdminServices } from '../../http/create-admin.ts';
import type { ServingContext } from '../../http/graphql/run-operation.ts';
import { createBodyMemory } from '../../http/request/limit-requests.ts';
import { createRouteCache, type RouteCache } from '../../http/routes/route-answers.ts';
import { createConfigurations } from '../../mapping/configuration/configurations.ts';
import { createDryRuns } from '../../mapping/records/dry-runs.ts';
import { createPublishedApis } from '../../mapping/routes/published-apis.ts';
import type { Catalog } from '../../model/content-type.ts';
import type { FilePlace } from '../../store/file-place.ts';
import type { ContentStore } from '../../store/port.ts';
import type { ServedTypes } from '../../store/served-types.ts';
import { type StoreMeter, toLoadMetrics } from '../../store/store-metrics.ts';
import type { WebhookSender } from '../../webhooks/sender/webhook-sender.ts';
import type { Config } from '../config/config.ts';
import { createInstanceMetrics, type InstanceMetrics } from '../metrics/instance-metrics.ts';
import { composeErase, composeErasures } from './compose-erasures.ts';
import { composeOpenid } from './compose-openid.ts';
import {
  createAccess,
  createContent,
  createEndpoints,
  createRequests,
  createSystem,
} from './compose-records.ts';
import { createServedFiles } from './compose-served-files.ts';
import { createTypesChecker } from './compose-types-check.ts';
import { createWebhookParts } from './compose-webhooks.ts';
import type { InstanceOptions, Runtime } from './runtime.ts';
import type { SenderLimits } from './sender-limits.ts';

/** The services of an instance: those of the admin API, those of GraphQL endpoints and routes, and those of the others. */
export interface Services extends AdminServices, ServingContext {
  readonly config: Config;
  readonly ids: Runtime['ids'];
  readonly content: ContentService;
  readonly previewLinks: PreviewLinks;
  readonly store: ContentStore;
  /** The bytes of files. */
  readonly place: FilePlace;
  readonly unusedFiles: UnusedFiles;
  readonly erasures: ErasureSweep;
  /** The content service of system records. */
  readonly system: ContentService;
  /** The idempotent requests of the CMA. */
  readonly requests: IdempotentRequests;
  readonly clockWatch: ClockWatch;
  readonly cmaDocument: OpenApiDocument;
  readonly liveFeeds: LiveFeeds;
  /** The responses of mapped routes that this process keeps. */
  readonly routeCache: RouteCache;
  /** Names the version of Colophon and the content types. */
  readonly program: string;
  readonly usage: Usage;
  readonly webhookSender: WebhookSender;
  /** What the workers of a server count together: wrong credentials, and conflicts with assets that senders may not see. */
  readonly wrongCredentials: WrongCredentials;
  readonly unseenConflicts: UnseenConflicts;
  readonly rateLimits: RateLimits | undefined;
  readonly tracing: Tracing | undefined;
  readonly metrics: InstanceMetrics;
  /** Collects the metrics of all instances that serve the same port. */
  readonly collectMetrics: () => Promise<readonly Metric[]>;
}

/** What the services are built on. */
interface Foundation {
  readonly config: Config;
  readonly runtime: Runtime;
  readonly options: InstanceOptions;
  readonly types: ServedTypes;
  readonly catalog: Catalog;
  readonly systemCatalog: Catalog;
  readonly store: ContentStore;
  readonly place: FilePlace;
  readonly meter: StoreMeter;
  readonly tracing: Tracing | undefined;
  readonly senderLimits: SenderLimits;
}

/** Builds the services. Errors: those of the store. */
export async function createServices({
  config,
  runtime,
  options: { refreshOthers = async () => {}, collectAll, feedTiming, leaseTiming },
  types,
  catalog,
  systemCatalog,
  store,
  place,
  meter,
  tracing,
  senderLimits,
}: Foundation): Promise<Services> {
  const { clock, ids, logger, origins } = runtime;
  const { wrongCredentials, unseenConflicts, rateLimits } = senderLimits;
  const { publicUrl, basePath, maxBodyBytes, maxFileBytes, maxStreams } = config;
  const system = createSystem(store, runtime, systemCatalog);
  const parts = { config, runtime, store, system, rateLimits };
  const { webhooks, webhookSender } = createWebhookParts({ ...parts, catalog, leaseTiming });
  const { files, uploader, variants, unusedFiles } = createServedFiles(config, { ...parts, place });
  const requests = createRequests(system, runtime);
  const removeFromMemory = () => Promise.all([routeCache.removeOutdated(), refreshOthers()]).then(() => {});
  const erasures = composeErasures({
    ...{ runtime, store, system, catalog, requests },
    eraseDeliveries: webhooks.eraseDeliveries,
    deleteFiles: unusedFiles.deleteOf,
    onErased: removeFromMemory,
  });
  const { content, runs, audit, activity, titles } = createContent(
    { rules: config, catalog, store, system, unseenConflicts, deleted: erasures },
    runtime,
  );
  const { clients, users, invitations } = createAccess(system, runtime);
  const endpoints = createEndpoints({ config, runtime, system, content });
  const { graphqlEndpoints, trustedDocuments, restEndpoints, apis, checkMappings } = endpoints;
  const routeCache = createRouteCache({ maxBytes: config.routeCacheBytes, stateOf: content.stateOf });
  const clockWatch = createClockWatch({ store, clock, logger });
  // One worker suffices.
  if ((config.worker ?? 1) === 1) await clockWatch.begin();
  const usage = createUsage({ system, clock, clockWatch, logger });
  const counted = { ...endpoints, usage };
  const typesChecker = createTypesChecker({ ...parts, usage, sources: types.sources });
  const recordSignIn = createSignInRecorder({ store, clock, ids, origins });
  const sessions = createSessions({ system, users, clock, ids, recordSignIn });
  const feedParts = { store, reader: content.feed, origins, logger };
  const liveFeeds = createLiveFeeds({ ...feedParts, maxStreams, timing: feedTiming });
  const metrics = createInstanceMetrics({
    routeCache,
    liveFeeds,
    system,
    webhookSender,
    dataDir: config.dataDir,
    clock,
    collectFiles: () => [...uploader.collect(), ...variants.collect(), ...files.collect()],
    collectReleases: () => [...content.releases.schedules.collect(), ...clockWatch.collect()],
    collectStore: () => [...meter.collect(), ...toLoadMetrics(store.load())],
  });
  const cmaDocument = moveCmaDocument(readCmaDocument(), config.cmaPath);
  await graphqlEndpoints.createFirst();
  const authenticator = await createAuthenticator({ clients, wrongCredentials, clock, logger });
  const publishedApis = await createPublishedApis({
    graphqlEndpoints,
    restEndpoints,
    documents: createDocumentReader(trustedDocuments),
    apis,
    logger,
    basePath,
  });
  /** Applies a change in this instance and in the others. */
  const everywhere = (refresh: () => Promise<void>) => async () => {
    await Promise.all([refresh(), refreshOthers()]);
  };
  // A change is stored already, and the next refresh within a second applies it.
  const soon = (refresh: () => Promise<void>) => () => everywhere(refresh)().catch(() => undefined);
  return {
    config,
    store,
    place,
    system,
    content,
    unusedFiles,
    erasures,
    clockWatch,
    files,
    variants,
    upload: uploader.upload,
    runs,
    audit,
    activity,
    titles,
    requests,
    cmaDocument,
    liveFeeds,
    routeCache,
    usage,
    clients,
    users,
    invitations,
    sessions,
    presence: createPresence({ system, readStoreClock: store.readClock, clock }),
    authenticator,
    ...senderLimits,
    rateLimits,
    graphqlEndpoints,
    trustedDocuments,
    restEndpoints,
    apis,
    checkMappings,
    publishedApis,
    webhooks,
    webhookSender,
    typesChecker,
    metrics,
    tracing,
    ...runtime,
    publicUrl,
    basePath,
    erasesDeletions: config.erasesDeletions,
    program: hash('sha256', JSON.stringify([readVersion(), types.sources]), 'base64url'),
    limits: { maxBodyBytes, maxFileBytes, memory: createBodyMemory({ maxBytes: 16 * maxBodyBytes }) },
    documents: createBundles({ cma: cmaDocument, catalog: content.catalog, publicUrl }),
    savedViews: createSavedViews({ system, catalog }),
    previewLinks: createPreviewLinks({ system, clock, ids, origins, users, clients }),
    previews: await createPreviewAddresses({ content, previewUrl: config.previewUrl, logger }),
    openidSignIn: composeOpenid({ config, runtime, system, users, sessions }),
    dryRuns: createDryRuns(counted),
    configurations: createConfigurations({ ...counted, webhooks, clients, system, catalog, ids, logger }),
    findReferences: createReferenceFinder({ content, clock }),
    erase: composeErase({ content, requests, webhooks, unusedFiles, logger, removeFromMemory }),
    refreshClients: soon(authenticator.refresh),
    refreshEndpoints: soon(publishedApis.refresh),
    collectMetrics: () => collectAll?.('metrics') ?? metrics.collect(),
    collectRecentTraffic: async () => collectAll?.('recent traffic') ?? metrics.collectRecentTraffic(),
  };
}
