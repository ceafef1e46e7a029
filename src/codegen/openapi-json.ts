/**
 * Generates the bundled OpenAPI documents.
 */
import type { Generator } from './generated-files.ts';

/** Makes `openapi/cma.json`. */
export const generateOpenApi: Generator = ({ bundledCma }) =>
  new Map([['openapi/cma.json', `${JSON.stringify(bundledCma, null, 2)}\n`]]);
