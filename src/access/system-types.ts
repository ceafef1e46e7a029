/**
 * The content types of Colophon's own records (system records), which are validated, stored and versioned like all content. They
 * form a separate catalog, which the CMA and the GraphQL endpoints cannot see.
 */

import { badTypes } from '../base/errors.ts';
import { createCatalog } from '../model/catalog.ts';
import type { Catalog, ContentType, UnloggedParts } from '../model/content-type.ts';
import { loadTypes } from '../types/load-types.ts';
import { readSuppliedSources, type TypeSource } from '../types/type-sources.ts';
import { corsType } from './allowed-origins.ts';
import { scopes } from './clients/scopes.ts';
import { erasureProgressType } from './erasure-progress.ts';
import { releaseTypes, runType } from './release-types.ts';
import { userTypes } from './users/user-types.ts';
import { webhookTypes } from './webhook-types.ts';

const trustedDocumentTypes = /* GraphQL */ `
  "The documents that clients of a GraphQL endpoint may run by their IDs; its ID is made from that of the endpoint."
  type TrustedDocuments @contentType(class: "com.colophon.system.TrustedDocuments") {
    "The ID of the endpoint."
    endpoint: String!
    count: Int!
    documents: [TrustedDocument!]!
  }

  type TrustedDocument {
    "SHA-256 of the text, in hexadecimal."
    hash: String!
    "The names of its operations."
    name: String
    text: String!
    storedAt: EpochMillis!
  }
`;

const fileTypes = /* GraphQL */ `
  "A file, whose bytes lie in the place of files; its ID is made from the hash."
  type StoredFile @contentType(class: "com.colophon.system.StoredFile") {
    "SHA-256 of the bytes, in hexadecimal."
    hash: String!
    "The random key of the bytes in the place of files."
    key: String! @indexed
    "That of the last upload, for lists, and for values that are written without a name."
    name: String! @indexed @searchable
    "What the bytes tell; application/octet-stream if nothing."
    mediaType: String! @indexed
    bytes: Int!
    "The size of a picture in pixels, as it is shown."
    width: Int
    height: Int
    "When it was uploaded last."
    uploadedAt: EpochMillis! @indexed
    "When it was found unused; absent when it is used, or was not looked at."
    unusedSince: EpochMillis @indexed
  }

  "An asset whose values or history may name a file; its ID is made from both."
  type FileUse @contentType(class: "com.colophon.system.FileUse") {
    hash: String! @indexed
    "The asset's _id."
    asset: ID! @indexed
  }
`;

/** By GraphQL name, the records that are no decisions of people, and all secrets. */
const unloggedParts: Readonly<Record<string, UnloggedParts>> = {
  ApiClient: { secrets: ['secretHash', 'keys'] },
  User: { secrets: ['passwordHash', 'invitationHash'] },
  Session: 'all',
  SavedView: 'all',
  Presence: 'all',
  KnownDevice: 'all',
  FailedAttempts: 'all',
  FinishedSignIn: 'all',
  KeyedRequest: 'all',
  TrustedDocuments: { secrets: ['documents'] },
  RouteClaim: 'all',
  RestEndpointVersion: 'all',
  Run: 'all',
  Usage: 'all',
  StoredFile: 'all',
  FileUse: 'all',
  ErasureProgress: 'all',
  Release: 'all',
  PreviewLink: { secrets: ['tokenHash'] },
  Webhook: { secrets: ['secret', 'formerSecret', 'purgeSecrets'] },
  WebhookCursor: 'all',
  WebhookHeldAsset: 'all',
  WebhookDelivery: 'all',
  WebhookLease: 'all',
};

// The content types of Colophon's own records (system records), which are validated, stored and versioned like all content. They
// form a separate catalog, which the CMA and the GraphQL endpoints cannot see.

/** The beginning of the class names of all system records. */
export const systemPrefix = 'com.colophon.system.';

const systemTypes = /* GraphQL */ `
  "A program that may use the APIs."
  type ApiClient @contentType(class: "com.colophon.system.ApiClient") {
    name: String! @constraint(minLength: 1, maxLength: 100)
    clientId: String! @indexed(unique: true) @constraint(pattern: "^[\\\\x21-\\\\x7e]+$", maxLength: 100)
    "SHA-256 of the secret, in hexadecimal."
    secretHash: String!
    scopes: [String!]! @constraint(minItems: 1, pattern: "^(${scopes.join('|')})$")
    "The sites that it is restricted to; absent means all assets."
    sites: [Site!] @constraint(minItems: 1)
    "The GraphQL endpoints it may use, and the REST endpoints mapped onto them; absent means all."
    endpoints: [GraphqlEndpoint!] @constraint(minItems: 1)
    keys: [ApiKey!] @constraint(maxItems: 20)
    "When it was revoked; absent means it is active."
    revokedAt: EpochMillis
  }

  type ApiKey {
    id: ID!
    name: String! @constraint(minLength: 1, maxLength: 100)
    "SHA-256 of the key, in hexadecimal."
    keyHash: String!
    createdAt: EpochMillis!
    "When it stops working; absent means never."
    expiresAt: EpochMillis
  }

${userTypes}
  "How many attempts to sign in failed for one account, address or device; its ID is made from the hash of these."
  type FailedAttempts @contentType(class: "com.colophon.system.FailedAttempts") {
    count: Int!
    lastAt: EpochMillis!
    expiresAt: EpochMillis! @indexed
  }

  "The idempotency record of a request; its ID is made from the sender and its key."
  type KeyedRequest @contentType(class: "com.colophon.system.KeyedRequest") {
    "SHA-256 of the operation and its body, in hexadecimal."
    fingerprint: String!
    "What the pre-assigned IDs of its writes are derived from."
    seed: String!
    reservedAt: EpochMillis!
    expiresAt: EpochMillis! @indexed
    "The run that holds the lease; absent when none does."
    holder: String
    "How long waiting runs have seen no sign of the holder, in milliseconds; a sign removes it."
    quietMs: Int
    "The response, once there is one."
    answer: JSON
    "The assets that the response contains, by their _ids. Without a response, one of them was erased."
    assets: [ID!] @indexed
  }

  enum Access { ANYONE API_KEY CLIENT_CREDENTIALS }

${corsType}
  type GraphqlEndpoint @contentType(class: "com.colophon.system.GraphqlEndpoint") {
    name: String! @indexed(unique: true) @constraint(minLength: 1, maxLength: 100)
    path: String! @indexed(unique: true) @constraint(pattern: "^[A-Za-z0-9_-]+$", maxLength: 100)
    readTypes: [String!]! @constraint(minItems: 1)
    writeTypes: [String!]!
    access: Access!
    defaultLimit: Int! @constraint(min: 0)
    maxLimit: Int! @constraint(min: 1, max: 1000)
    introspection: Boolean!
    "Whether it runs only the documents that are stored for it."
    trustedOnly: Boolean!
    "Whether requests may ask for the content of a release."
    preview: Boolean
    cors: Cors
    "Set while it is being deleted; stays when a deletion is interrupted, until a REST endpoint is created onto it."
    deleting: Boolean
  }

  enum RestAccess { INHERIT ANYONE API_KEY CLIENT_CREDENTIALS }

  enum MappingMethod { GET POST PUT DELETE }

  type Mapping {
    name: String! @constraint(minLength: 1, maxLength: 100)
    path: String! @constraint(maxLength: 500)
    methods: [MappingMethod!]! @constraint(minItems: 1)
    query: String! @constraint(minLength: 1, maxLength: 100000)
    cacheSeconds: Int! @constraint(min: 0, max: 31536000)
    "JSON Pointers into the data."
    notFound: String @constraint(minLength: 1, maxLength: 500)
    result: String @constraint(minLength: 1, maxLength: 500)
    "Whether agents can use its query as a tool."
    tool: Boolean
  }

  type RestEndpointDefinition {
    name: String! @constraint(minLength: 1, maxLength: 100)
    pathPrefix: String! @constraint(minLength: 1, maxLength: 500)
    "The ID of a GraphQL endpoint; a past version may name a deleted one."
    source: ID! @indexed
    access: RestAccess!
    disableParameterSlashSyntax: Boolean!
    preview: Boolean
    cors: Cors
    "The name of the header with the cache tags."
    cacheTags: String @constraint(minLength: 1, maxLength: 64)
    mappings: [Mapping!]!
  }

  enum VersionAction { SAVED PUBLISHED UNPUBLISHED RESTORED }

  type RestEndpoint @contentType(class: "com.colophon.system.RestEndpoint") {
    "The name of the draft, which is that of the endpoint."
    name: String! @indexed(unique: true)
    number: Int!
    action: VersionAction!
    savedAt: EpochMillis!
    savedBy: String!
    draft: RestEndpointDefinition!
    published: RestEndpointDefinition
    "The number of the version that published it."
    publishedNumber: Int
  }

  "The claim of a REST endpoint to a route that it serves, or is being published to serve."
  type RouteClaim @contentType(class: "com.colophon.system.RouteClaim") {
    "A method and a path, such as GET /api/news/article or GET /api/news/{}."
    route: String! @indexed(unique: true)
    endpointId: String! @indexed
    claimedAt: EpochMillis!
  }

  "A past version of a REST endpoint."
  type RestEndpointVersion @contentType(class: "com.colophon.system.RestEndpointVersion") {
    "The endpoint's ID, a slash and the number, so that no version is stored twice."
    key: String! @indexed(unique: true)
    endpointId: String! @indexed
    number: Int!
    action: VersionAction!
    savedAt: EpochMillis!
    savedBy: String!
    definition: RestEndpointDefinition!
  }

  "How often an API client has used a route on a day; its ID is made from these."
  type Usage @contentType(class: "com.colophon.system.Usage") {
    "Days since 1970, in UTC."
    day: Int! @indexed
    method: String!
    route: String!
    "Absent for requests without an API client."
    clientId: String
    "The ID of the API key; absent for requests with other credentials."
    keyId: String
    requests: Float!
    errors: Float!
    totalMs: Float!
    "How many of the requests have used which content types; absent for routes that are not counted by type."
    types: [UsedType!]
  }

  type UsedType {
    "Class name."
    type: String!
    requests: Float!
  }

${runType}
${trustedDocumentTypes}
${fileTypes}
${erasureProgressType}
${releaseTypes}
${webhookTypes}`;

/** Returns the SDL of system records, with that of the types that every catalog has. */
export const readSystemSources = (): TypeSource[] => [
  ...readSuppliedSources(),
  { file: 'system.graphql', text: systemTypes },
];

/** Loads the catalog of system records, with the types that every catalog has, such as `Site`, which they reference. */
export function loadSystemTypes(): Catalog {
  const loaded = loadTypes(readSystemSources(), { isValid: true });
  return createCatalog(
    allTypes(loaded).map((type) => {
      const parts = isRecord(type) ? unloggedParts[type.name] : undefined;
      return parts ? { ...type, unlogged: parts } : type;
    }),
  );
}

/**
 * Creates the catalog that a store is opened with: system records, and the content types of users if given.
 *
 * Opened without `content`, a store leaves content alone, `Site` included: users may have given that type other fields.
 * Errors: bad_types when a user's type has a class name under `com.colophon.system`.
 */
export function storedCatalog(system: Catalog, content?: Catalog): Catalog {
  const written = content ? allTypes(content) : [];
  const intruder = written.find(isRecord);
  if (intruder) {
    const message = `class name ${intruder.class}: ${systemPrefix}* belongs to Colophon`;
    throw badTypes([{ file: 'graphql', line: 1, column: 1, message }]);
  }
  return createCatalog([...written, ...allTypes(system).filter(isRecord)]);
}

const allTypes = ({ types, interfaces }: Catalog) => [...types.values(), ...interfaces.values()];

const isRecord = (type: ContentType) => type.class.startsWith(systemPrefix);
