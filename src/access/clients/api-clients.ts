/**
 * API clients as records: made, listed, changed, given a new secret or more keys, revoked.
 *
 * A secret or a key is returned once, by the call that makes it, and kept as a hash. A revoked client keeps its record and its
 * ID, so that the ID cannot come back to life as somebody else; it can no longer be changed.
 */
import { invalidBody, isDomainError, notFound, preconditionFailed } from '../../base/errors.ts';
import type { Clock, IdSource } from '../../base/runtime.ts';
import type { ContentService } from '../../content/content-service.ts';
import type { Asset } from '../../model/content-type.ts';
import { findTextFlaw } from '../../model/scalar-flaws.ts';
import { findAll } from '../find-all-records.ts';
import {
  type ApiClient,
  type ApiClientFields,
  type ApiKey,
  toApiClient,
  toPublicProblem,
  toRecordFields,
} from './api-client.ts';
import { changeKeys } from './change-keys.ts';
import { hashSecret } from './secret.ts';

export type { ApiClient, ApiKey } from './api-client.ts';

/** An API client to make; what is not given of ID and secret is made up. */
export interface NewApiClient extends ApiClientFields {
  readonly name: string;
  readonly scopes: readonly string[];
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

/** An API client with the name of its present state, the substance of its ETag. */
export interface StoredApiClient extends ApiClient {
  readonly version: string;
}

/** A change of what is given of a client. `ifVersions` are the versions the caller may have seen; absent means any. */
export interface ApiClientUpdate {
  readonly clientId: string;
  readonly changes: ApiClientFields;
  readonly ifVersions?: readonly string[];
}

/** The records of all API clients. */
export interface ApiClients {
  /** In the order of their records' IDs, revoked ones included. */
  list(): Promise<readonly ApiClient[]>;
  /** A revoked one too. Errors: not_found. */
  get(clientId: string): Promise<StoredApiClient>;
  /** Errors: invalid_body, value_in_use when the ID is taken. */
  create(client: NewApiClient): Promise<ApiCredentials>;
  /** Errors: not_found, invalid_body, precondition_failed. */
  update(update: ApiClientUpdate): Promise<StoredApiClient>;
  /** Gives a new secret; the old one ends. Errors: not_found. */
  rotate(clientId: string): Promise<ApiCredentials>;
  /** Ends a client for good, and its keys with it. Errors: not_found. */
  revoke(clientId: string): Promise<void>;
  /** Adds a key; its `secret`, which is what a request brings, is to be had here only. Errors: not_found, invalid_body, store_busy. */
  addKey(key: { clientId: string; name: string }): Promise<{ key: ApiKey; secret: string }>;
  /** Errors: not_found for the client or the key, store_busy. */
  removeKey(key: { clientId: string; keyId: string }): Promise<void>;
  /** A text that differs once a record was written since, by any process. */
  revision(): Promise<string>;
}

const typeName = 'com.colophon.system.ApiClient';
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
    return (await findAll(system, typeName)).map(toApiClient);
  }

  async function get(clientId: string): Promise<StoredApiClient> {
    const { _id } = await findRecord(clientId);
    const { asset, version } = await system.get(_id, {});
    return { ...toApiClient(asset), version };
  }

  async function create({ clientId, secret, recordId, ...fields }: NewApiClient): Promise<ApiCredentials> {
    assertConsistent(fields);
    const credentials = { clientId: clientId ?? ids.assetId(), secret: secret ?? ids.secret() };
    const record = {
      _id: recordId,
      _type: typeName,
      ...toRecordFields(fields),
      clientId: credentials.clientId,
      secretHash: hashSecret(credentials.secret),
    };
    await inPublicWords(credentials.clientId, system.create(record, {}));
    return credentials;
  }

  async function update({ clientId, changes, ifVersions }: ApiClientUpdate): Promise<StoredApiClient> {
    const present = await findLiveRecord(clientId);
    assertConsistent({ ...toApiClient(present), ...changes });
    const body = toRecordFields(changes);
    const updated = system.update({ id: present._id, body, ...(ifVersions ? { ifVersions } : {}) }, {});
    const { asset, version } = await inPublicWords(clientId, updated);
    return { ...toApiClient(asset), version };
  }

  async function rotate(clientId: string): Promise<ApiCredentials> {
    const { _id: id } = await findLiveRecord(clientId);
    const secret = ids.secret();
    await system.update({ id, body: { secretHash: hashSecret(secret) } }, {});
    return { clientId, secret };
  }

  async function revoke(clientId: string): Promise<void> {
    const { _id: id } = await findLiveRecord(clientId);
    await system.update({ id, body: { revokedAt: clock.nowMs() } }, {});
  }

  async function addKey({ clientId, name }: { clientId: string; name: string }) {
    const { _id: recordId } = await findLiveRecord(clientId);
    const secret = ids.secret();
    const key = { id: ids.assetId(), name, keyHash: hashSecret(secret), createdAtMs: clock.nowMs() };
    await inPublicWords(clientId, changeKeys({ system, recordId, change: (keys) => [...keys, key] }));
    return { key, secret };
  }

  async function removeKey({ clientId, keyId }: { clientId: string; keyId: string }): Promise<void> {
    const { _id: recordId } = await findLiveRecord(clientId);
    const change = (keys: readonly ApiKey[]) => {
      const others = keys.filter(({ id }) => id !== keyId);
      if (others.length === keys.length) throw notFound(keyId, 'API key');
      return others;
    };
    await changeKeys({ system, recordId, change });
  }

  async function findRecord(clientId: string): Promise<Asset> {
    // A text that no record can hold is no value of a predicate either.
    if (findTextFlaw(clientId) !== undefined) throw notFound(clientId, 'API client');
    const query = { from: typeName, where: 'clientId = ?', values: [clientId] };
    const { items } = await system.find({ ...query, offset: 0, limit: 1, withCount: false }, {});
    const [record] = items;
    if (!record) throw notFound(clientId, 'API client');
    return record;
  }

  async function findLiveRecord(clientId: string): Promise<Asset> {
    const record = await findRecord(clientId);
    if (record.revokedAt !== undefined) throw notFound(clientId, 'API client');
    return record;
  }

  const revision = () => system.revision(typeName);
  return { list, get, create, update, rotate, revoke, addKey, removeKey, revision };
}

/** Who may change what clients are held to cannot be held to anything. */
function assertConsistent({ scopes = [], sites, endpoints }: ApiClientFields): void {
  if (!scopes.includes('admin') || !(sites || endpoints)) return;
  throw invalidBody([
    { path: 'scopes', message: 'cannot have admin for a client held to certain sites or endpoints' },
  ]);
}

/** Makes the first API client of an empty store; `undefined` when the store has clients already. */
export async function createFirstApiClient(
  clients: ApiClients,
  given: Partial<ApiCredentials>,
): Promise<ApiCredentials | undefined> {
  if ((await clients.list()).length > 0) return undefined;
  const scopes = ['cma:read', 'cma:write', 'graphql'];
  try {
    return await clients.create({ name: 'First client', scopes, recordId: firstRecordId, ...given });
  } catch (error) {
    // Another process starting on the same store was quicker.
    if (isDomainError(error, 'id_in_use')) return undefined;
    throw error;
  }
}

/** A write whose failure speaks of the client as those who manage it know it, and not of its record. */
async function inPublicWords<Outcome>(clientId: string, write: Promise<Outcome>): Promise<Outcome> {
  try {
    return await write;
  } catch (error) {
    if (isDomainError(error, 'invalid_body')) throw invalidBody(error.details.problems.map(toPublicProblem));
    if (isDomainError(error, 'precondition_failed')) throw preconditionFailed(clientId);
    throw error;
  }
}
