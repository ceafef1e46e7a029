/**
 * What needs attention, in short: broken mappings, webhooks and content, stopped releases, and the latest changes.
 */
import type * as api from '../../../../../generated/server/admin.ts';
import type { AuditLog } from '../../../../access/audit/audit-log.ts';
import { systemPrefix } from '../../../../access/system-types.ts';
import { isDomainError } from '../../../../base/errors.ts';
import type { ContentService } from '../../../../content/content-service.ts';
import type { RestEndpoint } from '../../../../mapping/records/rest-endpoint.ts';
import type { BrokenMapping } from '../../../../mapping/routes/route-table.ts';
import type { WebhookStatus } from '../../../../webhooks/webhook-status.ts';
import type { Webhooks } from '../../../../webhooks/webhooks.ts';

const maxItems = 10;
/** Developers manage these records. Other changes are for administrators. */
const changedTypes = ['RestEndpoint', 'GraphqlEndpoint', 'ApiClient', 'Webhook'].map(
  (name) => systemPrefix + name,
);

/** Lists the broken mappings of endpoints. */
export function toBrokenMappings(
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
export async function findBrokenWebhooks(
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
export async function findStoppedReleases({
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
export function toUnfitSum({
  catalog,
  unfit,
}: Pick<ContentService, 'catalog' | 'unfit'>): api.Dashboard['unfit'] {
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
export async function findLatestChanges(
  audit: Pick<AuditLog, 'page'>,
): Promise<Pick<api.Dashboard, 'changes'>> {
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
