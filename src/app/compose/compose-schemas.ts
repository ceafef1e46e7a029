/**
 * Builds the APIs of GraphQL endpoints for a catalog without a store: their documents can be checked and described, not run.
 */

import { randomIds, silentLogger, systemClock } from '../../base/runtime.ts';
import { createContentService } from '../../content/content-service.ts';
import {
  createGraphqlApi,
  createGraphqlApis,
  type GraphqlApis,
} from '../../graphql/endpoints/graphql-api.ts';
import { createFileLinks } from '../../graphql/resolvers/run-context.ts';
import type { Catalog } from '../../model/content-type.ts';
import type { ContentStore } from '../../store/port.ts';

export function createSchemas(catalog: Catalog): GraphqlApis {
  const content = createContentService({
    catalog,
    store,
    clock: systemClock,
    ids: randomIds,
    rules: { siteOwnerRequired: false, referencesChecked: false },
  });
  return createGraphqlApis({
    createApi: (definition) =>
      createGraphqlApi({
        definition,
        content,
        createFinder: content.finderOf,
        maxAnswerBytes: 0,
        files: createFileLinks({ server: '', imageSizes: [] }),
      }),
    logger: silentLogger,
  });
}

// Building schemas, and checking and describing documents, calls nothing of the store.
const store = { texts: {} } as ContentStore;
