/**
 * Builds the services of system records: API clients, users, GraphQL endpoints and REST endpoints.
 *
 * `compose-commands.ts` uses them without a server; an instance serves what they define.
 */
import { type ActivityReader, createActivityReader } from '../../access/audit/activity.ts';
import { type AuditLog, createAuditLog } from '../../access/audit/audit-log.ts';
import { type ApiClients, createApiClients } from '../../access/clients/api-clients.ts';
import {
  createIdempotentRequests,
  type IdempotentRequests,
} from '../../access/idempotency/idempotent-requests.ts';
import { createRunLedger, createRunRecords } from '../../access/runs/run-records.ts';
import { createRuns, type Runs } from '../../access/runs/runs.ts';
import { loadSystemTypes, storedCatalog } from '../../access/system-types.ts';
import { createInvitations, type Invitations } from '../../access/users/invitations.ts';
import { createUsers, type Users } from '../../access/users/users.ts';
import type { Logger } from '../../base/runtime.ts';
import { attributeCalls } from '../../content/attribute-calls.ts';
import { createChangeReader } from '../../content/changes/follow-changes.ts';
import { type ContentService, createContentService } from '../../content/content-service.ts';
import type { DeletedContent } from '../../content/erasure/erase-asset.ts';
import type { UnseenConflicts } from '../../content/overlay/unseen-conflicts.ts';
import type { ContentRules } from '../../content/prepare-write.ts';
import { createTitleFinder, type TitleFinder } from '../../content/reading/find-titles.ts';
import { createTrustedDocuments, type TrustedDocuments } from '../../graphql/documents/trusted-documents.ts';
import {
  createGraphqlApi,
  createGraphqlApis,
  type GraphqlApis,
} from '../../graphql/endpoints/graphql-api.ts';
import { createGraphqlEndpoints, type GraphqlEndpoints } from '../../graphql/endpoints/graphql-endpoints.ts';
import { createFileLinks } from '../../graphql/resolvers/run-context.ts';
import { checkMappings, type DriftReport } from '../../mapping/checks/check-drift.ts';
import { reservedPaths } from '../../mapping/checks/naming.ts';
import { findDependents } from '../../mapping/records/rest-endpoint.ts';
import { createRestEndpoints, type RestEndpoints } from '../../mapping/records/rest-endpoints.ts';
import type { Catalog } from '../../model/content-type.ts';
import { openStore } from '../../store/open-store.ts';
import type { ContentStore } from '../../store/port.ts';
import type { Config } from '../config/config.ts';
import type { Runtime } from './runtime.ts';

/** The services that know who may access a store. */
export interface AccessRecords {
  readonly clients: ApiClients;
  readonly users: Users;
  readonly invitations: Invitations;
}

/** The services of the endpoints that a store defines. */
export interface EndpointRecords {
  readonly graphqlEndpoints: GraphqlEndpoints;
  readonly trustedDocuments: TrustedDocuments;
  readonly restEndpoints: RestEndpoints;
  /** The schemas of the GraphQL endpoints. */
  readonly apis: GraphqlApis;
  /** Checks every mapping and every trusted document against the content types of this process. */
  checkMappings(): Promise<DriftReport>;
}

/** The content with its titles, the runs that write it, the audit of all changes of the store, and those of content for editors. */
export interface ContentRecords {
  readonly content: ContentService;
  readonly runs: Runs;
  readonly audit: AuditLog;
  readonly activity: ActivityReader;
  readonly titles: TitleFinder;
}

/** How to open a store for its system records. */
export interface OpenOptions {
  /** Whether the caller only reads: the store is not prepared for system records then. */
  readonly isReadOnly?: boolean;
}

/** Opens the configured store for content types, or for system records alone. Errors: bad_config, store_busy, store_failure. */
export function openConfigured(
  { dataDir, mongodbUrl, queryMs }: Config,
  {
    catalog,
    logger,
    isReadOnly = false,
  }: OpenOptions & { readonly catalog?: Catalog; readonly logger: Logger },
): Promise<ContentStore> {
  const stored = storedCatalog(loadSystemTypes(), catalog);
  return openStore({ dataDir, mongodbUrl, queryMs, catalog: stored, logger, isReadOnly });
}

/** Creates the content service of system records; `catalog` has their types. */
export function createSystem(
  store: ContentStore,
  { clock, ids, origins, logger }: Runtime,
  catalog = loadSystemTypes(),
): ContentService {
  const rules = { siteOwnerRequired: false, referencesChecked: true };
  return createContentService({ catalog, store, clock, ids, origins, logger, rules });
}

/** Creates the content service of users' types, the service of the runs that write in it, and the audit. */
export function createContent(
  {
    catalog,
    store,
    system,
    rules,
    unseenConflicts,
    deleted,
  }: {
    catalog: Catalog;
    store: ContentStore;
    system: ContentService;
    rules: ContentRules;
    unseenConflicts?: UnseenConflicts;
    deleted?: DeletedContent | undefined;
  },
  { clock, ids, origins, logger }: Runtime,
): ContentRecords {
  const { changes: isLogged } = store.capabilities;
  const records = createRunRecords(system);
  const ledger = createRunLedger({ records, runEntries: system.runEntries, clock });
  const content = createContentService({
    catalog,
    store,
    clock,
    ids,
    origins,
    runs: ledger,
    ...(unseenConflicts && { unseenConflicts }),
    logger,
    rules,
    ...(deleted && { deleted }),
  });
  const runs = createRuns({ records, ledger, system, content, isLogged, origins, clock, ids, logger });
  const reader = createChangeReader(attributeCalls(store, { origins, clock }));
  const audit = createAuditLog({ reader, catalogs: [catalog, system.catalog] });
  const titles = createTitleFinder({ content, clock });
  const activity = createActivityReader({ reader, catalog, system, titles });
  return { content, runs, audit, activity, titles };
}

/** Creates the services of API clients and users. */
export function createAccess(
  system: ContentService,
  { clock, ids, origins, passwordCost }: Runtime,
): AccessRecords {
  return {
    clients: createApiClients({ system, clock, ids }),
    users: createUsers({ system, clock, ids, passwordCost }),
    invitations: createInvitations({ system, clock, ids, origins, passwordCost }),
  };
}

export const createRequests = (system: ContentService, { clock, ids, logger }: Runtime): IdempotentRequests =>
  createIdempotentRequests({ system, clock, ids, logger });

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
  const files = createFileLinks({
    server: config.publicUrl ?? '',
    imageSizes: config.imageSizes,
  });
  const apis = createGraphqlApis({
    createApi: (definition) =>
      createGraphqlApi({
        definition,
        content,
        createFinder: content.finderOf,
        maxAnswerBytes: config.maxAnswerBytes,
        files,
      }),
    logger,
  });
  const trustedDocuments = createTrustedDocuments({ system, clock });
  const graphqlEndpoints = createGraphqlEndpoints({
    system,
    catalog,
    documents: trustedDocuments,
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
    trustedDocuments,
    restEndpoints,
    apis,
    checkMappings: () => checkMappings({ graphqlEndpoints, trustedDocuments, restEndpoints, apis }),
  };
}
