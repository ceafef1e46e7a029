/**
 * Generates the mapped routes of the client: types for each REST endpoint, by openapi-ts, and one module with a function for each
 * route.
 */
import type { OpenApiDocument } from '../../documents/openapi-document.ts';
import { toCamelCase, toPascalCase } from '../../mapping/describe/identifier.ts';
import type { JsonObject } from '../../model/content-type.ts';
import { createNamer } from '../../text/free-name.ts';
import { type GeneratedFiles, generatedNotice } from '../generated-files.ts';
import type { DocumentedOperation, RouteDocument } from './read-endpoints.ts';
import { runOpenApiTs } from './run-openapi-ts.ts';

/** An endpoint with its identifier in the client. */
interface NamedEndpoint extends RouteDocument {
  readonly name: string;
}

/** Makes `routes.ts` and `routes/*.gen.ts`. */
export async function generateRouteModules(documents: readonly RouteDocument[]): Promise<GeneratedFiles> {
  const endpoints = nameEndpoints(documents);
  const files = new Map([['routes.ts', routesModule(endpoints)]]);
  for (const endpoint of endpoints) files.set(`routes/${endpoint.name}.gen.ts`, await typesModule(endpoint));
  return files;
}

/** Gives endpoints identifiers that differ even if letter case is ignored. */
function nameEndpoints(documents: readonly RouteDocument[]): NamedEndpoint[] {
  const nameOf = createNamer();
  return documents.map((document) => ({
    ...document,
    name: nameOf(toCamelCase(document.title, 'endpoint')),
  }));
}

/** Generates the types of an endpoint's routes within one type `Operations`, so that names of input types cannot clash. */
async function typesModule({ document, routes, schemas }: NamedEndpoint): Promise<string> {
  const { GraphqlError: _error, GraphqlErrors: _errors, ...inputs } = schemas;
  const members = routes.map(({ id, variablesSchema, dataSchema }) => [
    id,
    allRequired({ variables: variablesSchema, data: dataSchema }),
  ]);
  const Operations = allRequired(Object.fromEntries(members));
  const typed = { ...document, paths: {}, components: { schemas: { ...inputs, Operations } } };
  // openapi-ts accepts a document without paths.
  const files = await runOpenApiTs(typed as unknown as OpenApiDocument, ['@hey-api/typescript']);
  return files.get('types.gen.ts') ?? '';
}

const allRequired = (properties: JsonObject): JsonObject => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
  additionalProperties: false,
});

function routesModule(endpoints: readonly NamedEndpoint[]): string {
  const imports = endpoints.map(
    ({ name }) => `import type { Operations as ${operationsOf(name)} } from './routes/${name}.gen.js';`,
  );
  const parts = (of: (name: string, route: DocumentedOperation) => string) =>
    endpoints.flatMap(({ name, routes }) => routes.map((route) => of(name, route)));
  const table = Object.fromEntries(endpoints.map(({ name, routes }) => [name, tableOf(routes)]));
  return `// ${generatedNotice}
import { bindRoutes, type ReleaseOptions, type RouteFunction, type RouteOptions, type RoutesOptions } from './bind-routes.js';
import type { Idempotency } from './connection.js';
${imports.join('\n')}

export type { ReleaseOptions, RouteFunction, RouteOptions, RouteResponse, RoutesOptions } from './bind-routes.js';
export type { CallOptions, ConnectionOptions, FetchOptions, Idempotency } from './connection.js';
export * from './errors.js';
export { imageSet, type ImageSet, type ImageSetFile, type ImageSetOptions } from './image-set.js';

${parts(typesOf).join('\n')}

/** The routes of each published REST endpoint. */
export interface Routes {
${endpoints.map(endpointMember).join('\n')}
}

/** Makes the functions of all routes; nothing is sent until one of them is called. */
export function createRoutes(options: RoutesOptions): Routes {
    return bindRoutes<Routes>(table, options);
}

const table = ${JSON.stringify(table, null, 4)} as const;
`;
}

const operationsOf = (endpoint: string) => `${toPascalCase(endpoint, '')}Operations`;

/** Names a part of a route; the underscore, which identifiers lack, separates endpoint and route. */
const partOf = (endpoint: string, { id }: DocumentedOperation, part: string) =>
  `${toPascalCase(endpoint, '')}_${toPascalCase(id, '')}${part}`;

function typesOf(endpoint: string, route: DocumentedOperation): string {
  return ['Variables', 'Data']
    .map((part) => {
      const type = `${operationsOf(endpoint)}[${JSON.stringify(route.id)}]['${part.toLowerCase()}']`;
      const isFound = part === 'Data' && route.result === 'found';
      return `export type ${partOf(endpoint, route, part)} = ${isFound ? `NonNullable<${type}>` : type};`;
    })
    .join('\n');
}

/** Declares functions as properties, since a method named `new` would be a constructor. */
function endpointMember({ name, title, routes }: NamedEndpoint): string {
  const functions = routes.map((route) => {
    const { id, summary, method, path, variablesSchema, acceptsKey, acceptsRelease } = route;
    const isOptional = Array.isArray(variablesSchema.required) ? '' : '?';
    const variables = `variables${isOptional}: ${partOf(name, route, 'Variables')}`;
    const options = `RouteOptions${acceptsRelease ? ' & ReleaseOptions' : ''}${acceptsKey ? ' & Idempotency' : ''}`;
    return `        /** ${toComment(`${summary}: ${method} ${path}`)} */
        ${id}: RouteFunction<[${variables}, options?: ${options}], ${partOf(name, route, 'Data')}>;`;
  });
  return `    /** ${toComment(title)} */\n    ${name}: {\n${functions.join('\n')}\n    };`;
}

/** Escapes the end of a comment. */
const toComment = (text: string) => text.replaceAll('*/', '* /');

function tableOf(routes: readonly DocumentedOperation[]): JsonObject {
  return Object.fromEntries(
    routes.map(
      ({ id, method, path, variables, repeatable, acceptsKey, acceptsRelease, cacheTags, result }) => [
        id,
        {
          ...{ method, path, variables, repeatable },
          ...(acceptsKey ? { acceptsKey } : {}),
          ...(acceptsRelease ? { acceptsRelease } : {}),
          ...(cacheTags.length > 0 ? { cacheTags: [...cacheTags] } : {}),
          ...(result ? { isValue: true } : {}),
        },
      ],
    ),
  );
}
