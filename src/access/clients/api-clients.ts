/**
 * API clients as records: created, listed, changed, given a new secret or more keys, revoked.
 *
 * A secret or a key is returned once, by the call that creates it, and stored as a hash. A revoked client keeps its record, so
 * that its ID cannot be used again; it can no longer be changed.
 */

import { invalidBody, isDomainError, notFound, preconditionFailed, storeBusy } from '../../base/errors.ts';
import type { Clock, IdSource } from '../../base/runtime.ts';
import type { ContentService, StoredAsset } from '../../content/content-service.ts';
import { findTextFlaw } from '../../model/values/scalars.ts';
import { findAll } from '../find-all-records.ts';
import {
  type ApiClient,
  type ApiClientFields,
  type ApiKey,
  isExpired,
  type NewApiKey,
  toApiClient,
  toKeyRecord,
  toPublicProblem,
  toRecordFields,
} from './api-client.ts';
import type { Scope } from './scopes.ts';
import { hashSecret } from './secret.ts';

export type { ApiClient, ApiKey } from './api-client.ts';

/** An API client to create; a missing ID or secret is generated. */
export interface NewApiClient extends ApiClientFields {
  readonly name: string;
  readonly scopes: readonly string[];
  readonly clientId?: string;
  readonly secret?: string;
  /** The `_id` of its record; when it is in use, `create` fails with id_in_use. */
  readonly recordId?: string;
}

/** The ID and the secret of a client; the secret is available here only. */
export interface ApiCredentials {
  readonly clientId: string;
  readonly secret: string;
}

/** An API client with the version of its record, from which its ETag is made. */
interface StoredApiClient extends ApiClient {
  readonly version: string;
}

/** A change of the fields given. `ifVersions` are the versions the caller may have seen; absent means any. */
export interface ApiClientUpdate {
  readonly clientId: string;
  readonly changes: ApiClientFields;
  readonly ifVersions?: readonly string[];
}

/** The records of all API clients. */
export type ApiClients = ReturnType<typeof createApiClients>;

/** One ID for the first client's record, so that of several processes only one can create it. */
const firstRecordId = '5c0b0c5e-7b1e-5f0e-9d55-0d6f2f6f0001';

/** Where the records are kept, and what new ones are made with. */
interface ClientContext {
  readonly system: ContentService;
  readonly clock: Clock;
  readonly ids: IdSource;
}

/** Creates the service, which keeps API clients in the system's content service. */
export function createApiClients(context: ClientContext) {
  const { system } = context;
  return {
    /** Lists all clients in the order of their records' IDs, revoked ones included. */
    list: async (): Promise<readonly ApiClient[]> =>
      (await findAll(system, clientType)).map(({ asset }) => toApiClient(asset)),
    /** Returns a client, revoked or not. Errors: not_found. */
    get: (clientId: string): Promise<StoredApiClient> => getClient(system, clientId),
    /** Errors: invalid_body, value_in_use when the ID is taken. */
    create: (client: NewApiClient): Promise<ApiCredentials> => createClient(context, client),
    /** Errors: not_found, invalid_body, precondition_failed. */
    update: (update: ApiClientUpdate): Promise<StoredApiClient> => updateClient(system, update),
    /** Replaces the secret of a client. Errors: not_found. */
    rotate: (clientId: string): Promise<ApiCredentials> => rotateSecret(context, clientId),
    /** Revokes a client and its keys for good. Errors: not_found. */
    revoke: (clientId: string): Promise<void> => revokeClient(context, clientId),
    /** Adds a key. Requests send its `secret`, which is available here only. Errors: not_found, invalid_body, store_busy. */
    addKey: (key: NewApiKey): Promise<{ key: ApiKey; secret: string }> => addKey(context, key),
    /** Errors: not_found for the client or the key, store_busy. */
    removeKey: (key: { clientId: string; keyId: string }): Promise<void> => removeKey(system, key),
    /** Returns a text that changes whenever any process has written a record. */
    revision: (): Promise<string> => system.revision(clientType),
  };
}

async function getClient(system: ContentService, clientId: string): Promise<StoredApiClient> {
  const { asset, version } = await getRecord(system, clientId);
  return { ...toApiClient(asset), version };
}

async function createClient(
  { system, ids }: ClientContext,
  { clientId, secret, recordId, ...fields }: NewApiClient,
): Promise<ApiCredentials> {
  assertUnrestrictedAdmin(fields);
  const credentials = { clientId: clientId ?? ids.assetId(), secret: secret ?? ids.secret() };
  const record = {
    _id: recordId,
    _type: clientType,
    ...toRecordFields(fields),
    clientId: credentials.clientId,
    secretHash: hashSecret(credentials.secret),
  };
  await withPublicErrors(credentials.clientId, system.create(record, {}));
  return credentials;
}

async function updateClient(
  system: ContentService,
  { clientId, changes, ifVersions }: ApiClientUpdate,
): Promise<StoredApiClient> {
  const { asset: present } = await getActiveRecord(system, clientId);
  assertUnrestrictedAdmin({ ...toApiClient(present), ...changes });
  const body = toRecordFields(changes);
  const updated = system.update({ id: present._id, body, ...(ifVersions ? { ifVersions } : {}) }, {});
  const { asset, version } = await withPublicErrors(clientId, updated);
  return { ...toApiClient(asset), version };
}

async function rotateSecret({ system, ids }: ClientContext, clientId: string): Promise<ApiCredentials> {
  const { asset } = await getActiveRecord(system, clientId);
  const secret = ids.secret();
  await system.update({ id: asset._id, body: { secretHash: hashSecret(secret) } }, {});
  return { clientId, secret };
}

async function revokeClient({ system, clock }: ClientContext, clientId: string): Promise<void> {
  const { asset } = await getActiveRecord(system, clientId);
  await system.update({ id: asset._id, body: { revokedAt: clock.nowMs() } }, {});
}

/** Refuses a restricted client with the scope admin: it could lift its own restrictions. Errors: invalid_body. */
function assertUnrestrictedAdmin({ scopes = [], sites, endpoints }: ApiClientFields): void {
  if (!scopes.includes('admin') || !(sites || endpoints)) return;
  throw invalidBody([
    { path: 'scopes', message: 'cannot have admin for a client held to certain sites or endpoints' },
  ]);
}

interface FirstScopes {
  readonly scopes?: readonly Scope[];
}

/** Creates the first API client of an empty store; `undefined` when the store has clients already. */
export async function createFirstApiClient(
  clients: ApiClients,
  { scopes = ['cma:read', 'cma:write', 'graphql'], ...given }: Partial<ApiCredentials> & FirstScopes,
): Promise<ApiCredentials | undefined> {
  if ((await clients.list()).length > 0) return undefined;
  const first = { name: 'First client', recordId: firstRecordId, ...given };
  try {
    return await clients.create({ ...first, scopes: [...scopes] });
  } catch (error) {
    // Another process, starting on the same store, was first.
    if (isDomainError(error, 'id_in_use')) return undefined;
    throw error;
  }
}

/** More than a client has keys: of simultaneous changes, at least one succeeds in each round. */
const maxAttempts = 30;

/** Adds a key, and returns it with its secret. Errors: not_found, invalid_body, store_busy. */
async function addKey(
  { system, clock, ids }: { system: ContentService; clock: Clock; ids: IdSource },
  { clientId, name, expiresAtMs }: NewApiKey,
): Promise<{ key: ApiKey; secret: string }> {
  const createdAtMs = clock.nowMs();
  const expiry = expiresAtMs === undefined ? {} : { expiresAtMs };
  if (isExpired(expiry, createdAtMs))
    throw invalidBody([{ path: 'expiresAt', message: 'must be in the future' }]);
  const { asset } = await getActiveRecord(system, clientId);
  const secret = ids.secret();
  const key = { id: ids.assetId(), name, keyHash: hashSecret(secret), createdAtMs, ...expiry };
  const change = (keys: readonly ApiKey[]) => [...keys, key];
  await withPublicErrors(clientId, changeKeys({ system, recordId: asset._id, change }));
  return { key, secret };
}

/** Removes a key. Errors: not_found for the client or the key, store_busy. */
async function removeKey(
  system: ContentService,
  { clientId, keyId }: { clientId: string; keyId: string },
): Promise<void> {
  const { asset } = await getActiveRecord(system, clientId);
  const change = (keys: readonly ApiKey[]) => {
    const others = keys.filter(({ id }) => id !== keyId);
    if (others.length === keys.length) throw notFound(keyId, 'API key');
    return others;
  };
  await changeKeys({ system, recordId: asset._id, change });
}

/**
 * Writes what `change` makes of the present keys; calls it again when another write came first. Errors: invalid_body, store_busy.
 */
async function changeKeys({
  system,
  recordId,
  change,
}: {
  system: ContentService;
  recordId: string;
  change: (keys: readonly ApiKey[]) => readonly ApiKey[];
}): Promise<void> {
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const { asset, version } = await system.get(recordId, {});
    const keys = change(toApiClient(asset).keys).map(toKeyRecord);
    try {
      await system.update({ id: recordId, body: { keys }, ifVersions: [version] }, {});
      return;
    } catch (error) {
      if (!isDomainError(error, 'precondition_failed')) throw error;
    }
  }
  throw storeBusy('others keep changing this API client');
}

/** The content type of the records. */
const clientType = 'com.colophon.system.ApiClient';

/** Returns the record of a client, revoked or not. Errors: not_found. */
async function getRecord(system: ContentService, clientId: string): Promise<StoredAsset> {
  // A text that no record can hold is no valid value of a predicate either.
  if (findTextFlaw(clientId) !== undefined) throw notFound(clientId, 'API client');
  const query = { from: clientType, where: 'clientId = ?', values: [clientId] };
  const { items } = await system.find({ ...query, offset: 0, limit: 1, withCount: false }, {});
  const [record] = items;
  if (!record) throw notFound(clientId, 'API client');
  return record;
}

/** Returns the record of a client that is not revoked. Errors: not_found. */
async function getActiveRecord(system: ContentService, clientId: string): Promise<StoredAsset> {
  const record = await getRecord(system, clientId);
  if (record.asset.revokedAt !== undefined) throw notFound(clientId, 'API client');
  return record;
}

/** Waits for a write of a record; its errors name the client by its ID, and the fields as the admin API does. */
async function withPublicErrors<Outcome>(clientId: string, write: Promise<Outcome>): Promise<Outcome> {
  try {
    return await write;
  } catch (error) {
    if (isDomainError(error, 'invalid_body')) throw invalidBody(error.details.problems.map(toPublicProblem));
    if (isDomainError(error, 'precondition_failed')) throw preconditionFailed(clientId);
    throw error;
  }
}
