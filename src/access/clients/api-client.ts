/**
 * An API client as data, and how it lies in its record.
 */
import type { Problem } from '../../base/errors.ts';
import type { Asset, JsonObject } from '../../model/content-type.ts';
import { isJsonObject } from '../../model/validate-asset.ts';
import { isScope, type Scope, scopes } from './scopes.ts';

/** An external program with an ID, a secret, keys and scopes. */
export interface ApiClient {
  readonly clientId: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** IDs of the only sites whose assets are there for it; absent means all assets. */
  readonly sites?: readonly string[];
  /** IDs of the only GraphQL endpoints it may use; absent means all. */
  readonly endpoints?: readonly string[];
  readonly secretHash: string;
  readonly keys: readonly ApiKey[];
  /** Absent while it may come in. */
  readonly revokedAtMs?: number;
}

/** The longest ID that a client may have, in characters. */
export const maxClientIdLength = 100;

/** A key of an API client, which lets it in where an endpoint asks for a key. */
export interface ApiKey {
  readonly id: string;
  readonly name: string;
  readonly keyHash: string;
  readonly createdAtMs: number;
}

/** What may be said of an API client by those who manage it; null for `sites` or `endpoints` means all of them. */
export interface ApiClientFields {
  readonly name?: string;
  readonly scopes?: readonly string[];
  readonly sites?: readonly string[] | null;
  readonly endpoints?: readonly string[] | null;
}

const siteType = 'com.colophon.cms.db.Site';
const endpointType = 'com.colophon.system.GraphqlEndpoint';

/** Reads a record that the content service has validated when it was written. */
export function toApiClient(record: Asset): ApiClient {
  const { sites, endpoints, revokedAt } = record;
  return {
    clientId: String(record.clientId),
    name: String(record.name),
    secretHash: String(record.secretHash),
    scopes: distinct(listOf(record.scopes).map(String)).filter(isScope),
    keys: listOf(record.keys).filter(isJsonObject).map(toApiKey),
    ...(sites === undefined ? {} : { sites: refsOf(sites) }),
    ...(endpoints === undefined ? {} : { endpoints: refsOf(endpoints) }),
    ...(typeof revokedAt === 'number' ? { revokedAtMs: revokedAt } : {}),
  };
}

function toApiKey({ id, name, keyHash, createdAt }: JsonObject): ApiKey {
  return { id: String(id), name: String(name), keyHash: String(keyHash), createdAtMs: Number(createdAt) };
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const distinct = (texts: readonly string[]) => [...new Set(texts)];

const refsOf = (value: unknown) =>
  distinct(
    listOf(value)
      .filter(isJsonObject)
      .map(({ _ref }) => String(_ref)),
  );

/** The members of a record that say this; what is not given stays undefined. */
export function toRecordFields({ name, scopes, sites, endpoints }: ApiClientFields): object {
  return {
    name,
    scopes,
    sites: sites && toReferences(sites, siteType),
    endpoints: endpoints && toReferences(endpoints, endpointType),
  };
}

const toReferences = (ids: readonly string[], className: string) =>
  ids.map((id) => ({ _ref: id, _type: className }));

/** A key as it lies in the record of its client. */
export function toKeyRecord({ createdAtMs, ...key }: ApiKey): JsonObject {
  return { ...key, createdAt: createdAtMs };
}

/** A problem of a record, in the words of those who manage API clients: `sites[0]._ref` is `sites[0]` to them. */
export function toPublicProblem({ path, message }: Problem): Problem {
  if (path.startsWith('scopes[')) return { path, message: `must be one of ${scopes.join(', ')}` };
  if (path.endsWith('._type')) return { path: path.slice(0, -6), message: 'is the ID of something else' };
  return { path: path.replace(/^keys\[\d+\]\.|\._ref$/, ''), message };
}
