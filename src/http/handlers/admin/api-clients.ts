/**
 * The handlers of the API clients. Secrets and keys are returned only once, when they are created; hashes never are.
 */

import type * as api from '../../../../generated/server/admin.ts';
import type { UsageReport } from '../../../../generated/server/admin.ts';
import type { ApiClient, ApiClients, ApiClientUpdate, ApiKey } from '../../../access/clients/api-clients.ts';
import type { Usage, UsageGroup, UsageSum } from '../../../access/usage/usage.ts';
import { dayMs } from '../../../access/usage/usage-counts.ts';
import { includesRole } from '../../../access/users/roles.ts';
import { forbidden } from '../../../base/errors.ts';
import { adminPath } from '../../../documents/openapi-document.ts';
import type { Principal } from '../../credentials/authenticate-admin.ts';
import { type AdminHandlers, conditionOf, noContent, ok, okVersion } from './responses.ts';

/** The operations of the API clients. */
type Handled =
  | 'listApiClients'
  | 'createApiClient'
  | 'getApiClient'
  | 'updateApiClient'
  | 'replaceApiClient'
  | 'revokeApiClient'
  | 'rotateSecret'
  | 'addKey'
  | 'removeKey';

/** Creates the handlers. `refresh` applies a change to the running server. */
export function createApiClientHandlers(
  clients: ApiClients,
  refresh: () => Promise<void>,
): Pick<AdminHandlers, Handled> {
  async function issue({ clientId, secret }: { clientId: string; secret: string }) {
    await refresh();
    return { client: toResource(await clients.get(clientId)), secret };
  }

  /** Errors: not_found, forbidden. */
  async function assertMayChange(principal: Principal, clientId: string): Promise<void> {
    // Spares other senders the read.
    if (!isDeveloper(principal)) return;
    assertMayManage(principal, (await clients.get(clientId)).scopes);
  }

  async function update(principal: Principal, change: ApiClientUpdate) {
    await assertMayChange(principal, change.clientId);
    assertMayManage(principal, change.changes.scopes);
    const client = await clients.update(change);
    await refresh();
    return okVersion(toResource(client), client.version);
  }

  return {
    async listApiClients() {
      return ok({ items: (await clients.list()).map(toResource) });
    },

    async createApiClient({ body, principal }) {
      assertMayManage(principal, body.scopes);
      const issued = await issue(await clients.create(body));
      const location = `${adminPath}/api-clients/${encodeURIComponent(issued.client.clientId)}`;
      return { status: 201, body: issued, headers: { Location: location } };
    },

    async getApiClient({ path }) {
      const client = await clients.get(path.id);
      return okVersion(toResource(client), client.version);
    },

    updateApiClient: ({ path, headers, body, principal }) =>
      update(principal, { clientId: path.id, changes: body, ...conditionOf(headers) }),

    replaceApiClient({ path, headers, body, principal }) {
      const changes = { ...body, sites: body.sites ?? null, endpoints: body.endpoints ?? null };
      return update(principal, { clientId: path.id, changes, ...conditionOf(headers) });
    },

    async revokeApiClient({ path, principal }) {
      await assertMayChange(principal, path.id);
      await clients.revoke(path.id);
      await refresh();
      return noContent;
    },

    async rotateSecret({ path, principal }) {
      await assertMayChange(principal, path.id);
      return ok(await issue(await clients.rotate(path.id)));
    },

    async addKey({ path, body, principal }) {
      await assertMayChange(principal, path.id);
      const { key, secret } = await clients.addKey({
        clientId: path.id,
        name: body.name,
        ...(body.expiresAt === undefined ? {} : { expiresAtMs: body.expiresAt }),
      });
      await refresh();
      return { status: 201, body: { key: toKeyResource(key), secret } };
    },

    async removeKey({ path, principal }) {
      await assertMayChange(principal, path.id);
      await clients.removeKey({ clientId: path.id, keyId: path.keyId });
      await refresh();
      return noContent;
    },
  };
}

const isDeveloper = (principal: Principal) =>
  principal.kind === 'user' && !includesRole(principal.session.user.role, 'admin');

/** Requires the role `admin` for a client with the scope `admin`, with which everything could be done. Errors: forbidden. */
function assertMayManage(principal: Principal, scopes: readonly string[] = []): void {
  if (!isDeveloper(principal) || !scopes.includes('admin')) return;
  throw forbidden('An API client with the scope admin needs a user with the role admin');
}

function toResource(client: ApiClient): api.ApiClient {
  const { clientId, name, scopes, sites, endpoints, keys, createdAtMs, updatedAtMs, revokedAtMs } = client;
  return {
    clientId,
    name,
    scopes: [...scopes],
    ...(sites ? { sites: [...sites] } : {}),
    ...(endpoints ? { endpoints: [...endpoints] } : {}),
    keys: keys.map(toKeyResource),
    createdAt: createdAtMs,
    updatedAt: updatedAtMs,
    ...(revokedAtMs === undefined ? {} : { revokedAt: revokedAtMs }),
  };
}

function toKeyResource({ id, name, createdAtMs, expiresAtMs }: ApiKey): api.ApiKey {
  return {
    id,
    name,
    createdAt: createdAtMs,
    ...(expiresAtMs === undefined ? {} : { expiresAt: expiresAtMs }),
  };
}

const defaultDays = 30;
const defaultLimit = 100;
const defaultGroups: readonly UsageGroup[] = ['client', 'route'];

/** Creates the handler. */
export function createUsageHandlers(usage: Pick<Usage, 'report'>): Pick<AdminHandlers, 'listUsage'> {
  return {
    async listUsage({ query: { days, groupBy, clientId, clientIds, route, limit } }) {
      const sums = await usage.report({
        days: days === undefined ? defaultDays : Number(days),
        // The document allows only groups that there are.
        groupBy: groupBy === undefined ? defaultGroups : ([groupBy].flat() as UsageGroup[]),
        clientId,
        clientIds: clientIds === undefined ? undefined : [clientIds].flat(),
        route,
      });
      const shown = sums.slice(0, limit === undefined ? defaultLimit : Number(limit));
      return ok({ count: sums.length, items: shown.map(toItem) });
    },
  };
}

function toItem(sum: UsageSum): UsageReport['items'][number] {
  const { clientId, keyId, day, lastDay, totalMs, types: _, ...numbers } = sum;
  return {
    ...(clientId !== undefined && { clientId }),
    ...(keyId !== undefined && { keyId }),
    ...(day !== undefined && { day: toDate(day) }),
    ...numbers,
    totalMs: Math.round(totalMs),
    lastDay: toDate(lastDay),
  };
}

const toDate = (day: number) => new Date(day * dayMs).toISOString().slice(0, 10);
