/**
 * The API of one GraphQL endpoint: its schema over the content it reads and writes, and the operations on it.
 */
import { LRUCache } from 'lru-cache';
import { invalidParameter } from '../../base/errors.ts';
import type { AssetFinder, Caller } from '../../content/reading/find-assets.ts';
import type { Asset, Catalog, ContentType } from '../../model/content-type.ts';
import { concreteTypes, restrictCatalog } from '../../model/types/restrict-catalog.ts';
import { createListChecker } from '../checks/check-lists.ts';
import { createFilterReader } from '../filters/read-filter.ts';
import type { GraphqlApi, PreparedOperation, RefusedDocument } from '../operation.ts';
import { createIntrospectionLimit } from '../operations/measure-introspection.ts';
import { prepareOperation } from '../operations/prepare-operation.ts';
import { listOperations } from '../operations/read-document.ts';
import type { RunnableSchema } from '../operations/run-operation.ts';
import type { FileLinks } from '../resolvers/file-links.ts';
import { createInverseResolvers } from '../resolvers/inverse-resolvers.ts';
import type { WriteContent } from '../resolvers/mutation-resolvers.ts';
import { createRootReads } from '../resolvers/query-resolvers.ts';
import { createResponseBudget } from '../resolvers/response-budget.ts';
import { createRunContext } from '../resolvers/run-context.ts';
import { type CheckedContent, createUnfitMarks } from '../resolvers/unfit-fields.ts';
import { createSchemaText, formatSchema } from '../schema/build-schema.ts';
import { createExecutableSchema } from '../schema/executable-schema.ts';
import type { GraphqlEndpointDefinition } from './graphql-endpoint.ts';

/** Content that has releases. */
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
