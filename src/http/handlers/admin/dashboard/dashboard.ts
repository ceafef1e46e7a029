/**
 * The handlers of the dashboard: what needs attention, and endpoints and API clients in short, a page at a time.
 */
import type * as api from '../../../../../generated/server/admin.ts';
import type { AuditLog } from '../../../../access/audit/audit-log.ts';
import { type ApiClient, isExpired } from '../../../../access/clients/api-client.ts';
import type { ApiClients } from '../../../../access/clients/api-clients.ts';
import type { Metric } from '../../../../base/metrics/metric.ts';
import type { Clock } from '../../../../base/runtime.ts';
import type { ContentService } from '../../../../content/content-service.ts';
import type { GraphqlEndpoint } from '../../../../graphql/endpoints/graphql-endpoint.ts';
import { findPublicTypes } from '../../../../mapping/records/endpoint-warnings.ts';
import type { Webhooks } from '../../../../webhooks/webhooks.ts';
import { type HourTraffic, readLastHour } from '../../../request/last-hour.ts';
import { createSourceReader, type RestEndpointServices } from '../endpoints/rest-endpoints.ts';
import { type AdminHandlers, ok } from '../responses.ts';
import {
  findBrokenWebhooks,
  findLatestChanges,
  findStoppedReleases,
  toBrokenMappings,
  toUnfitSum,
} from './attention.ts';
import { byName, createSearch, pageOf } from './page-of.ts';
import { findCounted, toRow } from './rest-endpoint-rows.ts';

/** The operations of the dashboard. */
type Handled =
  | 'getDashboard'
  | 'listDashboardRestEndpoints'
  | 'listDashboardGraphqlEndpoints'
  | 'listDashboardApiClients';

/** What the dashboard shows. */
export interface DashboardServices
  extends Pick<RestEndpointServices, 'restEndpoints' | 'graphqlEndpoints' | 'apis' | 'publishedApis'> {
  readonly content: Pick<ContentService, 'catalog' | 'unfit' | 'releases'>;
  readonly clients: Pick<ApiClients, 'list'>;
  readonly webhooks: Pick<Webhooks, 'list'>;
  readonly audit: Pick<AuditLog, 'page'>;
  /** Collects the requests of the last hour from all processes behind one port. */
  readonly collectLastHour: () => Promise<readonly Metric[]>;
  readonly clock: Clock;
}

/** Creates the handlers. */
export function createDashboardHandlers(services: DashboardServices): Pick<AdminHandlers, Handled> {
  const { restEndpoints, graphqlEndpoints, publishedApis, content, clients, webhooks, audit, clock } =
    services;
  const readSources = createSourceReader(services);
  const readTraffic = async () => readLastHour(await services.collectLastHour());
  const brokenOf = publishedApis.status;

  return {
    async getDashboard() {
      const [endpoints, hooks, releases, changes] = await Promise.all([
        restEndpoints.list(),
        findBrokenWebhooks(webhooks),
        findStoppedReleases(content.releases),
        findLatestChanges(audit),
      ]);
      const mappings = toBrokenMappings(endpoints, brokenOf);
      return ok({ mappings, ...hooks, ...releases, unfit: toUnfitSum(content), ...changes });
    },

    async listDashboardRestEndpoints({ query }) {
      const [endpoints, sourceOf, traffic] = await Promise.all([
        restEndpoints.list(),
        readSources(),
        readTraffic(),
      ]);
      const sources = { traffic, sourceOf, brokenOf };
      const counted = findCounted(endpoints, sources, query);
      const items = pageOf(counted, query).map((one) => toRow(one, sources));
      return ok({ count: counted.length, since: traffic.sinceMs, uncounted: traffic.uncounted, items });
    },

    async listDashboardGraphqlEndpoints({ query }) {
      const [endpoints, traffic] = await Promise.all([graphqlEndpoints.list(), readTraffic()]);
      const matches = createSearch(query);
      const found = endpoints.filter(({ name, path }) => matches([name, `/graphql/${path}`])).sort(byName);
      const items = pageOf(found, query).map((endpoint) => toGraphqlRow(endpoint, traffic));
      return ok({ count: found.length, since: traffic.sinceMs, uncounted: traffic.uncounted, items });
    },

    async listDashboardApiClients({ query }) {
      const matches = createSearch(query);
      const found = (await clients.list()).filter(({ name, clientId }) => matches([name, clientId]));
      const revoked = found.filter(({ revokedAtMs }) => revokedAtMs !== undefined);
      const active = found.filter(({ revokedAtMs }) => revokedAtMs === undefined);
      const listed = (isTrue(query.revoked) ? revoked : active).sort(byName);
      const items = pageOf(listed, query).map((client) => toClientRow(client, clock.nowMs()));
      return ok({ count: listed.length, revoked: revoked.length, items });
    },
  };
}

/** Parameters arrive as texts. */
const isTrue = (value: unknown) => String(value) === 'true';

/** Converts a GraphQL endpoint to its row. */
function toGraphqlRow(endpoint: GraphqlEndpoint, traffic: HourTraffic): api.DashboardGraphqlEndpoint {
  const { id, name, path, access, readTypes, writeTypes } = endpoint;
  return {
    id,
    name,
    path,
    access,
    ...(!readTypes.includes('*') && { readTypes: readTypes.length }),
    ...(!writeTypes.includes('*') && { writeTypes: writeTypes.length }),
    hasPublicWrites: findPublicTypes(endpoint).length > 0,
    ...traffic.of([{ path: `/graphql/${path}`, methods: ['GET', 'POST'] }]),
  };
}

/** Converts an API client to its row. */
function toClientRow(client: ApiClient, nowMs: number): api.DashboardApiClient {
  const { clientId, name, scopes, sites, endpoints, keys, createdAtMs, revokedAtMs } = client;
  const expiring = keys.flatMap((key) => (isExpired(key, nowMs) ? [] : (key.expiresAtMs ?? [])));
  return {
    clientId,
    name,
    scopes: [...scopes],
    ...(sites && { sites: sites.length }),
    ...(endpoints && { endpoints: endpoints.length }),
    keys: keys.length,
    expiredKeys: keys.filter((key) => isExpired(key, nowMs)).length,
    ...(expiring.length > 0 && { nextExpiry: Math.min(...expiring) }),
    createdAt: createdAtMs,
    ...(revokedAtMs !== undefined && { revokedAt: revokedAtMs }),
  };
}
