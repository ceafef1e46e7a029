/**
 * Prepares the references of requests for the typed client: a union of the two ways to name a target, so that the compiler demands
 * exactly one. The document itself has one object, which generators for other languages make usable types of.
 */
import type { OpenApiDocument } from '../../documents/openapi-document.ts';
import type { Json } from '../../model/content-type.ts';
import { isJsonObject } from '../../model/values/validate-asset.ts';

/** Returns a document in which each reference with `_by` is one of two objects. */
export function splitReferences(document: OpenApiDocument): OpenApiDocument {
  const schemas = Object.fromEntries(
    Object.entries(document.components.schemas).map(([name, schema]) => [name, splitSchema(schema)]),
  );
  // Only schemas have changed, to other schemas.
  return { ...document, components: { ...document.components, schemas } } as OpenApiDocument;
}

function splitSchema(schema: unknown): unknown {
  if (!isJsonObject(schema) || !isJsonObject(schema.properties)) return schema;
  const { _ref: ref, _by: by, _type: type } = schema.properties;
  if (ref === undefined || by === undefined || type === undefined) return schema;
  const { description = '' } = schema;
  const alternative = (name: string, member: Json) => ({
    type: 'object',
    required: [name, '_type'],
    properties: { [name]: member, _type: type },
    additionalProperties: false,
  });
  return { description, oneOf: [alternative('_ref', ref), alternative('_by', by)] };
}
