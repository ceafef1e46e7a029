/**
 * Builds what keeps Colophon's own records: API clients, users, GraphQL endpoints and REST endpoints.
 *
 * The command line works on them without a server; an instance serves what they say.
 */
import { type ApiClients, createApiClients } from '../access/clients/api-clients.ts';
import {
  createIdempotentRequests,
  type IdempotentRequests,
} from '../access/idempotency/idempotent-requests.ts';
import { loadSystemTypes, storedCatalog } from '../access/system-types.ts';
import { createUsers, type Users } from '../access/users/users.ts';
import type { Clock, IdSource, Logger } from '../base/runtime.ts';
import { type ContentService, createContentService } from '../content/content-service.ts';
import { createAssetFinder } from '../content/reading/find-assets.ts';
import { createGraphqlApi } from '../graphql/endpoints/graphql-api.ts';
import { createGraphqlApis, type GraphqlApis } from '../graphql/endpoints/graphql-apis.ts';
import { createGraphqlEndpoints, type GraphqlEndpoints } from '../graphql/endpoints/graphql-endpoints.ts';
import { checkMappings, type DriftReport } from '../mapping/checks/check-drift.ts';
import { reservedPaths } from '../mapping/checks/naming.ts';
import { findDependents } from '../mapping/records/rest-endpoint-record.ts';
import { createRestEndpoints, type RestEndpoints } from '../mapping/records/rest-endpoints.ts';
import { boundLines } from '../model/compare-catalogs.ts';
import type { Catalog } from '../model/content-type.ts';
import { openStore } from '../store/open-store.ts';
import type { ContentStore } from '../store/port.ts';
import { type ChosenTypes, populatedWithContent } from './chosen-types.ts';
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
  readonly requests: IdempotentRequests;
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
 * Opens the store for its endpoints; documents are checked against the content types given. Errors: store_busy, store_failure.
 */
export async function composeEndpoints(
  config: Config,
  runtime: Runtime,
  catalog: Catalog,
): Promise<Open<EndpointRecords>> {
  const { store, system } = await openSystem(config, runtime);
  const content = createContentService({ ...runtime, catalog, store, rules: config });
  return { ...createEndpoints({ config, runtime, store, system, content }), close: store.close };
}

/** Content, and what to know before it is changed. */
export interface OpenContent extends ContentRecords {
  /** What the store, opened for writing, does not do for these types. */
  readonly warnings: readonly string[];
}

/**
 * Opens the store for its content. It is taken as it is, but for one that is new: opened for writing, it is made fit for the types.
 *
 * Errors: bad_types, bad_config, store_busy, store_failure.
 */
export async function composeContent(
  config: Config,
  runtime: Runtime,
  { chosen, isReadOnly }: { chosen: ChosenTypes; isReadOnly: boolean },
): Promise<Open<OpenContent>> {
  const { logger } = runtime;
  const { catalog } = chosen;
  const stored = storedCatalog(loadSystemTypes(), catalog);
  const store = await openStore({ ...config, catalog: stored, logger, isReadOnly });
  try {
    const warnings = isReadOnly ? [] : await prepareToWrite(store, chosen);
    const content = createContentService({ ...runtime, catalog, store, rules: config });
    const requests = createRequests(createSystem(store, runtime), runtime);
    return { content, requests, warnings, close: store.close };
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function prepareToWrite(store: ContentStore, { types, known }: ChosenTypes): Promise<string[]> {
  if (!known.served && populatedWithContent(known).length === 0) {
    await store.serve(types);
    return [];
  }
  const unenforced = (await store.findUnenforced()).map(({ type, field }) => `${type} ${field}`);
  return [
    ...(known.served
      ? []
      : ['this store remembers no types, since no server of this version has served it yet']),
    ...(unenforced.length === 0
      ? []
      : [
          [
            'nothing keeps these fields unique until a server has been started:',
            ...boundLines(unenforced),
          ].join('\n  '),
        ]),
  ];
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
export function createRequests(system: ContentService, runtime: Runtime): IdempotentRequests {
  return createIdempotentRequests({ system, ...runtime });
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
        maxAnswerBytes: config.maxAnswerBytes,
      }),
    logger,
  });
  const graphqlEndpoints = createGraphqlEndpoints({
    system,
    catalog,
    findUsers: (id) => findDependents(system, id),
  });
  const restEndpoints: RestEndpoints = createRestEndpoints({
    system,
    clock,
    graphqlEndpoints,
    apis,
    systemPaths: [...reservedPaths, config.cmaPath],
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
  try {
    await store.prepare();
  } catch (error) {
    await store.close();
    throw error;
  }
  return { store, system: createSystem(store, runtime) };
}
