/**
 * Turns a body into the definition of a REST endpoint: fills in defaults and reports all problems at once.
 *
 * The validator of the record checks the form of each member; everything else is checked here and in the other files of this folder.
 * Publishing and restoring check a stored definition in the same way.
 */

import { checkCors } from '../../access/allowed-origins.ts';
import { invalidBody, type Problem } from '../../base/errors.ts';
import type { GraphqlApis } from '../../graphql/endpoints/graphql-api.ts';
import type { GraphqlEndpoint } from '../../graphql/endpoints/graphql-endpoint.ts';
import type { GraphqlApi } from '../../graphql/operation.ts';
import type { Json, JsonObject } from '../../model/content-type.ts';
import { type CheckedBody, joinProblems, type SubmittedBody } from '../../model/values/checked-body.ts';
import { type AssetValidator, isJsonObject } from '../../model/values/validate-asset.ts';
import { toPathName } from '../../text/path-name.ts';
import {
  definitionsOf,
  type MappingMethod,
  type RestEndpoint,
  type RestEndpointDefinition,
} from '../records/rest-endpoint.ts';
import type { Source } from '../routes/build-routes.ts';
import { isReleaseParameter } from '../variables/reserved-names.ts';
import { checkRoutes } from './check-routes.ts';
import { checkMappingPath, checkName, checkPath } from './naming.ts';
import { prepareMapping, toProblem } from './prepare-mapping.ts';

/** The endpoints, paths and validator that a definition is checked against. */
export interface EndpointCheckContext {
  /** All GraphQL endpoints. */
  readonly sources: readonly GraphqlEndpoint[];
  /** The stored REST endpoint that the body changes; absent for a new one. */
  readonly own: RestEndpoint | undefined;
  /** The other REST endpoints. */
  readonly others: readonly RestEndpoint[];
  readonly apis: GraphqlApis;
  /** The paths that are reserved for Colophon. */
  readonly systemPaths: readonly string[];
  /** The validator of the record of a REST endpoint. */
  readonly validator: AssetValidator;
}

/** The result of checking a body. */
export interface CheckedEndpoint {
  /** The body with defaults; its members may still have the wrong form. */
  readonly draft: JsonObject;
  /** The GraphQL endpoint that the body names, if it exists. */
  readonly source?: Source;
  readonly problems: readonly Problem[];
  /** Absent when there are problems. */
  readonly definition?: RestEndpointDefinition;
}

/** Reads and checks the body of a REST endpoint. Errors: invalid_body. */
export function readRestEndpoint(
  { body, problems: schemaProblems = [] }: SubmittedBody,
  context: EndpointCheckContext,
): RestEndpointDefinition {
  if (!isJsonObject(body)) throw invalidBody([{ path: '', message: 'The body must be a JSON object' }]);
  const { definition, problems } = checkRestEndpoint({ body, problems: schemaProblems }, context);
  if (!definition) throw invalidBody(problems);
  return definition;
}

/** Checks the body of a REST endpoint and returns its problems together with those that its schema found. */
export function checkRestEndpoint(
  { body, problems: schemaProblems }: CheckedBody,
  context: EndpointCheckContext,
): CheckedEndpoint {
  if (Array.isArray(body.mappings) && body.mappings.length > maxMappings) {
    const message = `must have at most ${maxMappings} items`;
    return { draft: { ...body, mappings: [] }, problems: [{ path: 'mappings', message }] };
  }
  const { sources, own, others, apis, systemPaths, validator } = context;
  const named = findSource(body.source, sources);
  const source = named && { endpoint: named, api: apis.get(named) };
  const draft = fillDefaults({ ...body, ...(named ? { source: named.id } : {}) }, source?.api);
  const { set, problems } = validator.checkChanges({ draft });
  const found = [
    ...problems.map((problem) => ({ ...problem, path: problem.path.replace(/^draft\./, '') })),
    ...checkSource(body.source, named),
    ...checkText('name', draft.name, checkName),
    ...checkText('pathPrefix', draft.pathPrefix, checkPath),
    ...checkMappings(draft, source?.api),
    ...checkCors(draft.cors),
    ...checkCacheTags(draft.cacheTags),
    ...checkRoutes({ draft, own, others, systemPaths }),
    ...checkTools({ draft, others, api: source?.api }),
  ];
  const all = joinProblems(found, schemaProblems);
  const checked = { draft, problems: all, ...(source ? { source } : {}) };
  // The validator has checked the shape.
  return all.length > 0
    ? checked
    : { ...checked, definition: set.draft as unknown as RestEndpointDefinition };
}

/** The maximum number of mappings in an endpoint; if there are more, none is checked. */
const maxMappings = 500;

function fillDefaults(body: JsonObject, api: GraphqlApi | undefined): JsonObject {
  const { name, mappings } = body;
  const fill = (mapping: Json) => (isJsonObject(mapping) ? fillMapping(mapping, api) : mapping);
  return {
    ...defaultPath('pathPrefix', name),
    access: 'INHERIT',
    disableParameterSlashSyntax: false,
    ...body,
    ...(Array.isArray(mappings) ? { mappings: mappings.map(fill) } : {}),
  };
}

/** Finds the GraphQL endpoint that a body names by its ID or its name. */
export function findSource(
  given: Json | undefined,
  sources: readonly GraphqlEndpoint[],
): GraphqlEndpoint | undefined {
  return sources.find(({ id }) => id === given) ?? sources.find(({ name }) => name === given);
}

/** Returns the problem of a named source that was not found. */
export function checkSource(given: Json | undefined, found: GraphqlEndpoint | undefined): Problem[] {
  return typeof given === 'string' && !found
    ? [{ path: 'source', message: 'must be the ID or the name of a GraphQL endpoint' }]
    : [];
}

function checkMappings({ mappings, preview }: JsonObject, api: GraphqlApi | undefined): Problem[] {
  if (!Array.isArray(mappings)) return [];
  const names = mappings.map((mapping) => (isJsonObject(mapping) ? mapping.name : undefined));
  return mappings.flatMap((mapping, index) => {
    if (!isJsonObject(mapping)) return [];
    const first = names.indexOf(mapping.name);
    const repeated = () => (first < index ? `is also the name of mappings[${first}]` : undefined);
    const problems = [
      ...checkMapping(mapping, { api, preview: preview === true }),
      ...checkText('name', mapping.name, repeated),
    ];
    return problems.map((problem) => ({ ...problem, path: `mappings[${index}].${problem.path}` }));
  });
}

const headerName = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;

/** Names that HTTP, browsers or Colophon give a meaning, whole (with `$`) or by their beginning. */
const reserved = new RegExp(
  `^(${[
    'accept(-|$)|access-control-|age$|allow$|alt-svc$|authorization$|cache-control$|clear-site-data$|connection$|content-|cookie',
    'cross-origin-|date$|etag$|expect|expires$|forwarded$|host$|idempotency-|if-|keep-alive$|last-|link$|location$|nel$|origin|permissions-',
    'pragma$|priority$|proxy-|range$|ratelimit|referer$|referrer-|refresh$|report|retry-after$|sec-|server(-timing)?$|set-cookie|status$',
    'strict-transport-|te$|timing-|trace|trailer$|transfer-|upgrade|user-agent$|vary$|via$|warning$|www-|x-accel-|x-api-key$|x-base-|x-change$',
    'x-client-|x-content-|x-dns-|x-download-|x-forwarded|x-frame-|x-permitted-|x-powered-|x-request-|x-run$|x-unfit$|x-xss-',
  ].join('|')})`,
  'i',
);

/** Finds the problem of the member `cacheTags` of a REST endpoint. What is no text is left to other checks. */
function checkCacheTags(header: unknown): Problem[] {
  if (typeof header !== 'string') return [];
  const message = !headerName.test(header)
    ? 'must be the name of a header, such as Surrogate-Key, Cache-Tag or xkey'
    : reserved.test(header)
      ? `must not be ${header}, which has another meaning; use a name such as Surrogate-Key, Cache-Tag or xkey`
      : undefined;
  return message === undefined ? [] : [{ path: 'cacheTags', message }];
}

/** Fills in the defaults of a mapping. Without an API the kind of the operation is unknown, and the default method is GET. */
function fillMapping(mapping: JsonObject, api: GraphqlApi | undefined): JsonObject {
  return {
    ...defaultPath('path', mapping.name),
    methods: [defaultMethod(mapping.query, api)],
    cacheSeconds: 0,
    ...mapping,
  };
}

/** Returns an object with a path made from a name as `member`; it is empty if the name contains nothing for a path. */
function defaultPath(member: string, name: Json | undefined): JsonObject {
  const path = typeof name === 'string' ? toPathName(name) : '';
  return path === '' ? {} : { [member]: `/${path}` };
}

function defaultMethod(query: Json | undefined, api: GraphqlApi | undefined): MappingMethod {
  const outlines = typeof query === 'string' ? api?.listOperations(query) : undefined;
  const isMutation = outlines && !('problems' in outlines) && outlines[0]?.kind === 'mutation';
  return isMutation ? 'POST' : 'GET';
}

/** Finds the problems of a mapping that the validator of its record does not find; each `path` is a member of the mapping. */
function checkMapping(
  mapping: JsonObject,
  { api, preview }: { api: GraphqlApi | undefined; preview: boolean },
): Problem[] {
  const { name, path, methods, query } = mapping;
  return [
    ...checkText('name', name, checkName),
    ...checkText('path', path, checkMappingPath),
    ...checkMethods(methods),
    ...(api && typeof query === 'string' ? checkMappedSource({ ...mapping, query }, api) : []),
    ...(api && preview && typeof query === 'string' ? checkReleaseParameters(query, api) : []),
  ];
}

/** Checks a member if it is a string. */
function checkText(
  path: string,
  value: Json | undefined,
  check: (text: string) => string | undefined,
): Problem[] {
  const message = typeof value === 'string' ? check(value) : undefined;
  return message === undefined ? [] : [{ path, message }];
}

function checkMethods(methods: Json | undefined): Problem[] {
  return Array.isArray(methods) && new Set(methods).size < methods.length
    ? [{ path: 'methods', message: 'must not name a method twice' }]
    : [];
}

/** Finds the variables whose names say which release a request reads. */
function checkReleaseParameters(query: string, api: GraphqlApi): Problem[] {
  const outlines = api.listOperations(query);
  if ('problems' in outlines) return [];
  const variables = outlines.flatMap((outline) => outline.variables);
  return variables
    .filter(({ name }) => isReleaseParameter(name))
    .map(({ name, line, column }) => {
      const message = `The variable name ${name} is reserved, because the endpoint has previews`;
      return { path: 'query', message, line, column };
    });
}

/** Checks a mapping against its source. The validator of the record reports members of a wrong type. */
function checkMappedSource(
  { query, path, notFound, result, cacheSeconds }: JsonObject & { query: string },
  api: GraphqlApi,
): Problem[] {
  const prepared = prepareMapping(api, {
    query,
    path: typeof path === 'string' ? path : '',
    ...(typeof notFound === 'string' ? { notFound } : {}),
    ...(typeof result === 'string' ? { result } : {}),
  });
  if ('problems' in prepared) return prepared.problems.map(toProblem);
  return prepared.operation.kind === 'mutation' && cacheSeconds !== 0
    ? [{ path: 'cacheSeconds', message: 'must be 0, because responses to mutations are never cached' }]
    : [];
}

// Checks the mappings whose queries agents can use as tools. The operation gives a tool its name, which no other tool of any REST endpoint
// may have.

/** The names of the tools that `/mcp` always has. */
const builtInTools: readonly string[] = [
  'describe_types',
  'find_assets',
  'get_asset',
  'list_changes',
  'draft_changes',
];

const maxNameLength = 64;

/** Finds the problems of the tools of `draft`, given the other REST endpoints. Members may still have the wrong form. */
function checkTools({
  draft,
  others,
  api,
}: {
  draft: JsonObject;
  others: readonly RestEndpoint[];
  /** The GraphQL endpoint that the draft names, if it exists. */
  api: GraphqlApi | undefined;
}): Problem[] {
  if (!api || !Array.isArray(draft.mappings)) return [];
  const owners = new Map(builtInTools.map((name) => [name, 'Colophon']));
  const tools = draft.mappings.flatMap((mapping, index) =>
    isJsonObject(mapping) && mapping.tool === true ? [{ index, outline: outlineOf(api, mapping) }] : [],
  );
  if (tools.length === 0) return [];
  for (const other of others) {
    const mappings = definitionsOf(other).flatMap((definition) => definition.mappings);
    for (const mapping of mappings) {
      const name = mapping.tool ? outlineOf(api, mapping)?.name : undefined;
      if (name !== undefined)
        owners.set(name, `REST endpoint ${JSON.stringify(other.current.definition.name)}`);
    }
  }
  return tools.flatMap(({ index, outline }) => {
    const { kind, name } = outline ?? {};
    const problem = (message: string) => [{ path: `mappings[${index}].tool`, message }];
    // The document has problems, which are reported.
    if (kind === undefined || name === undefined) return [];
    if (kind !== 'query') return problem('must be false, because agents can use queries only');
    if (name.length > maxNameLength)
      return problem(`needs an operation whose name has at most ${maxNameLength} characters`);
    const owner = owners.get(name);
    owners.set(name, `mappings[${index}]`);
    return owner === undefined ? [] : problem(`results in the name ${name}, which a tool of ${owner} has`);
  });
}

/** Returns the first operation of a mapping's document. */
function outlineOf(api: GraphqlApi, { query }: { readonly query?: unknown }) {
  const outlines = typeof query === 'string' ? api.listOperations(query) : [];
  return 'problems' in outlines ? undefined : outlines[0];
}
