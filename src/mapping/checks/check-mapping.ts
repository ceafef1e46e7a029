/**
 * Checks one mapping: its name, path and methods, and its document against the source. Members may still have the wrong form.
 */
import type { Problem } from '../../base/errors.ts';
import type { GraphqlApi } from '../../graphql/operation.ts';
import type { Json, JsonObject } from '../../model/content-type.ts';
import { toPathName } from '../../text/path-name.ts';
import type { MappingMethod } from '../records/rest-endpoint.ts';
import { isReleaseParameter } from '../variables/reserved-names.ts';
import { checkMappingPath, checkName } from './naming.ts';
import { prepareMapping, toProblem } from './prepare-mapping.ts';

/** Fills in the defaults of a mapping. Without an API the kind of the operation is unknown, and the default method is GET. */
export function fillMapping(mapping: JsonObject, api: GraphqlApi | undefined): JsonObject {
  return {
    ...defaultPath('path', mapping.name),
    methods: [defaultMethod(mapping.query, api)],
    cacheSeconds: 0,
    ...mapping,
  };
}

/** Returns an object with a path made from a name as `member`; it is empty if the name contains nothing for a path. */
export function defaultPath(member: string, name: Json | undefined): JsonObject {
  const path = typeof name === 'string' ? toPathName(name) : '';
  return path === '' ? {} : { [member]: `/${path}` };
}

function defaultMethod(query: Json | undefined, api: GraphqlApi | undefined): MappingMethod {
  const outlines = typeof query === 'string' ? api?.listOperations(query) : undefined;
  const isMutation = outlines && !('problems' in outlines) && outlines[0]?.kind === 'mutation';
  return isMutation ? 'POST' : 'GET';
}

/** Finds the problems of a mapping that the validator of its record does not find; each `path` is a member of the mapping. */
export function checkMapping(
  mapping: JsonObject,
  { api, preview }: { api: GraphqlApi | undefined; preview: boolean },
): Problem[] {
  const { name, path, methods, query } = mapping;
  return [
    ...checkText('name', name, checkName),
    ...checkText('path', path, checkMappingPath),
    ...checkMethods(methods),
    ...(api && typeof query === 'string' ? checkSource({ ...mapping, query }, api) : []),
    ...(api && preview && typeof query === 'string' ? checkReleaseParameters(query, api) : []),
  ];
}

/** Checks a member if it is a string. */
export function checkText(
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
function checkSource(
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
