/**
 * The checks of one mapping, whose form may still be wrong: its name, its path, its methods, and its document against the source.
 */
import type { Problem } from '../../base/errors.ts';
import type { GraphqlApi } from '../../graphql/operation.ts';
import type { Json, JsonObject } from '../../model/content-type.ts';
import { toPathName } from '../../text/path-name.ts';
import type { MappingMethod } from '../records/rest-endpoint.ts';
import { checkName, checkPath } from './naming.ts';
import { prepareMappedOperation } from './prepare-mapping.ts';

/** A mapping with what its body leaves out. Without an API the kind of its operation is unknown, and GET stands for a method. */
export function fillMapping(mapping: JsonObject, api: GraphqlApi | undefined): JsonObject {
  return {
    ...defaultPath('path', mapping.name),
    methods: [preselectedMethod(mapping.query, api)],
    cacheSeconds: 0,
    ...mapping,
  };
}

/** `member` made from a name; nothing when the name has nothing to make a path of. */
export function defaultPath(member: string, name: Json | undefined): JsonObject {
  const path = typeof name === 'string' ? toPathName(name) : '';
  return path === '' ? {} : { [member]: `/${path}` };
}

function preselectedMethod(query: Json | undefined, api: GraphqlApi | undefined): MappingMethod {
  const outlines = typeof query === 'string' ? api?.listOperations(query) : undefined;
  const isMutation = outlines && !('problems' in outlines) && outlines[0]?.kind === 'mutation';
  return isMutation ? 'POST' : 'GET';
}

/** Every problem of a mapping that its content type does not see; each `path` is a member of the mapping. */
export function checkMapping(mapping: JsonObject, api: GraphqlApi | undefined): Problem[] {
  const { name, path, methods, query, cacheSeconds } = mapping;
  return [
    ...checkText('name', name, checkName),
    ...checkText('path', path, checkPath),
    ...checkMethods(methods),
    ...(api && typeof query === 'string' ? checkQuery({ query, cacheSeconds, api }) : []),
  ];
}

/** The problem of a member that is a text. */
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

function checkQuery({
  query,
  cacheSeconds,
  api,
}: {
  query: string;
  cacheSeconds: Json | undefined;
  api: GraphqlApi;
}): Problem[] {
  const prepared = prepareMappedOperation(api, query);
  if ('problems' in prepared) return prepared.problems.map((problem) => ({ path: 'query', ...problem }));
  return prepared.kind === 'mutation' && cacheSeconds !== 0
    ? [{ path: 'cacheSeconds', message: 'must be 0, as the answer to a mutation is never cached' }]
    : [];
}
