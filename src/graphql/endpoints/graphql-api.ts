/**
 * The API of one GraphQL endpoint: its schema over the content it reads and writes, and the operations on it.
 */

import { LRUCache } from 'lru-cache';
import { badTypes, invalidParameter, isDomainError } from '../../base/errors.ts';
import type { Logger } from '../../base/runtime.ts';
import type { AssetFinder, Caller } from '../../content/reading/find-assets.ts';
import type { Asset, Catalog, ContentType } from '../../model/content-type.ts';
import { concreteTypes, restrictCatalog } from '../../types/restrict-catalog.ts';
import { createListChecker } from '../checks/check-lists.ts';
import { createFilterReader } from '../filters/read-filter.ts';
import type { GraphqlApi, PreparedOperation, RefusedDocument } from '../operation.ts';
import { createIntrospectionLimit } from '../operations/measure-introspection.ts';
import { prepareOperation } from '../operations/prepare-operation.ts';
import { listOperations } from '../operations/read-document.ts';
import type { RunnableSchema } from '../operations/run-operation.ts';
import { createInverseResolvers } from '../resolvers/inverse-resolvers.ts';
import type { WriteContent } from '../resolvers/mutation-resolvers.ts';
import { createRootReads } from '../resolvers/query-resolvers.ts';
import { createResponseBudget } from '../resolvers/response-budget.ts';
import { createRunContext, type FileLinks } from '../resolvers/run-context.ts';
import { type CheckedContent, createUnfitMarks } from '../resolvers/unfit-fields.ts';
import { createSchemaText, formatSchema } from '../schema/build-schema.ts';
import { createExecutableSchema } from '../schema/executable-schema.ts';
import type { GraphqlEndpoint, GraphqlEndpointDefinition } from './graphql-endpoint.ts';

interface ReleasedContent {
  readonly inRelease: (name: string, caller: Caller) => CheckedContent;
}

/**
 * Creates the API of a GraphQL endpoint.
 *
 * Shapes: `content` covers all types. `createFinder` creates the finder for the types that the endpoint reads, so that no query can
 * find, filter or sort by hidden ones. `maxAnswerBytes` limits the data of a response.
 * Errors: invalid_parameter when there is nothing to read.
 */
export function createGraphqlApi({
  definition,
  content,
  createFinder,
  maxAnswerBytes,
  files,
}: {
  definition: GraphqlEndpointDefinition;
  content: WriteContent & CheckedContent & ReleasedContent;
  createFinder: (catalog: Catalog) => AssetFinder;
  maxAnswerBytes: number;
  files: FileLinks;
}): GraphqlApi {
  const catalog = restrictCatalog(content.catalog, definition.readTypes);
  if (catalog.types.size === 0) throw invalidParameter('readTypes', 'names no content type that there is');
  const reads = { catalog, ...createFinder(catalog) };
  const writeTypes = findWriteTypes({ written: content.catalog, read: catalog, definition });
  const text = createSchemaText(catalog, { writes: writeTypes, limits: definition });
  const filters = createFilterReader(catalog);
  const reading = { reads, filters, limits: definition };
  const roots = createRootReads(reading);
  const inverses = createInverseResolvers(reading);
  const schema = createExecutableSchema({ text, reads, writes: content, writeTypes, roots, inverses });
  const runnable: RunnableSchema = {
    schema,
    roots,
    checkLists: createListChecker({ schema, catalog, filters, limits: definition }),
    limits: definition,
    introspection: definition.introspection,
    findIntrospectionExcess: createIntrospectionLimit(schema),
    catalog,
    filters,
    createContext({ caller, pick, reserved }, collector) {
      const { release } = caller;
      const unfit = createUnfitMarks(release === undefined ? content : content.inRelease(release, caller));
      // The asset is checked while it still has all its fields.
      const pickMarked = (asset: Asset) => {
        collector?.add(asset);
        return unfit.mark(asset, pick(asset));
      };
      const budget = createResponseBudget({ maxAnswerBytes, pick: pickMarked });
      return createRunContext(reads, { caller, budget, unfit, files, collector, reserved });
    },
  };
  let sdl: string | undefined;
  const documents = new LRUCache<string, PreparedOperation | RefusedDocument>(cacheLimits);
  return {
    get sdl() {
      sdl ??= formatSchema(schema);
      return sdl;
    },
    prepare(source, operationName) {
      const key = `${operationName?.length ?? ''} ${operationName ?? ''} ${source}`;
      const known = documents.get(key);
      if (known) return known;
      const prepared = prepareOperation(runnable, { source, operationName });
      documents.set(key, prepared);
      return prepared;
    },
    listOperations,
  };
}

/** Lists the writable types with all their fields, references to hidden types included. */
function findWriteTypes({
  written,
  read,
  definition,
}: {
  written: Catalog;
  read: Catalog;
  definition: GraphqlEndpointDefinition;
}): ContentType[] {
  const classes = concreteTypes(written, definition.writeTypes);
  return [...written.types.values()].filter((type) => classes.has(type.class) && read.types.has(type.class));
}

/** A parsed document takes up to two hundred times the memory of its text. */
const cacheLimits = {
  max: 500,
  maxSize: 500_000,
  // A long document must not drive out all others.
  maxEntrySize: 50_000,
  sizeCalculation: (_prepared: unknown, source: string) => source.length,
};

// Caches the APIs of GraphQL endpoints, one for each version of an endpoint.
//
// An endpoint that names types which the SDL no longer has serves its other types. One without any type left refuses every document
// with the reason, so that only the routes mapped onto it break.

/** The APIs of GraphQL endpoints. */
export interface GraphqlApis {
  /** Returns the API of an endpoint, the same one as long as its version is the same. */
  get(endpoint: GraphqlEndpoint): GraphqlApi;
  /** Builds the API of a definition that is not stored. */
  build(definition: GraphqlEndpointDefinition): GraphqlApi;
  /** Drops all APIs except those of the endpoints with these IDs. */
  keepOnly(ids: ReadonlySet<string>): void;
}

/** Creates the cache; `createApi` builds one API. */
export function createGraphqlApis({
  createApi,
  logger,
}: {
  createApi: (definition: GraphqlEndpointDefinition) => GraphqlApi;
  logger: Logger;
}): GraphqlApis {
  const known = new Map<string, { readonly version: string; readonly api: GraphqlApi }>();

  function get(endpoint: GraphqlEndpoint): GraphqlApi {
    const { id, version } = endpoint;
    const found = known.get(id);
    if (found?.version === version) return found.api;
    const api = build(endpoint);
    known.set(id, { version, api });
    return api;
  }

  function build(endpoint: GraphqlEndpointDefinition): GraphqlApi {
    try {
      return createApi(endpoint);
    } catch (err) {
      const { name } = endpoint;
      logger.error({ err, endpoint: name }, 'GraphQL endpoint is broken');
      const reason = isDomainError(err) ? `: ${err.message}` : '';
      return refuseAll(`GraphQL endpoint ${JSON.stringify(name)} is broken${reason}`);
    }
  }

  function keepOnly(ids: ReadonlySet<string>): void {
    for (const id of known.keys()) if (!ids.has(id)) known.delete(id);
  }

  return { get, build, keepOnly };
}

function refuseAll(message: string): GraphqlApi {
  const refused = {
    problems: [{ message, line: 1, column: 1 }],
    cause: badTypes([{ file: 'graphql', line: 1, column: 1, message }]),
  };
  return { sdl: '', prepare: () => refused, listOperations: () => refused };
}
