/**
 * The handlers of the dashboard: what needs attention, and endpoints and API clients in short, a page at a time.
 */

import type * as api from '../../../../../generated/server/admin.ts';
import type { AuditLog } from '../../../../access/audit/audit-log.ts';
import { type ApiClient, isExpired } from '../../../../access/clients/api-client.ts';
import type { ApiClients } from '../../../../access/clients/api-clients.ts';
import { systemPrefix } from '../../../../access/system-types.ts';
import { isDomainError } from '../../../../base/errors.ts';
import type { Metric } from '../../../../base/metrics/metric.ts';
import type { Clock } from '../../../../base/runtime.ts';
import type { ContentService } from '../../../../content/content-service.ts';
import type { GraphqlEndpoint } from '../../../../graphql/endpoints/graphql-endpoint.ts';
import { findPublicTypes } from '../../../../mapping/records/endpoint-warnings.ts';
import type { RestEndpoint } from '../../../../mapping/records/rest-endpoint.ts';
import type { BrokenMapping } from '../../../../mapping/routes/published-apis.ts';
import type { WebhookStatus } from '../../../../webhooks/webhook-status.ts';
import type { Webhooks } from '../../../../webhooks/webhooks.ts';
import { readRecentTraffic, type TrafficReport } from '../../../request/recent-traffic.ts';
import { createSourceReader, type RestEndpointServices } from '../endpoints/rest-endpoints.ts';
import { type AdminHandlers, ok } from '../responses.ts';
import { byName, createSearch, findCounted, pageOf, toRow } from './rest-endpoint-rows.ts';

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
  readonly collectRecentTraffic: () => Promise<readonly Metric[]>;
  readonly clock: Clock;
}

export function createDashboardHandlers(services: DashboardServices): Pick<AdminHandlers, Handled> {
  const { restEndpoints, graphqlEndpoints, publishedApis, content, clients, webhooks, audit, clock } =
    services;
  const readSources = createSourceReader(services);
  const readTraffic = async () => readRecentTraffic(await services.collectRecentTraffic());
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
function toGraphqlRow(endpoint: GraphqlEndpoint, traffic: TrafficReport): api.DashboardGraphqlEndpoint {
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

const maxItems = 10;
/** Developers manage these records. Other changes are for administrators. */
const changedTypes = ['RestEndpoint', 'GraphqlEndpoint', 'ApiClient', 'Webhook'].map(
  (name) => systemPrefix + name,
);

/** Lists the broken mappings of endpoints. */
function toBrokenMappings(
  endpoints: readonly RestEndpoint[],
  brokenOf: (id: string) => readonly BrokenMapping[],
): api.Dashboard['mappings'] {
  const broken = endpoints.flatMap(({ id, current }) =>
    brokenOf(id).map(({ mapping, problems }) => ({
      endpoint: { id, name: current.definition.name },
      mapping,
      message: problems[0]?.message ?? '',
    })),
  );
  return { count: broken.length, items: broken.slice(0, maxItems) };
}

/** Lists the webhooks whose changes are not received; absent on a store without a change log. */
async function findBrokenWebhooks(
  webhooks: Pick<Webhooks, 'list'>,
): Promise<Pick<api.Dashboard, 'webhooks'>> {
  const statuses = await unlessUnsupported(webhooks.list());
  if (!statuses) return {};
  const broken = statuses.flatMap(toBrokenWebhook);
  return { webhooks: { count: broken.length, items: broken.slice(0, maxItems) } };
}

function toBrokenWebhook({
  webhook: { id, name, disabled },
  state,
}: WebhookStatus): NonNullable<api.Dashboard['webhooks']>['items'] {
  if (state === 'active') return [];
  if (state !== 'disabled') return [{ id, name, state }];
  const reason = disabled?.reason;
  // A webhook that a person has paused is not broken.
  return reason === undefined || reason === 'user' ? [] : [{ id, name, state, disabledReason: reason }];
}

/** Lists the releases whose scheduled publication stopped; absent on a store without a change log. */
async function findStoppedReleases({
  schedules,
}: ContentService['releases']): Promise<Pick<api.Dashboard, 'releases'>> {
  const all = await unlessUnsupported(schedules.listStopped());
  if (!all) return {};
  const items = all.flatMap(({ name, title, stopped }) =>
    stopped
      ? [{ name, ...(title !== undefined && { title }), message: stopped.message, at: stopped.at }]
      : [],
  );
  return { releases: { count: items.length, items: items.slice(0, maxItems) } };
}

/** Sums up the last counts of unfit assets. */
function toUnfitSum({ catalog, unfit }: Pick<ContentService, 'catalog' | 'unfit'>): api.Dashboard['unfit'] {
  const counts = unfit.counts();
  const counted = new Set(counts.map(({ type }) => type));
  const items = counts
    .filter((count) => count.unfit > 0)
    .sort((one, other) => other.unfit - one.unfit)
    .map((count) => ({
      class: count.type,
      name: catalog.find(count.type)?.name ?? count.type,
      assets: count.unfit,
    }));
  return {
    assets: items.reduce((sum, { assets }) => sum + assets, 0),
    isCounted: [...catalog.types.keys()].every((type) => counted.has(type)),
    items: items.slice(0, maxItems),
  };
}

/** Reads the latest changes of what developers manage; absent on a store without a change log. */
async function findLatestChanges(audit: Pick<AuditLog, 'page'>): Promise<Pick<api.Dashboard, 'changes'>> {
  const filter = { types: changedTypes, actions: ['create', 'update', 'delete', 'erase'] as const };
  const page = await unlessUnsupported(audit.page({ filter, limit: maxItems }));
  if (!page) return {};
  return {
    changes: page.items.flatMap(({ id, atMs, action, description, type, asset, name, by }) =>
      // The filter excludes sign-ins.
      action === 'signIn'
        ? []
        : [{ id, at: atMs, action, description, type, asset, ...(name !== undefined && { name }), by }],
    ),
  };
}

async function unlessUnsupported<Result>(call: Promise<Result>): Promise<Result | undefined> {
  try {
    return await call;
  } catch (error) {
    if (isDomainError(error, 'not_supported')) return undefined;
    throw error;
  }
}
