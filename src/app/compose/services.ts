/**
 * The services that an instance is made of.
 */
import type { IdempotentRequests } from '../../access/idempotency/idempotent-requests.ts';
import type { Usage } from '../../access/usage/usage.ts';
import type { Collected, Metric } from '../../base/metrics/metric.ts';
import type { Tracing } from '../../base/tracing.ts';
import type { ContentService } from '../../content/content-service.ts';
import type { LiveTiming } from '../../content/feed/live/live-timing.ts';
import type { RouteCache } from '../../http/routes/route-cache.ts';
import type { ContentStore } from '../../store/port.ts';
import type { StoreMeter } from '../../store/store-metrics.ts';
import type { Config } from '../config/config.ts';
import type { RateLimiting } from './compose-rate-limits.ts';
import type { AccessRecords, ContentRecords, EndpointRecords, Runtime } from './compose-records.ts';
import type { TypesChecker } from './compose-types-check.ts';
import type { WebhookParts } from './compose-webhooks.ts';

/** The services that answer requests. */
export interface Services extends AccessRecords, EndpointRecords, ContentRecords, RateLimiting, WebhookParts {
  readonly config: Config;
  readonly runtime: Runtime;
  readonly store: ContentStore;
  readonly system: ContentService;
  readonly requests: IdempotentRequests;
  readonly routeCache: RouteCache;
  readonly typesChecker: TypesChecker;
  /** Names the version of Colophon and the content types. */
  readonly program: string;
  readonly refreshOthers: () => Promise<void>;
  readonly meter: StoreMeter;
  readonly usage: Usage;
  readonly tracing: Tracing | undefined;
  readonly collectAll: ((what: Collected) => Promise<readonly Metric[]>) | undefined;
  readonly feedTiming: Partial<LiveTiming> | undefined;
}
