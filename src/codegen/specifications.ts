/**
 * Reads the OpenAPI documents from their YAML sources. All other code reads the JSON that is generated from them, because a
 * server loads JSON faster.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { checkFailed } from '../base/errors.ts';
import { packageRoot } from '../base/package-root.ts';
import type { OpenApiDocument } from '../documents/openapi-document.ts';
import type { Specifications } from './input.ts';

/** Reads `openapi/cma.yaml` and `openapi/admin.yaml`. Errors: check_failed, when an operation cannot be named in code. */
export const readSpecifications = (): Specifications => ({ cma: read('cma'), admin: read('admin') });

function read(name: keyof Specifications): OpenApiDocument {
  const path = `openapi/${name}.yaml`;
  const document: OpenApiDocument = parse(readFileSync(join(packageRoot, path), 'utf8'));
  const problems = findMisnamed(document).map((problem) => `${path}: ${problem}`);
  if (problems.length > 0) throw checkFailed(problems.join('\n'));
  return document;
}

/** Finds the operations whose ID cannot be the name of a handler and of a method of the client. */
function findMisnamed({ paths }: OpenApiDocument): string[] {
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(Object(item))
      .filter(([method]) => methods.includes(method))
      .map(([method, operation]) => ({ request: `${method.toUpperCase()} ${path}`, id: idOf(operation) })),
  );
  const ids = operations.map(({ id }) => id);
  return operations
    .filter(
      ({ id }, index) => !/^[a-z][A-Za-z0-9]*$/.test(id) || taken.includes(id) || ids.indexOf(id) < index,
    )
    .map(
      ({ request, id }) =>
        `${request} needs an operationId that no other operation has, that matches [a-z][A-Za-z0-9]*, and that is none of ${taken.join(', ')}; it has "${id}"`,
    );
}

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

const idOf = (operation: unknown) => String(Object(operation).operationId ?? '');

/** What `await` takes for a promise, what the generated class has, and what every object has. */
const taken = [
  'then',
  'client',
  ...Object.getOwnPropertyNames(Object.prototype).filter((name) => !name.startsWith('_')),
];
