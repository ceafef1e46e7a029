/**
 * Builds the services of system records: API clients, users, GraphQL endpoints and REST endpoints.
 *
 * The command line uses them without a server; an instance serves what they define.
 */
import { type AuditLog, createAuditLog } from '../../access/audit/audit-log.ts';
import { type ApiClients, createApiClients } from '../../access/clients/api-clients.ts';
import {
  createIdempotentRequests,
  type IdempotentRequests,
} from '../../access/idempotency/idempotent-requests.ts';
import { createRunLedger } from '../../access/runs/run-ledger.ts';
import { createRunRecords } from '../../access/runs/run-records.ts';
import { createRuns, type Runs } from '../../access/runs/runs.ts';
import { loadSystemTypes, storedCatalog } from '../../access/system-types.ts';
import { createInvitations, type Invitations } from '../../access/users/invitations.ts';
import type { PasswordCost } from '../../access/users/password.ts';
import { createUsers, type Users } from '../../access/users/users.ts';
import type { RequestOrigins } from '../../base/request-origin.ts';
import type { Clock, IdSource, Logger } from '../../base/runtime.ts';
import { attributeCalls } from '../../content/attribute-calls.ts';
import { createChangeReader } from '../../content/changes/read-changes.ts';
import { type ContentService, createContentService } from '../../content/content-service.ts';
import type { ContentRules } from '../../content/prepare-write.ts';
import { createGraphqlApi } from '../../graphql/endpoints/graphql-api.ts';
import { createGraphqlApis, type GraphqlApis } from '../../graphql/endpoints/graphql-apis.ts';
import { createGraphqlEndpoints, type GraphqlEndpoints } from '../../graphql/endpoints/graphql-endpoints.ts';
import { checkMappings, type DriftReport } from '../../mapping/checks/check-drift.ts';
import { reservedPaths } from '../../mapping/checks/naming.ts';
import { findDependents } from '../../mapping/records/rest-endpoint-record.ts';
import { createRestEndpoints, type RestEndpoints } from '../../mapping/records/rest-endpoints.ts';
import type { Catalog } from '../../model/content-type.ts';
import { openStore } from '../../store/open-store.ts';
import type { ContentStore } from '../../store/port.ts';
import type { Config } from '../config/config.ts';

/** The log, the clock, the source of identifiers and the origins of requests that an instance uses. */
export interface Runtime {
  readonly logger: Logger;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly origins: RequestOrigins;
  /** What new password hashes cost; less in tests. */
  readonly passwordCost?: PasswordCost;
}

/** The services that know who may access a store. */
export interface AccessRecords {
  readonly clients: ApiClients;
  readonly users: Users;
  readonly invitations: Invitations;
}

/** The services of the endpoints that a store defines. */
export interface EndpointRecords {
  readonly graphqlEndpoints: GraphqlEndpoints;
  readonly restEndpoints: RestEndpoints;
  /** The schemas of the GraphQL endpoints. */
  readonly apis: GraphqlApis;
  /** Checks every mapping against the content types of this process. */
  checkMappings(): Promise<DriftReport>;
}

/** The content, the runs that write it, and the audit of all changes of the store. */
export interface ContentRecords {
  readonly content: ContentService;
  readonly runs: Runs;
  readonly audit: AuditLog;
}

/** How to open a store for its system records. */
export interface OpenOptions {
  /** Whether the caller only reads: the store is not prepared for system records then. */
  readonly isReadOnly?: boolean;
}

/** Services on an open store, which their user closes. */
export type Open<Records> = Records & { close(): Promise<void> };

/**
 * Opens the store for its API clients and users only, independently of its content types. Errors: store_busy, store_failure.
 */
export async function composeAccess(
  config: Config,
  runtime: Runtime,
  options: OpenOptions = {},
): Promise<Open<AccessRecords>> {
  const { store, system } = await openSystem(config, runtime, options);
  return { ...createAccess(system, runtime), close: store.close };
}

/**
 * Opens the store for its endpoints, whose documents are checked against the given content types. Errors: store_busy, store_failure.
 */
export async function composeEndpoints(
  config: Config,
  runtime: Runtime,
  { catalog, ...options }: OpenOptions & { readonly catalog: Catalog },
): Promise<Open<EndpointRecords>> {
  const { store, system } = await openSystem(config, runtime, options);
  const content = createContentService({ ...runtime, catalog, store, rules: config });
  return { ...createEndpoints({ config, runtime, system, content }), close: store.close };
}

/** Creates the content service of system records. */
export function createSystem(store: ContentStore, runtime: Runtime): ContentService {
  const rules = { siteOwnerRequired: false, referencesChecked: true };
  return createContentService({ ...runtime, catalog: loadSystemTypes(), store, rules });
}

/** Creates the content service of users' types, the service of the runs that write in it, and the audit. */
export function createContent(
  parts: { catalog: Catalog; store: ContentStore; system: ContentService; rules: ContentRules },
  runtime: Runtime,
): ContentRecords {
  const { store, system, catalog } = parts;
  const { changes: isLogged } = store.capabilities;
  const records = createRunRecords(parts.system);
  const ledger = createRunLedger({ records, runEntries: parts.system.runEntries, ...runtime });
  const content = createContentService({ ...parts, ...runtime, runs: ledger });
  const runs = createRuns({ ...parts, ...runtime, isLogged, content, records, ledger });
  const reader = createChangeReader(attributeCalls(store, runtime));
  const audit = createAuditLog({ reader, catalogs: [catalog, system.catalog] });
  return { content, runs, audit };
}

/** Creates the services of API clients and users. */
export function createAccess(system: ContentService, runtime: Runtime): AccessRecords {
  const own = { system, ...runtime };
  return { clients: createApiClients(own), users: createUsers(own), invitations: createInvitations(own) };
}

/** Creates the service of idempotent requests. */
export function createRequests(system: ContentService, runtime: Runtime): IdempotentRequests {
  return createIdempotentRequests({ system, ...runtime });
}

/** Creates the services of the GraphQL and REST endpoints for the given content. */
export function createEndpoints({
  config,
  runtime: { clock, logger },
  system,
  content,
}: {
  config: Config;
  runtime: Runtime;
  system: ContentService;
  content: ContentService;
}): EndpointRecords {
  const { catalog } = content;
  const apis = createGraphqlApis({
    createApi: (definition) =>
      createGraphqlApi({
        definition,
        content,
        createFinder: content.finderOf,
        maxAnswerBytes: config.maxAnswerBytes,
      }),
    logger,
  });
  const graphqlEndpoints = createGraphqlEndpoints({
    system,
    catalog,
    findDependents: (id) => findDependents(system, id),
  });
  const restEndpoints: RestEndpoints = createRestEndpoints({
    system,
    clock,
    graphqlEndpoints,
    apis,
    systemPaths: [...reservedPaths, config.cmaPath, ...(config.basePath === '' ? [] : [config.basePath])],
  });
  return {
    graphqlEndpoints,
    restEndpoints,
    apis,
    checkMappings: () => checkMappings({ graphqlEndpoints, restEndpoints, apis }),
  };
}

async function openSystem(config: Config, runtime: Runtime, { isReadOnly = false }: OpenOptions) {
  const { logger } = runtime;
  const catalog = storedCatalog(loadSystemTypes());
  const store = await openStore({ ...config, catalog, logger, isReadOnly });
  try {
    if (!isReadOnly) await store.prepare();
  } catch (error) {
    await store.close();
    throw error;
  }
  return { store, system: createSystem(store, runtime) };
}
