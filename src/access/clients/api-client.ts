/**
 * An API client as plain data, and its conversion from and to its record.
 */
import type { Problem } from '../../base/errors.ts';
import { type Asset, type JsonObject, siteClass } from '../../model/content-type.ts';
import { isJsonObject } from '../../model/values/validate-asset.ts';
import { isScope, type Scope, scopes } from './scopes.ts';

/** An external program with an ID, a secret, keys and scopes. */
export interface ApiClient {
  readonly clientId: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** IDs of the sites that it is restricted to; absent means all assets. */
  readonly sites?: readonly string[];
  /** IDs of the GraphQL endpoints that it is restricted to; absent means all. */
  readonly endpoints?: readonly string[];
  readonly secretHash: string;
  readonly keys: readonly ApiKey[];
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  /** When it was revoked; absent while it is active. */
  readonly revokedAtMs?: number;
}

/** The maximum length of a client ID, in characters. */
export const maxClientIdLength = 100;

/** A key of an API client, for endpoints whose access is API_KEY. */
export interface ApiKey {
  readonly id: string;
  readonly name: string;
  readonly keyHash: string;
  readonly createdAtMs: number;
  /** When it stops working; absent means never. */
  readonly expiresAtMs?: number;
}

/** Tells whether a key has stopped working. */
export function isExpired({ expiresAtMs }: Pick<ApiKey, 'expiresAtMs'>, nowMs: number): boolean {
  return expiresAtMs !== undefined && expiresAtMs <= nowMs;
}

export interface NewApiKey {
  readonly clientId: string;
  readonly name: string;
  /** When it stops working; absent means never. */
  readonly expiresAtMs?: number;
}

/** The fields of an API client that its managers may set; null for `sites` or `endpoints` means all of them. */
export interface ApiClientFields {
  readonly name?: string;
  readonly scopes?: readonly string[];
  readonly sites?: readonly string[] | null;
  readonly endpoints?: readonly string[] | null;
}

const endpointType = 'com.colophon.system.GraphqlEndpoint';

/** Converts a record, which the content service validated when it was written. */
export function toApiClient(record: Asset): ApiClient {
  const { sites, endpoints, revokedAt } = record;
  return {
    clientId: String(record.clientId),
    name: String(record.name),
    secretHash: String(record.secretHash),
    scopes: distinct(listOf(record.scopes).map(String)).filter(isScope),
    keys: listOf(record.keys).filter(isJsonObject).map(toApiKey),
    createdAtMs: Number(record['cms.content.publishDate']),
    updatedAtMs: Number(record['cms.content.updateDate']),
    ...(sites === undefined ? {} : { sites: refsOf(sites) }),
    ...(endpoints === undefined ? {} : { endpoints: refsOf(endpoints) }),
    ...(typeof revokedAt === 'number' ? { revokedAtMs: revokedAt } : {}),
  };
}

function toApiKey({ id, name, keyHash, createdAt, expiresAt }: JsonObject): ApiKey {
  return {
    id: String(id),
    name: String(name),
    keyHash: String(keyHash),
    createdAtMs: Number(createdAt),
    ...(typeof expiresAt === 'number' ? { expiresAtMs: expiresAt } : {}),
  };
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const distinct = (texts: readonly string[]) => [...new Set(texts)];

const refsOf = (value: unknown) =>
  distinct(
    listOf(value)
      .filter(isJsonObject)
      .map(({ _ref }) => String(_ref)),
  );

/** Converts fields to members of a record; fields not given stay undefined. */
export function toRecordFields({ name, scopes, sites, endpoints }: ApiClientFields): object {
  return {
    name,
    scopes,
    sites: sites && toReferences(sites, siteClass),
    endpoints: endpoints && toReferences(endpoints, endpointType),
  };
}

const toReferences = (ids: readonly string[], className: string) =>
  ids.map((id) => ({ _ref: id, _type: className }));

/** Converts a key to its form in the record of its client. */
export function toKeyRecord({ createdAtMs, expiresAtMs, ...key }: ApiKey): JsonObject {
  return {
    ...key,
    createdAt: createdAtMs,
    ...(expiresAtMs === undefined ? {} : { expiresAt: expiresAtMs }),
  };
}

/** Converts a problem of a record to the terms of the admin API, where `sites[0]._ref` is `sites[0]`. */
export function toPublicProblem({ path, message }: Problem): Problem {
  if (path.startsWith('scopes[')) return { path, message: `must be one of ${scopes.join(', ')}` };
  if (path.endsWith('._type')) return { path: path.slice(0, -6), message: 'is the ID of something else' };
  return { path: path.replace(/^keys\[\d+\]\.|\._ref$/, ''), message };
}
