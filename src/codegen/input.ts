/**
 * The input of all generators, read once.
 */
import { readVersion } from '../base/package-root.ts';
import {
  bundleDocument,
  type OpenApiDocument,
  readAdminDocument,
  readCmaDocument,
} from '../documents/openapi-document.ts';
import type { Catalog } from '../model/content-type.ts';
import { loadTypes } from '../types/load-types.ts';
import { readTypeSources, shippedTypesFolder } from '../types/type-sources.ts';
import type { RouteDocument } from './client/read-endpoints.ts';

/** The OpenAPI documents. */
export interface Specifications {
  /** `openapi/cma.yaml` as written. */
  readonly cma: OpenApiDocument;
  /** `openapi/admin.yaml`. */
  readonly admin: OpenApiDocument;
}

/** The input of the generators. */
export interface CodegenInput extends Specifications {
  /** Colophon's version, which the client shares. */
  readonly version: string;
  readonly catalog: Catalog;
  /** `openapi/cma.yaml` with a schema for each content type. */
  readonly bundledCma: OpenApiDocument;
  /** `openapi/admin.yaml` with the same schemas. */
  readonly bundledAdmin: OpenApiDocument;
  /** The published REST endpoints whose routes the client has; without them it has no routes. */
  readonly endpoints?: readonly RouteDocument[];
}

/** Reads the input; by default the shipped content types and the generated documents. Errors: bad_types. */
export function readInput(
  catalog: Catalog = loadTypes(readTypeSources(shippedTypesFolder)),
  { cma, admin }: Specifications = { cma: readCmaDocument(), admin: readAdminDocument() },
): CodegenInput {
  const bundledCma = bundleDocument({ source: cma, catalog });
  const bundledAdmin = bundleDocument({ source: admin, catalog });
  return { version: readVersion(), catalog, cma, bundledCma, admin, bundledAdmin };
}
