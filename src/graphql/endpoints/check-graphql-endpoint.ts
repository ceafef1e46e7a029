/**
 * Turns a body into the definition of a GraphQL endpoint: fills in defaults and reports all problems at once.
 *
 * The validator of the record checks the form of each member. The rules between members, and whether the named types exist, are
 * checked here.
 */
import { checkCors } from '../../access/allowed-origins.ts';
import { invalidBody, type Problem } from '../../base/errors.ts';
import type { Catalog, Json, JsonObject } from '../../model/content-type.ts';
import { concreteTypes } from '../../model/types/restrict-catalog.ts';
import { joinProblems, type SubmittedBody } from '../../model/values/checked-body.ts';
import { type AssetValidator, isJsonObject } from '../../model/values/validate-asset.ts';
import { defaultLimit } from '../../text/page-limits.ts';
import { toPathName } from '../../text/path-name.ts';
import type { GraphqlEndpointDefinition } from './graphql-endpoint.ts';

/** All members of a definition. The record also has the fields that all content has, which a body must not contain. */
const members: readonly string[] = [
  'name',
  'path',
  'readTypes',
  'writeTypes',
  'access',
  'defaultLimit',
  'maxLimit',
  'introspection',
  'trustedOnly',
  'preview',
  'cors',
] satisfies (keyof GraphqlEndpointDefinition)[];

const defaults = { writeTypes: [], maxLimit: 100, introspection: true, trustedOnly: false };

/**
 * Reads and checks the body of a GraphQL endpoint.
 *
 * Shapes: `catalog` contains the types that can be served; `validator` is the validator of the record.
 * Errors: invalid_body.
 */
export function readGraphqlEndpoint({
  body,
  problems: schemaProblems,
  catalog,
  validator,
}: SubmittedBody & {
  catalog: Catalog;
  validator: AssetValidator;
}): GraphqlEndpointDefinition {
  if (!isJsonObject(body)) throw invalidBody([{ path: '', message: 'The body must be a JSON object' }]);
  const unknown = Object.keys(body).filter((member) => !members.includes(member));
  const known = Object.entries(body).filter(([member]) => members.includes(member));
  const filled = fillDefaults(Object.fromEntries(known));
  const { set, problems } = validator.checkNew(filled);
  const found = [
    ...unknown.map((path) => ({ path, message: 'is not a member of a GraphQL endpoint' })),
    ...problems,
    ...checkTypes(filled, catalog),
    ...checkLimits(filled),
    ...checkCors(filled.cors),
  ];
  const all = joinProblems(found, schemaProblems);
  if (all.length > 0) throw invalidBody(all);
  // The validator has checked the shape.
  return set as unknown as GraphqlEndpointDefinition;
}

function fillDefaults(body: JsonObject): JsonObject {
  const { name, maxLimit = defaults.maxLimit } = body;
  return {
    ...(typeof name === 'string' ? { path: toPathName(name) } : {}),
    defaultLimit: typeof maxLimit === 'number' ? Math.min(defaultLimit, maxLimit) : defaultLimit,
    ...defaults,
    ...body,
  };
}

function checkTypes({ readTypes, writeTypes }: JsonObject, catalog: Catalog): Problem[] {
  const [read, write] = [textsOf(readTypes), textsOf(writeTypes)];
  const readable = concreteTypes(catalog, read);
  const hidden = [...concreteTypes(catalog, write)].filter((type) => !readable.has(type));
  const problems = [...checkNames('readTypes', read, catalog), ...checkNames('writeTypes', write, catalog)];
  if (hidden.length > 0) {
    problems.push({
      path: 'writeTypes',
      message: `must be among readTypes: ${hidden.join(', ')} cannot be read`,
    });
  }
  return problems;
}

function checkNames(path: string, names: readonly string[], catalog: Catalog): Problem[] {
  const problems = names.flatMap((name, index) => {
    const message = name === '*' ? undefined : checkName(name, catalog);
    return message === undefined ? [] : [{ path: `${path}[${index}]`, message }];
  });
  if (new Set(names).size < names.length) problems.push({ path, message: 'must not name a type twice' });
  return names.includes('*') && names.length > 1
    ? [...problems, { path, message: 'must have no other names beside *' }]
    : problems;
}

function checkName(name: string, catalog: Catalog): string | undefined {
  if (!catalog.find(name)) return 'is neither a content type nor an interface';
  return concreteTypes(catalog, [name]).size === 0
    ? 'is an interface that no content type implements'
    : undefined;
}

function checkLimits({ defaultLimit, maxLimit }: JsonObject): Problem[] {
  return typeof defaultLimit === 'number' && typeof maxLimit === 'number' && defaultLimit > maxLimit
    ? [{ path: 'defaultLimit', message: `must be at most maxLimit, which is ${maxLimit}` }]
    : [];
}

function textsOf(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
