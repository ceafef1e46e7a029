/**
 * Generates the client's modules about the content management API beside those of openapi-ts: what a sender has to know of each
 * operation, and the content types that each class name covers.
 */

import { otherNamesOf } from '../../documents/field-schemas.ts';
import { followReference } from '../../documents/follow-reference.ts';
import { documentedCmaPath, type OpenApiDocument } from '../../documents/openapi-document.ts';
import type { Catalog, Json, JsonObject } from '../../model/content-type.ts';
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

function operationsModule(cma: OpenApiDocument): string {
  const operations = Object.entries(cma.paths).flatMap(([path, item]) => {
    const { parameters: shared = [], ...methods } = Object(item);
    return Object.entries<JsonObject>(methods)
      .filter(([, { operationId }]) => operationId !== undefined)
      .map(([method, { operationId, parameters = [], responses }]) => {
        const isKeyed = [shared, parameters].flat().some((one) => isKey(followReference(cma, one)));
        const mediaTypes = successTypes(cma, responses);
        const request = { method: method.toUpperCase(), path, mediaTypes, isKeyed };
        return `    ${operationId}: ${JSON.stringify(request)},`;
      });
  });
  return `// ${generatedNotice}

/** The base path of the content management API, unless an installation has another. */
export const basePath = '${documentedCmaPath}';

/** The operations: their methods and paths, the media types of their successes, and whether they document an \`Idempotency-Key\`. */
export const operations = {
${operations.join('\n')}
} as const;
`;
}

const isKey = ({ in: place, name }: JsonObject) =>
  place === 'header' && String(name).toLowerCase() === 'idempotency-key';

/** Lists the media types of the successes of an operation, without parameters. */
function successTypes(document: OpenApiDocument, responses: Json | undefined): string[] {
  const contents = Object.entries<Json>(Object(responses))
    .filter(([status]) => /^(2|default)/.test(status))
    .flatMap(([, response]) => Object.keys(Object(followReference(document, response).content)));
  return [...new Set(contents.map((type) => type.replace(/\s*;.*/, '').toLowerCase()))];
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
