/**
 * Generates the OpenAPI documents in JSON.
 */
import type { OpenApiDocument } from '../documents/openapi-document.ts';
import type { JsonObject } from '../model/content-type.ts';
import type { RouteDocument } from './client/route-document.ts';
import type { Generator } from './generated-files.ts';

/**
 * Generates `openapi/cma.json` and `openapi/admin.json`; in `server/` the same documents without content types, for the server;
 * and `openapi/routes.json` with the documents of REST endpoints, which codegen can read again.
 */
export const generateOpenApi: Generator = ({ cma, bundledCma, admin, bundledAdmin, endpoints }) =>
  new Map([
    ['openapi/cma.json', toText(bundledCma)],
    ['openapi/admin.json', toText(bundledAdmin)],
    ['server/cma.json', toText(cma)],
    ['server/admin.json', toText(admin)],
    ...(endpoints ? [routesFile(endpoints)] : []),
  ]);

const routesFile = (endpoints: readonly RouteDocument[]): [string, string] => [
  'openapi/routes.json',
  toText(endpoints.map(({ document }) => document)),
];

const toText = (document: OpenApiDocument | readonly JsonObject[]) =>
  `${JSON.stringify(document, null, 2)}\n`;
