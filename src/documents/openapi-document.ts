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

/** A parsed OpenAPI document, which is also a JSON object. */
export type OpenApiDocument = Document & { paths: JsonObject; components: { schemas: JsonObject } };

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

/** Sets the server of a document; without a public URL it is `/`, the server that sends the document. */
export function withServer<Document extends object>(document: Document, publicUrl = '/'): Document {
  return { ...document, servers: [{ url: publicUrl }] };
}

const genericSchemas = ['Asset', 'Reference', 'AssetCreate', 'AssetUpdate'];

/**
 * Bundles a document with one schema for each content type of a catalog.
 *
 * Shapes: `source` is the parsed `openapi/cma.yaml` or `openapi/admin.yaml`, which is not changed. Examples of assets are
 * kept only if the catalog has their types.
 */
export function bundleDocument({
  source,
  catalog,
}: {
  source: OpenApiDocument;
  catalog: Catalog;
}): OpenApiDocument {
  const kept = Object.entries(source.components.schemas).filter(([name]) => !genericSchemas.includes(name));
  const schemas = {
    ...createAssetSchemas(
      catalog,
      [...kept.map(([name]) => name), ...operationTypeNames(source)],
      kept.map(([, schema]) => schema).filter(isJsonObject),
    ),
    ...Object.fromEntries(kept),
  };
  const paths = keepFittingExamples(source.paths, catalog);
  // The schemas are made as plain JSON, which the compiler does not recognize as OpenAPI's.
  return { ...source, paths, components: { ...source.components, schemas } } as OpenApiDocument;
}

/** Returns the type names that typed clients generate for operations, which content types must not use. */
function operationTypeNames({ paths }: OpenApiDocument): string[] {
  return Object.values(paths)
    .flatMap((item) => Object.values(Object(item)))
    .flatMap((operation) => Object(operation).operationId ?? [])
    .flatMap((id) => ['Data', 'Error', 'Errors', 'Response', 'Responses'].map((part) => id + part));
}

function keepFittingExamples<Value extends Json>(value: Value, catalog: Catalog): Value;
function keepFittingExamples(value: Json, catalog: Catalog): Json {
  if (Array.isArray(value)) return value.map((item) => keepFittingExamples(item, catalog));
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).map(([name, member]) => [
    name,
    name === 'examples' && isJsonObject(member)
      ? Object.fromEntries(Object.entries(member).filter(([, example]) => fits(example, catalog)))
      : keepFittingExamples(member, catalog),
  ]);
  return Object.fromEntries(members);
}

/** Tells whether every `_type` in an example belongs to the catalog. */
function fits(value: Json, catalog: Catalog): boolean {
  if (Array.isArray(value)) return value.every((item) => fits(item, catalog));
  if (!isJsonObject(value)) return true;
  const { _type: type } = value;
  if (typeof type === 'string' && !catalog.find(type)) return false;
  return Object.values(value).every((member) => fits(member, catalog));
}
