/**
 * Generates the bundled OpenAPI documents.
 */
import type { OpenApiDocument } from '../http/openapi-document.ts';
import type { Generator } from './generated-files.ts';

/** Makes `openapi/cma.json` and `openapi/admin.json`. */
export const generateOpenApi: Generator = ({ bundledCma, admin }) =>
  new Map([
    ['openapi/cma.json', toText(bundledCma)],
    ['openapi/admin.json', toText(admin)],
  ]);

const toText = (document: OpenApiDocument) => `${JSON.stringify(document, null, 2)}\n`;
