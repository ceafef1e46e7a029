/**
 * Reads the OpenAPI documents from their YAML sources. All other code reads the JSON that is generated from them, because a
 * server loads JSON faster.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { packageRoot } from '../base/package-root.ts';
import type { OpenApiDocument } from '../documents/openapi-document.ts';
import type { Specifications } from './input.ts';

/** Reads `openapi/cma.yaml` and `openapi/admin.yaml`. */
export const readSpecifications = (): Specifications => ({ cma: read('cma'), admin: read('admin') });

function read(name: keyof Specifications): OpenApiDocument {
  return parse(readFileSync(join(packageRoot, `openapi/${name}.yaml`), 'utf8'));
}
