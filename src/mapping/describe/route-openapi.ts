/**
 * Writes the OpenAPI document of one published REST endpoint: an operation for each method of each mapping.
 */

import type { Access } from '../../access/endpoint-access.ts';
import { runNamePattern } from '../../base/request-origin.ts';
import type { PreparedOperation, VariableDefinition } from '../../graphql/operation.ts';
import type { JsonObject } from '../../model/content-type.ts';
import { createNamer } from '../../text/free-name.ts';
import { typeTagsOf } from '../cache-tags/route-cache-tags.ts';
import type {
  Mapping,
  MappingMethod,
  RestEndpoint,
  RestEndpointDefinition,
} from '../records/rest-endpoint.ts';
import {
  accessOf,
  buildRoutes,
  type ReadyRoute,
  type RouteAtPath,
  type Source,
} from '../routes/build-routes.ts';
import { parametersOf } from '../routes/path-template.ts';
import { toCamelCase } from './identifier.ts';
import { createInputSchemas, dataSchema, type InputSchemas } from './json-schema.ts';
import { documentParameters, pathParameter } from './route-parameters.ts';
import { documentResponses, sharedResponses } from './route-responses.ts';

/** A mapping with its operation. */
export interface DocumentedRoute
  extends Pick<Mapping, 'name' | 'methods' | 'cacheSeconds' | 'notFound' | 'result'> {
  /** The whole path, the endpoint's prefix included. */
  readonly path: string;
  readonly operation: Pick<
    PreparedOperation,
    'kind' | 'isSingleMutation' | 'variables' | 'readTypes' | 'describeData'
  >;
  readonly places: ReadyRoute['places'];
}

/** The content of a REST endpoint's document; `access` is that of the source where the endpoint inherits it. */
export interface DocumentedEndpoint {
  readonly title: string;
  readonly version: string;
  readonly access: Access;
  /** Whether its queries read the content of releases. */
  readonly preview?: boolean | undefined;
  readonly disableSlashSyntax: boolean;
  /** The name of the header with the cache tags; absent when there are none. */
  readonly cacheTags?: string | undefined;
  readonly routes: readonly DocumentedRoute[];
}

/** Creates the OpenAPI 3.1 document of a REST endpoint. */
export function createRouteDocument(endpoint: DocumentedEndpoint): JsonObject {
  const { title, version, access, cacheTags, routes } = endpoint;
  const schemas = createInputSchemas('#/components/schemas/');
  const claimId = createIds();
  const paths: Record<string, JsonObject> = {};
  for (const route of routes) {
    // Two mappings may share a path when their methods differ.
    const item = paths[route.path] ?? {};
    for (const method of route.methods) {
      const operationId = claimId(route, method);
      item[method.toLowerCase()] = {
        operationId,
        ...documentOperation({ endpoint, route, method, schemas }),
      };
    }
    paths[route.path] = item;
  }
  const shared = sharedResponses(access, cacheTags);
  return {
    openapi: '3.1.0',
    info: { title, version },
    security: securityOf(access),
    paths,
    components: {
      ...shared,
      schemas: { ...schemas.definitions(), ...shared.schemas },
      securitySchemes: securitySchemesOf(access),
    },
  };
}

/** Creates unique operation IDs: from the mapping's name, with the method where it has several. */
function createIds(): (route: DocumentedRoute, method: MappingMethod) => string {
  const nameOf = createNamer();
  return ({ name, methods }, method) =>
    nameOf(toCamelCase(methods.length > 1 ? `${name} ${method.toLowerCase()}` : name, 'route'));
}

function documentOperation({
  endpoint: { access, preview = false, disableSlashSyntax, cacheTags },
  route: { name, cacheSeconds, notFound, result, path, operation, places },
  method,
  schemas,
}: {
  endpoint: DocumentedEndpoint;
  route: DocumentedRoute;
  method: MappingMethod;
  schemas: InputSchemas;
}): JsonObject {
  const { kind } = operation;
  const names = parametersOf(path);
  const ofPath = operation.variables.filter((variable) => names.includes(variable.name));
  const variables = operation.variables.filter((variable) => !names.includes(variable.name));
  const cacheable = method === 'GET' && kind === 'query';
  const hasBody = method === 'POST' || method === 'PUT';
  const inQuery = hasBody ? [] : documentParameters({ variables, disableSlashSyntax, schemas });
  const acceptsKey = operation.isSingleMutation && access !== 'ANYONE';
  const parameters = [
    ...ofPath.map((variable) => pathParameter(variable, schemas)),
    ...inQuery,
    ...(preview && kind === 'query' ? releaseParameters : []),
    ...(cacheable ? [ifNoneMatch] : []),
    ...(acceptsKey ? [idempotencyKey] : []),
  ];
  return {
    summary: name,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(hasBody && variables.length > 0 ? { requestBody: bodyOf(variables, schemas) } : {}),
    ...(hasBody ? {} : { [variablesExtension]: inQueryOf({ variables, disableSlashSyntax, schemas }) }),
    ...(result === undefined ? {} : { [resultExtension]: { pointer: result, isFound: result === notFound } }),
    ...(kind === 'query' ? { [cacheTagsExtension]: typeTagsOf(operation) } : {}),
    responses: documentResponses({
      access,
      kind,
      cacheable,
      cacheSeconds,
      cacheTags,
      acceptsKey,
      data: dataSchema(operation.describeData()),
      places,
    }),
  };
}

function bodyOf(variables: readonly VariableDefinition[], schemas: InputSchemas): JsonObject {
  return {
    description: 'The variables of the operation.',
    required: variables.some(({ required }) => required),
    content: { 'application/json': { schema: schemas.ofVariables(variables) } },
  };
}

/** The extension that describes the variables of an operation without a body as one object, which parameters cannot. */
export const variablesExtension = 'x-colophon-variables';

/**
 * The extension with the JSON Pointer to the part of the data that a response consists of. With `isFound` the response is null only if
 * the stored content does not fit its type, and 404 if there is nothing.
 */
export const resultExtension = 'x-colophon-result';

/** The extension with the cache tags of the types that a query reads. */
export const cacheTagsExtension = 'x-colophon-cache-tags';

/** Describes the variables as one object, with the syntax that they have in a query string. */
function inQueryOf({
  variables,
  disableSlashSyntax,
  schemas,
}: {
  variables: readonly VariableDefinition[];
  disableSlashSyntax: boolean;
  schemas: InputSchemas;
}): JsonObject {
  return { syntax: disableSlashSyntax ? 'json' : 'slash', schema: schemas.ofVariables(variables) };
}

const releaseParameters: JsonObject[] = [
  {
    name: 'release',
    in: 'query',
    description:
      'Reads the drafts of this release over the live content. Needs an API client with the scope `cma:draft`.',
    schema: { type: 'string', pattern: runNamePattern.source },
  },
  {
    name: 'preview',
    in: 'query',
    description:
      'The token of a preview link, which shows the drafts of its release. Cannot be combined with `release`.',
    schema: { type: 'string' },
  },
];

const ifNoneMatch: JsonObject = {
  name: 'If-None-Match',
  in: 'header',
  description: 'An `ETag` from an earlier response; 304 says that it still holds.',
  schema: { type: 'string' },
};

/** The name of the parameter with the idempotency key. */
export const idempotencyKeyHeader = 'Idempotency-Key';

const idempotencyKey: JsonObject = {
  name: idempotencyKeyHeader,
  in: 'header',
  description:
    'A unique string that you choose, such as a random UUID. It makes a retry safe: for 24 hours, the same request with the same key gets the first response and changes nothing.',
  schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$' },
};

/** A bearer token is one header, which more tools can send than two. */
const clientCredentials: JsonObject[] = [{ bearer: [] }, { clientId: [], clientSecret: [] }];

function securityOf(access: Access): JsonObject[] {
  switch (access) {
    case 'ANYONE':
      return [];
    case 'API_KEY':
      return [{ apiKey: [] }, ...clientCredentials];
    case 'CLIENT_CREDENTIALS':
      return clientCredentials;
  }
}

function securitySchemesOf(access: Access): JsonObject {
  const header = (name: string, description: string) => ({ type: 'apiKey', in: 'header', name, description });
  const client = {
    clientId: header('X-Client-Id', 'The ID of an API client; goes with its secret.'),
    clientSecret: header('X-Client-Secret', 'The secret of the API client.'),
    bearer: { type: 'http', scheme: 'bearer', description: '`<client ID>.<secret>` of an API client.' },
  };
  if (access === 'ANYONE') return {};
  if (access === 'CLIENT_CREDENTIALS') return client;
  return { apiKey: header('X-API-Key', 'A key of an API client.'), ...client };
}

/** Creates the OpenAPI document of the published routes, without broken mappings. `undefined` for an unpublished endpoint. */
export function describePublished(
  endpoint: Pick<RestEndpoint, 'id' | 'published'>,
  source: Source | undefined,
): JsonObject | undefined {
  if (!endpoint.published) return undefined;
  const { number, definition } = endpoint.published;
  const routes = buildRoutes({ id: endpoint.id, definition, source });
  return describeRoutes({ definition, source, routes, version: String(number) });
}

/** Creates the OpenAPI document of the routes of a definition, without broken ones. */
export function describeRoutes({
  definition,
  source,
  routes,
  version,
}: {
  readonly definition: Omit<RestEndpointDefinition, 'mappings'>;
  readonly source: Source | undefined;
  readonly routes: readonly RouteAtPath[];
  readonly version: string;
}): JsonObject {
  const { name: title, access, preview, disableParameterSlashSyntax, cacheTags } = definition;
  return createRouteDocument({
    title,
    version,
    access: accessOf(access, source),
    preview,
    disableSlashSyntax: disableParameterSlashSyntax,
    cacheTags,
    routes: routes.flatMap(({ path, methods, route }) => {
      if (!route.operation) return [];
      const { mapping, operation, places } = route;
      return [{ ...mapping, path, methods, operation, places }];
    }),
  });
}
