/**
 * The OpenAPI documents as they are written, in YAML. All else reads what is generated of them, which costs a server a third of
 * the time to start.
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
