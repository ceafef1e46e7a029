/**
 * API clients as records: made, listed, given a new secret, revoked.
 *
 * A secret is returned once, by the call that makes it, and kept as a hash. A revoked client keeps its record and its ID, so
 * that the ID cannot come back to life as somebody else.
 */
import { invalidBody, isDomainError, notFound } from '../base/errors.ts';
import type { Clock, IdSource } from '../base/runtime.ts';
import type { ContentService } from '../content/content-service.ts';
import type { Asset } from '../model/content-type.ts';
import { isScope, type Scope } from './scopes.ts';
import { hashSecret } from './secret.ts';

/** An external program with an ID, a secret and scopes. */
export interface ApiClient {
  readonly clientId: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** IDs of the only sites whose assets are there for it; absent means all assets. */
  readonly sites?: readonly string[];
  readonly secretHash: string;
  /** Absent while it may come in. */
  readonly revokedAtMs?: number;
}

/** An API client to make; what is not given of ID and secret is made up. */
export interface NewApiClient {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly sites?: readonly string[];
  readonly clientId?: string;
  readonly secret?: string;
  /** The `_id` of its record; one that is taken makes `create` fail with id_in_use. */
  readonly recordId?: string;
}

/** The ID and the secret of a client; the secret is to be had here only. */
export interface ApiCredentials {
  readonly clientId: string;
  readonly secret: string;
}

/** The records of all API clients. */
export interface ApiClients {
  /** In the order they were made. */
  list(): Promise<readonly ApiClient[]>;
  /** Errors: invalid_body, value_in_use when the ID is taken. */
  create(client: NewApiClient): Promise<ApiCredentials>;
  /** Gives a new secret; the old one ends. Errors: not_found. */
  rotate(clientId: string): Promise<ApiCredentials>;
  /** Ends a client for good. Errors: not_found. */
  revoke(clientId: string): Promise<void>;
  /** A text that differs once a record was written since, by any process. */
  revision(): Promise<string>;
}

const typeName = 'com.colophon.system.ApiClient';
const siteType = 'com.colophon.cms.db.Site';
const pageSize = 1000;
/** One ID for the first client's record, so that of several processes only one can make it. */
const firstRecordId = '5c0b0c5e-7b1e-5f0e-9d55-0d6f2f6f0001';

/** Keeps API clients in the system's content service. */
export function createApiClients({
  system,
  clock,
  ids,
}: {
  system: ContentService;
  clock: Clock;
  ids: IdSource;
}): ApiClients {
  async function list(): Promise<readonly ApiClient[]> {
    const clients: ApiClient[] = [];
    for (let offset = 0; ; offset += pageSize) {
      const { items } = await system.find({ from: typeName, offset, limit: pageSize, withCount: false }, {});
      clients.push(...items.map(toApiClient));
      if (items.length < pageSize) return clients;
    }
  }

  async function create(client: NewApiClient): Promise<ApiCredentials> {
    const { clientId = ids.assetId(), secret = ids.secret() } = client;
    if (client.scopes.length === 0)
      throw invalidBody([{ path: 'scopes', message: 'must name a scope at least' }]);
    const sites = client.sites?.map((site) => ({ _ref: site, _type: siteType }));
    await system.create(
      {
        ...(client.recordId ? { _id: client.recordId } : {}),
        _type: typeName,
        name: client.name,
        clientId,
        secretHash: hashSecret(secret),
        scopes: [...new Set(client.scopes)],
        ...(sites ? { sites } : {}),
      },
      {},
    );
    return { clientId, secret };
  }

  async function rotate(clientId: string): Promise<ApiCredentials> {
    const secret = ids.secret();
    await change(clientId, { secretHash: hashSecret(secret) });
    return { clientId, secret };
  }

  async function revoke(clientId: string): Promise<void> {
    await change(clientId, { revokedAt: clock.nowMs() });
  }

  async function change(clientId: string, body: Record<string, string | number>): Promise<void> {
    const where = 'clientId = ? and revokedAt = missing';
    const { items } = await system.find(
      { from: typeName, where, values: [clientId], offset: 0, limit: 1, withCount: false },
      {},
    );
    const [record] = items;
    if (!record) throw notFound(clientId, 'API client');
    await system.update({ id: record._id, body }, {});
  }

  return { list, create, rotate, revoke, revision: () => system.revision(typeName) };
}

/** Makes the first API client of an empty store; `undefined` when the store has clients already. */
export async function createFirstApiClient(
  clients: ApiClients,
  given: Partial<ApiCredentials>,
): Promise<ApiCredentials | undefined> {
  if ((await clients.list()).length > 0) return undefined;
  const scopes: Scope[] = ['cma:read', 'cma:write', 'graphql'];
  try {
    return await clients.create({ name: 'First client', scopes, recordId: firstRecordId, ...given });
  } catch (error) {
    // Another process starting on the same store was quicker.
    if (isDomainError(error, 'id_in_use')) return undefined;
    throw error;
  }
}

/** Reads a record that the content service has validated when it was written. */
function toApiClient(record: Asset): ApiClient {
  const { sites, revokedAt } = record;
  return {
    clientId: String(record.clientId),
    name: String(record.name),
    secretHash: String(record.secretHash),
    scopes: texts(record.scopes).filter(isScope),
    ...(Array.isArray(sites) ? { sites: sites.flatMap(refOf) } : {}),
    ...(typeof revokedAt === 'number' ? { revokedAtMs: revokedAt } : {}),
  };
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

function refOf(value: unknown): string[] {
  return typeof value === 'object' && value !== null && '_ref' in value && typeof value._ref === 'string'
    ? [value._ref]
    : [];
}
