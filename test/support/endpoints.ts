/** GraphQL and REST endpoints over a test's own store, wired as in an instance. */

import { storedCatalog } from '../../src/access/system-types.ts';
import { type Logger, silentLogger } from '../../src/base/runtime.ts';
import type { ContentService } from '../../src/content/content-service.ts';
import { createAssetFinder } from '../../src/content/reading/find-assets.ts';
import { createDocumentReader } from '../../src/graphql/documents/served-documents.ts';
import {
  createTrustedDocuments,
  type TrustedDocuments,
} from '../../src/graphql/documents/trusted-documents.ts';
import {
  createGraphqlApi,
  createGraphqlApis,
  type GraphqlApis,
} from '../../src/graphql/endpoints/graphql-api.ts';
import {
  createGraphqlEndpoints,
  type GraphqlEndpoints,
} from '../../src/graphql/endpoints/graphql-endpoints.ts';
import { createFileLinks } from '../../src/graphql/resolvers/run-context.ts';
import { reservedPaths } from '../../src/mapping/checks/naming.ts';
import { findDependents } from '../../src/mapping/records/rest-endpoint.ts';
import { createRestEndpoints, type RestEndpoints } from '../../src/mapping/records/rest-endpoints.ts';
import { createPublishedApis, type PublishedApis } from '../../src/mapping/routes/published-apis.ts';
import type { Catalog } from '../../src/model/content-type.ts';
import { contentOver, openStoreAt } from './content.ts';
import { closeAfterFile } from './opened.ts';
import { createFakeClock, type FakeClock } from './runtime.ts';
import type { StoreLocation } from './stores.ts';
import { catalogOf, systemCatalog } from './types.ts';

/** Endpoints for a test, and what they are built from. */
export interface OpenedEndpoints {
  readonly system: ContentService;
  readonly clock: FakeClock;
  readonly graphqlEndpoints: GraphqlEndpoints;
  readonly trustedDocuments: TrustedDocuments;
  readonly restEndpoints: RestEndpoints;
  readonly apis: GraphqlApis;
  /** Opens the published APIs; `close` stops them. */
  openPublishedApis(logger?: Logger, basePath?: string): Promise<PublishedApis>;
  /** Deletes all endpoints with their versions. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

/** Articles with authors; `Author` implements the interface `Person`. */
export const newsSdl = `
interface Person @contentType(class: "news.Person") { name: String! }
interface Unused @contentType(class: "news.Unused") { name: String }
type Author implements Person @contentType(class: "news.Author") { name: String! }
type Article @contentType(class: "news.Article") { headline: String! words: Int author: Author }
`;

/** Opens the endpoints of a store; `sdl` declares the content types. */
export async function openEndpoints(location: StoreLocation, sdl = newsSdl): Promise<OpenedEndpoints> {
  const [catalog, systemTypes] = [catalogOf(sdl), systemCatalog()];
  const stored = storedCatalog(systemTypes, catalog);
  const store = await openStoreAt(location, stored);
  const clock = createFakeClock(1000);
  const system = contentOver(systemTypes, store, { clock });
  const content = contentOver(catalog, store, { clock });
  const createFinder = (subset: Catalog) => createAssetFinder({ catalog: subset, store });
  const trustedDocuments = createTrustedDocuments({ system, clock });
  const graphqlEndpoints = createGraphqlEndpoints({
    system,
    catalog,
    documents: trustedDocuments,
    findDependents: (id) => findDependents(system, id),
  });
  const apisFor = (logger: Logger) =>
    createGraphqlApis({
      createApi: (definition) =>
        createGraphqlApi({
          files: createFileLinks({ server: 'https://cms.example.com', imageSizes: [320, 640] }),
          definition,
          content,
          createFinder,
          maxAnswerBytes: 1_000_000,
        }),
      logger,
    });
  const apis = apisFor(silentLogger);
  const systemPaths = [...reservedPaths, '/api/cma'];
  const allPublished: PublishedApis[] = [];
  const restEndpoints = createRestEndpoints({ system, clock, graphqlEndpoints, apis, systemPaths });
  return {
    system,
    clock,
    graphqlEndpoints,
    trustedDocuments,
    restEndpoints,
    apis,
    async openPublishedApis(logger = silentLogger, basePath = '') {
      const publishedApis = await createPublishedApis({
        graphqlEndpoints,
        restEndpoints,
        documents: createDocumentReader(trustedDocuments),
        apis: apisFor(logger),
        logger,
        basePath,
      });
      allPublished.push(publishedApis);
      return publishedApis;
    },
    async clear() {
      for (const { id } of await restEndpoints.list()) await restEndpoints.delete({ id });
      for (const { id } of await graphqlEndpoints.list()) await graphqlEndpoints.delete({ id });
    },
    close: closeAfterFile(async () => {
      await Promise.all(allPublished.map((publishedApis) => publishedApis.stop()));
      await store.close();
    }),
  };
}

/** Returns the error that a promise rejects with; fails when it resolves. */
export async function errorOf(promise: Promise<unknown>): Promise<{ code?: string; details?: unknown }> {
  try {
    await promise;
  } catch (error) {
    return Object(error);
  }
  throw new Error('nothing was refused');
}
