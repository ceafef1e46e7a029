/**
 * Generates the client's modules about the content management API beside the types of openapi-ts: the method and path of each
 * operation, and the content types that each class name covers.
 */

import { otherNamesOf } from '../../documents/field-schemas.ts';
import { documentedCmaPath, type OpenApiDocument } from '../../documents/openapi-document.ts';
import type { Catalog } from '../../model/content-type.ts';
import { type GeneratedFiles, generatedNotice } from '../generated-files.ts';

/** Makes `cma/operations.gen.ts` and `cma/classes.gen.ts`. */
export function generateCmaModules({
  cma,
  catalog,
}: {
  cma: OpenApiDocument;
  catalog: Catalog;
}): GeneratedFiles {
  return new Map([
    ['cma/operations.gen.ts', operationsModule(cma)],
    ['cma/classes.gen.ts', classesModule(catalog)],
  ]);
}

function operationsModule({ paths }: OpenApiDocument): string {
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(Object(item)).flatMap(([method, operation]) => {
      const { operationId } = Object(operation);
      if (operationId === undefined) return [];
      const place = { method: method.toUpperCase(), path: path.slice(documentedCmaPath.length) };
      return [`    ${operationId}: ${JSON.stringify(place)},`];
    }),
  );
  return `// ${generatedNotice}

/** The base path of the content management API, unless an installation has another. */
export const basePath = '${documentedCmaPath}';

/** The operations: their methods, and their paths behind the base path. */
export const operations = {
${operations.join('\n')}
} as const;
`;
}

function classesModule(catalog: Catalog): string {
  const types = [...catalog.types.values(), ...catalog.interfaces.values()];
  const members = types.flatMap((type) => {
    const classes = catalog.concrete(type).map((name) => JSON.stringify(name));
    const union = classes.length === 0 ? 'never' : classes.join(' | ');
    return [type.class, ...otherNamesOf(type)].map((name) => `    ${JSON.stringify(name)}: ${union};`);
  });
  return `// ${generatedNotice}

/** The classes of the assets that are found from each class name and type ID, former ones included. */
export interface ClassesFrom {
${members.join('\n')}
}
`;
}
