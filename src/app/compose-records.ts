/**
 * Builds what keeps Colophon's own records: API clients, users, GraphQL endpoints and REST endpoints.
 *
 * The command line works on them without a server; an instance serves what they say.
 */
import { type ApiClients, createApiClients } from '../access/api-clients.ts';
import { createKeyedRequests, type KeyedRequests } from '../access/keyed-requests.ts';
import { loadSystemTypes, storedCatalog } from '../access/system-types.ts';
import { createUsers, type Users } from '../access/users.ts';
import type { Clock, IdSource, Logger } from '../base/runtime.ts';
import { type ContentService, createContentService } from '../content/content-service.ts';
import { createAssetFinder } from '../content/find-assets.ts';
import { createGraphqlApi } from '../graphql/graphql-api.ts';
import { createGraphqlApis, type GraphqlApis } from '../graphql/graphql-apis.ts';
import { createGraphqlEndpoints, type GraphqlEndpoints } from '../graphql/graphql-endpoints.ts';
import { checkMappings, type DriftReport } from '../mapping/check-drift.ts';
import { ownPaths } from '../mapping/naming.ts';
import { findMappedOnto } from '../mapping/rest-endpoint-record.ts';
import { createRestEndpoints, type RestEndpoints } from '../mapping/rest-endpoints.ts';
import { loadTypes } from '../model/load-types.ts';
import { readTypeSources } from '../model/type-sources.ts';
import { openStore } from '../store/open-store.ts';
import type { ContentStore } from '../store/port.ts';
import type { Config } from './config.ts';

/** What the outside world lends to an instance. */
export interface Runtime {
  readonly logger: Logger;
  readonly clock: Clock;
  readonly ids: IdSource;
}

/** Who may come in to a store. */
export interface AccessRecords {
  readonly clients: ApiClients;
  readonly users: Users;
}

/** What a store says is to be served. */
export interface EndpointRecords {
  readonly graphqlEndpoints: GraphqlEndpoints;
  readonly restEndpoints: RestEndpoints;
  /** The schemas of the GraphQL endpoints. */
  readonly apis: GraphqlApis;
  /** Checks every mapping against the content types of this process. */
  checkMappings(): Promise<DriftReport>;
}

/** What users write, and what keeps it from being written twice. */
export interface ContentRecords {
  readonly content: ContentService;
  readonly requests: KeyedRequests;
}

/** Opened on a store, to be closed. */
type Open<Records> = Records & { close(): Promise<void> };

/**
 * Opens the store for its API clients and users alone, whatever its content types are. Errors: store_busy, store_failure.
 */
export async function composeAccess(config: Config, runtime: Runtime): Promise<Open<AccessRecords>> {
  const { store, system } = await openSystem(config, runtime);
  return { ...createAccess(system, runtime), close: store.close };
}

/**
 * Opens the store for its endpoints. The content types are read to check documents against; the store's indexes are left as the
 * server has them. Errors: bad_types, store_busy, store_failure.
 */
export async function composeEndpoints(config: Config, runtime: Runtime): Promise<Open<EndpointRecords>> {
  const catalog = loadTypes(readTypeSources(config.typesDir));
  const { store, system } = await openSystem(config, runtime);
  const content = createContentService({ ...runtime, catalog, store, rules: config });
  return { ...createEndpoints({ config, runtime, store, system, content }), close: store.close };
}

/**
 * Opens the store for its content, as a server would. Errors: bad_types, store_busy, store_failure.
 */
export async function composeContent(config: Config, runtime: Runtime): Promise<Open<ContentRecords>> {
  const catalog = loadTypes(readTypeSources(config.typesDir));
  const { logger } = runtime;
  const store = await openStore({ ...config, catalog: storedCatalog(loadSystemTypes(), catalog), logger });
  const content = createContentService({ ...runtime, catalog, store, rules: config });
  const requests = createRequests(createSystem(store, runtime), runtime);
  return { content, requests, close: store.close };
}

/** The content service of Colophon's own records. */
export function createSystem(store: ContentStore, runtime: Runtime): ContentService {
  const rules = { siteOwnerRequired: false, referencesChecked: true };
  return createContentService({ ...runtime, catalog: loadSystemTypes(), store, rules });
}

/** Makes the services of API clients and users. */
export function createAccess(system: ContentService, { clock, ids }: Runtime): AccessRecords {
  return { clients: createApiClients({ system, clock, ids }), users: createUsers({ system, ids }) };
}

/** Makes the service of requests that may be sent again. */
export function createRequests(system: ContentService, runtime: Runtime): KeyedRequests {
  return createKeyedRequests({ system, ...runtime });
}

/** Makes the services of GraphQL and REST endpoints over the content given. */
export function createEndpoints({
  config,
  runtime: { clock, logger },
  store,
  system,
  content,
}: {
  config: Config;
  runtime: Runtime;
  store: ContentStore;
  system: ContentService;
  content: ContentService;
}): EndpointRecords {
  const { catalog } = content;
  const apis = createGraphqlApis({
    createApi: (definition) =>
      createGraphqlApi({
        definition,
        content,
        createFinder: (cut) => createAssetFinder({ catalog: cut, store }),
      }),
    logger,
  });
  const graphqlEndpoints = createGraphqlEndpoints({
    system,
    catalog,
    findUsers: (id) => findMappedOnto(system, id),
  });
  const restEndpoints: RestEndpoints = createRestEndpoints({
    system,
    clock,
    graphqlEndpoints,
    apis,
    systemPaths: [...ownPaths, config.cmaPath],
  });
  return {
    graphqlEndpoints,
    restEndpoints,
    apis,
    checkMappings: () => checkMappings({ graphqlEndpoints, restEndpoints, apis }),
  };
}

async function openSystem(config: Config, runtime: Runtime) {
  const { logger } = runtime;
  const store = await openStore({ ...config, catalog: storedCatalog(loadSystemTypes()), logger });
  return { store, system: createSystem(store, runtime) };
}
