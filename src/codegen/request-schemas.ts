/**
 * Converts an OpenAPI document to the JSON Schemas of its requests: for each operation one of the parameters and one of the body.
 */
import type { OpenApiDocument } from '../documents/openapi-document.ts';
import type { Json, JsonObject } from '../model/content-type.ts';
import { isJsonObject } from '../model/values/validate-asset.ts';

/**
 * Schemas for `{path, query, header, requestBody}`, by operation ID; names of headers are in lower case. Their references point
 * into `components` of the document.
 */
export interface RequestSchemas {
  readonly parameters: Readonly<Record<string, JsonObject>>;
  /** For the operations that have a body. */
  readonly bodies: Readonly<Record<string, JsonObject>>;
}

/** Lists the schemas of all operations of a document. */
export function toRequestSchemas(document: OpenApiDocument): RequestSchemas {
  const operations = listOperations(document);
  const bodies = operations.flatMap(({ operationId, requestBody }) =>
    isJsonObject(requestBody) ? [[operationId, bodySchema(requestBody)]] : [],
  );
  const parameters = operations.map(({ operationId, parameters }) => [
    operationId,
    parametersSchema([parameters ?? []].flat().map((parameter) => dereference(document, parameter))),
  ]);
  return { parameters: Object.fromEntries(parameters), bodies: Object.fromEntries(bodies) };
}

/** Lists the operations of a document, each with the parameters of its path. Colophon's extensions have no operation ID. */
export function listOperations({ paths }: OpenApiDocument): JsonObject[] {
  return Object.values(paths).filter(isJsonObject).flatMap(operationsAt);
}

function operationsAt({ parameters: shared = [], ...methods }: JsonObject): JsonObject[] {
  return Object.values(methods)
    .filter(isJsonObject)
    .filter(({ operationId }) => operationId !== undefined)
    .map(({ parameters = [], ...operation }) => ({ ...operation, parameters: [parameters, shared].flat() }));
}

/** A body of several media types is checked by its handler, which knows the one that it has. */
function bodySchema({ content }: JsonObject): JsonObject {
  const { schema = {} } = Object(Object(content)['application/json']);
  return { properties: { requestBody: schema }, required: ['requestBody'] };
}

/** Builds the schema of parameters. It does not require the three parts to be objects, because they always are. */
function parametersSchema(parameters: readonly JsonObject[]): JsonObject {
  return {
    properties: {
      path: { ...membersSchema(parameters, 'path'), additionalProperties: false },
      query: { ...membersSchema(parameters, 'query'), additionalProperties: false },
      // Every request has headers that no document lists.
      header: membersSchema(parameters, 'header'),
    },
  };
}

function membersSchema(parameters: readonly JsonObject[], place: string): JsonObject {
  const members = parameters
    .filter((parameter) => parameter.in === place)
    .map(({ name, required = false, schema = {} }) => {
      const member = place === 'header' ? String(name).toLowerCase() : String(name);
      return { member, required, schema };
    });
  return {
    properties: Object.fromEntries(members.map(({ member, schema }) => [member, schema])),
    required: members.filter(({ required }) => required).map(({ member }) => member),
  };
}

/** Resolves a value that may be a reference into the document. */
export function dereference(document: OpenApiDocument, value: Json): JsonObject {
  const { $ref } = Object(value);
  if (typeof $ref !== 'string') return Object(value);
  return $ref
    .slice(2)
    .split('/')
    .reduce((found, name) => Object(found)[name], document as unknown as JsonObject);
}

/**
 * Rewrites each `oneOf` with a `discriminator` as conditions on the discriminating member, so that a validator reports the
 * problems of the selected alternative only. JSON Schema's `oneOf` would report those of every alternative.
 */
export function resolveDiscriminators<Value extends Json>(value: Value): Value;
export function resolveDiscriminators(value: Json): Json {
  if (Array.isArray(value)) return value.map(resolveDiscriminators);
  if (!isJsonObject(value)) return value;
  const { oneOf, discriminator, ...others } = value;
  if (!oneOf || !isJsonObject(discriminator) || !isJsonObject(discriminator.mapping)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [name, resolveDiscriminators(item)]),
    );
  }
  const name = String(discriminator.propertyName);
  const conditions = Object.entries(discriminator.mapping).map(([tag, $ref]) =>
    Object.fromEntries([
      ['if', { properties: { [name]: { const: tag } }, required: [name] }],
      ['then', { $ref }],
    ]),
  );
  return {
    ...others,
    type: 'object',
    required: [name],
    properties: { [name]: { enum: Object.keys(discriminator.mapping) } },
    allOf: conditions,
  };
}

/** Makes the items of a list with `maxItems` apply only to lists within it: no time is spent on the items of a list that is too long. */
export function boundLists<Value extends Json>(value: Value): Value;
export function boundLists(value: Json): Json {
  if (Array.isArray(value)) return value.map(boundLists);
  if (!isJsonObject(value)) return value;
  const bound = Object.fromEntries(Object.entries(value).map(([name, item]) => [name, boundLists(item)]));
  const { items, maxItems, allOf = [], ...others } = bound;
  if (typeof maxItems !== 'number' || items === undefined || !Array.isArray(allOf)) return bound;
  const condition = Object.fromEntries([
    ['if', { maxItems }],
    ['then', { items }],
  ]);
  return { ...others, maxItems, allOf: [...allOf, condition] };
}
