/**
 * Converts an OpenAPI document to the JSON Schemas of its requests: for each operation one of the parameters and one of the body.
 */
import { followReference, isJsonType, listOperations, mapObjects } from '../documents/document-parts.ts';
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
    requestBody === undefined ? [] : [[operationId, bodySchema(followReference(document, requestBody))]],
  );
  const parameters = operations.map(({ operationId, parameters }) => [
    operationId,
    parametersSchema(parameters),
  ]);
  return { parameters: Object.fromEntries(parameters), bodies: Object.fromEntries(bodies) };
}

/** A body of several media types is checked by its handler, which knows the one that it has. */
function bodySchema({ content, required }: JsonObject): JsonObject {
  const [[type, media] = ['', {}], ...others] = Object.entries(Object(content));
  const { schema = {} } = isJsonType(type) && others.length === 0 ? Object(media) : {};
  return { properties: { requestBody: schema }, ...(required === true ? { required: ['requestBody'] } : {}) };
}

/** Builds the schema of parameters. It does not require the three parts to be objects, because they always are. */
function parametersSchema(all: Json = []): JsonObject {
  const parameters = [all].flat().filter(isJsonObject);
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
      return [member, { required, schema }] as const;
    });
  const byName = [...new Map(members)];
  return {
    properties: Object.fromEntries(byName.map(([member, { schema }]) => [member, schema])),
    required: byName.filter(([, { required }]) => required).map(([member]) => member),
  };
}

/**
 * Rewrites each `oneOf` with a `discriminator` as conditions on the discriminating member, so that a validator reports the
 * problems of the selected alternative only. JSON Schema's `oneOf` would report those of every alternative.
 */
export const resolveDiscriminators = <Value extends Json>(value: Value): Value =>
  mapObjects(value, (schema) => {
    const { oneOf, discriminator, ...others } = schema;
    const mapping = mappingOf(oneOf, discriminator);
    const isAlone = !['type', 'required', 'properties', 'allOf'].some((member) => member in others);
    if (!isJsonObject(discriminator) || !mapping || !isAlone) return schema;
    const name = String(discriminator.propertyName);
    const conditions = mapping.map(([tag, $ref]) =>
      Object.fromEntries([
        ['if', { properties: { [name]: { const: tag } }, required: [name] }],
        ['then', { $ref }],
      ]),
    );
    return {
      ...others,
      type: 'object',
      required: [name],
      properties: { [name]: { enum: mapping.map(([tag]) => tag) } },
      allOf: conditions,
    };
  });

/** Lists the values of a discriminator with their references, which may be names of schemas; nothing if some alternative has none. */
function mappingOf(
  oneOf: Json | undefined,
  discriminator: Json | undefined,
): [tag: string, $ref: string][] | undefined {
  const { mapping } = Object(discriminator);
  if (!Array.isArray(oneOf) || !isJsonObject(mapping)) return undefined;
  const entries = Object.entries(mapping).map(([tag, target]): [string, string] => [
    tag,
    String(target).includes('/') ? String(target) : `#/components/schemas/${target}`,
  ]);
  const targets = entries.map(([, $ref]) => $ref);
  return oneOf.every((one) => targets.includes(Object(one).$ref)) ? entries : undefined;
}

/** Makes the items of a list with `maxItems` apply only to lists within it: no time is spent on the items of a list that is too long. */
export const boundLists = <Value extends Json>(value: Value): Value =>
  mapObjects(value, (bound) => {
    const { items, maxItems, allOf = [], ...others } = bound;
    if (typeof maxItems !== 'number' || items === undefined || !Array.isArray(allOf)) return bound;
    const condition = Object.fromEntries([
      ['if', { maxItems }],
      ['then', { items }],
    ]);
    return { ...others, maxItems, allOf: [...allOf, condition] };
  });
