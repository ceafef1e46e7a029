/**
 * Reads the OpenAPI documents of `openapi/` from their generated JSON, and bundles them for one catalog.
 *
 * The written documents describe assets in general, and requests are validated against them. The bundled documents have a schema
 * for each content type, for readers and typed clients; `asset-schemas.ts` builds those schemas.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Document } from 'openapi-backend';
import { packageRoot } from '../base/package-root.ts';
import type { Catalog, Json, JsonObject } from '../model/content-type.ts';
import { isJsonObject } from '../model/values/validate-asset.ts';
import { createAssetSchemas } from './asset-schemas.ts';
import { listOperations, mapDocument } from './document-parts.ts';

/** A parsed OpenAPI document, which is also a JSON object. */
export type OpenApiDocument = Document & {
  paths: JsonObject;
  /** What the server sends to receivers. */
  webhooks?: JsonObject;
  components: { schemas: JsonObject };
};

/** The base path in `openapi/cma.yaml`. */
export const documentedCmaPath = '/api/rest/cma/contents';

/** The base path of the admin API. */
export const adminPath = '/api/admin';

/** Reads the document of `openapi/cma.yaml`. */
export const readCmaDocument = () => readDocument('server/cma.json');

/** Reads the document of `openapi/admin.yaml`. */
export const readAdminDocument = () => readDocument('server/admin.json');

function readDocument(path: string): OpenApiDocument {
  return JSON.parse(readFileSync(join(packageRoot, 'generated', path), 'utf8'));
}

/** Returns the base path of a CMA document, which is the path of its operation `queryAssets`. */
export function cmaPathOf({ paths }: OpenApiDocument): string {
  const found = Object.entries(paths).find(
    ([, item]) => Object(Object(item).get).operationId === 'queryAssets',
  );
  return found?.[0] ?? documentedCmaPath;
}

/** Moves a CMA document to another base path, such as `/contents`. */
export function moveCmaDocument(document: OpenApiDocument, basePath: string): OpenApiDocument {
  const present = cmaPathOf(document);
  const paths = Object.entries(document.paths).map(([path, item]) => [
    path === present || path.startsWith(`${present}/`) ? basePath + path.slice(present.length) : path,
    item,
  ]);
  return { ...document, paths: Object.fromEntries(paths) };
}

/** Moves a document below the path of a public URL, such as `/cms`, or leaves it where that is empty. */
export function moveDocument(document: OpenApiDocument, basePath: string): OpenApiDocument {
  const paths = Object.entries(document.paths).map(([path, item]) => [
    path.startsWith('/') ? basePath + path : path,
    item,
  ]);
  return { ...document, paths: Object.fromEntries(paths) };
}

/** Sets the server of a document; without a public URL it is `/`, the server that sends the document. */
export function withServer<Document extends object>(document: Document, publicUrl = '/'): Document {
  return { ...document, servers: [{ url: publicUrl }] };
}

/** The documents of both APIs for one installation. */
export interface BundledDocuments {
  readonly cma: OpenApiDocument;
  readonly admin: OpenApiDocument;
}

/** Returns a function that bundles the documents at its first call: few servers are asked for them. */
export function createBundles({
  cma,
  catalog,
  publicUrl,
}: {
  cma: OpenApiDocument;
  catalog: Catalog;
  publicUrl: string | undefined;
}): () => BundledDocuments {
  const bundle = (source: OpenApiDocument) => withServer(bundleDocument({ source, catalog }), publicUrl);
  let documents: BundledDocuments | undefined;
  return () => {
    documents ??= { cma: bundle(cma), admin: bundle(readAdminDocument()) };
    return documents;
  };
}

const genericSchemas = ['Asset', 'Reference', 'AssetCreate', 'AssetUpdate'];

/**
 * Bundles a document with one schema for each content type of a catalog.
 *
 * Shapes: `source` is the parsed `openapi/cma.yaml` or `openapi/admin.yaml`, which is not changed. Examples of assets are
 * kept only if they fit the types of the catalog.
 */
export function bundleDocument({
  source,
  catalog,
}: {
  source: OpenApiDocument;
  catalog: Catalog;
}): OpenApiDocument {
  const kept = Object.entries(source.components.schemas).filter(([name]) => !genericSchemas.includes(name));
  const { parameters = {}, responses = {} } = source.components;
  const schemas = {
    ...createAssetSchemas(
      catalog,
      // Generators make types of parameters and responses as well.
      [
        ...[...kept.map(([name]) => name), ...Object.keys(parameters), ...Object.keys(responses)],
        ...operationTypeNames(source),
      ],
      kept.map(([, schema]) => schema).filter(isJsonObject),
    ),
    ...Object.fromEntries(kept),
  };
  const { components, ...rest } = source;
  // Both are plain JSON, which the compiler does not recognize as OpenAPI's.
  const document = { ...rest, components: { ...components, schemas } } as OpenApiDocument;
  return keepFittingExamples(document, catalog);
}

/** Returns the type names that typed clients generate for operations, which content types must not use. */
function operationTypeNames({ paths, webhooks = {} }: OpenApiDocument): string[] {
  const names = (items: JsonObject, parts: readonly string[]) =>
    listOperations({ paths: items }).flatMap(({ operationId }) => parts.map((part) => operationId + part));
  return [
    ...names(paths, ['Data', 'Error', 'Errors', 'Response', 'Responses']),
    ...names(webhooks, ['WebhookPayload', 'WebhookRequest']),
    'Webhooks',
  ];
}

/** Removes examples that do not fit a catalog. The examples in schemas are lists, and made from the catalog. */
const keepFittingExamples = (document: OpenApiDocument, catalog: Catalog) =>
  mapDocument(document, (object) => {
    const { examples, ...others } = object;
    if (!isJsonObject(examples)) return object;
    const fitting = Object.entries(examples).filter(([, example]) => fits(example, catalog));
    return fitting.length > 0 ? { ...object, examples: Object.fromEntries(fitting) } : others;
  });

/** Tells whether every `_type` in an example belongs to the catalog. */
function fits(value: Json, catalog: Catalog): boolean {
  if (Array.isArray(value)) return value.every((item) => fits(item, catalog));
  if (!isJsonObject(value)) return true;
  const { _type: type } = value;
  if (typeof type === 'string' && !catalog.find(type)) return false;
  return Object.values(value).every((member) => fits(member, catalog));
}
