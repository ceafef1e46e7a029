/**
 * Rewrites an OpenAPI 3.1 document as OpenAPI 3.0, for generators that cannot read 3.1 or misread it.
 *
 * 3.0 uses `nullable` instead of the type `null`, and an `enum` of one value instead of `const`. Keywords that it lacks, such as
 * conditions, are left out, and members that may be null are optional, so the 3.0 form allows everything that the 3.1 form allows, and
 * sometimes more. `webhooks` are left out, too.
 */
import type { Json, JsonObject } from '../model/content-type.ts';
import { isJsonObject } from '../model/values/validate-asset.ts';
import { mapDocument, typesOfSchema } from './document-parts.ts';

/** Converts a document to OpenAPI 3.0.3, without changing the original. */
export function toOpenApi30<Document extends object>(document: Document): Document {
  // A document is JSON, and rewriting changes only the members of schemas.
  const { openapi: _, webhooks: __, ...rest } = rewrite(document as unknown as Json) as JsonObject;
  return { openapi: '3.0.3', ...withTypes(rest) } as unknown as Document;
}

/** Gives every nullable schema of a document a type, because `nullable` means nothing beside a reference without one. */
const withTypes = (document: JsonObject) =>
  mapDocument(document, (schema) => {
    if (schema.nullable !== true || schema.type !== undefined) return schema;
    const [only, ...others] = typesOfSchema(document, schema);
    return typeof only === 'string' && others.length === 0 ? { ...schema, type: only } : schema;
  });

/** Rewrites all schemas in a part of a document. Examples are data and stay as they are. */
function rewrite(node: Json): Json {
  if (Array.isArray(node)) return node.map(rewrite);
  if (!isJsonObject(node)) return node;
  const members = Object.entries(node).map(([name, member]) => [name, rewriteMember(name, member)]);
  return Object.fromEntries(members);
}

function rewriteMember(name: string, member: Json): Json {
  if (name === 'example' || name === 'examples') return member;
  if (name === 'schema') return toSchema30(member);
  if (name === 'schemas') return mapMembers(member, toSchema30);
  return rewrite(member);
}

function mapMembers(node: Json, map: (member: Json) => Json): Json {
  if (!isJsonObject(node)) return node;
  return Object.fromEntries(Object.entries(node).map(([name, member]) => [name, map(member)]));
}

/** Keywords that 3.0 lacks and that are dropped. */
const unknownKeywords = ['if', 'then', 'else', 'contentMediaType', 'contentEncoding'];

function toSchema30(schema: Json): Json {
  if (typeof schema === 'boolean') return schema ? {} : { not: {} };
  if (!isJsonObject(schema)) return schema;
  const { $ref, const: constant, examples, type, anyOf, oneOf, ...others } = schema;
  const rest = Object.entries(others).filter(([name]) => !unknownKeywords.includes(name));
  if ($ref !== undefined)
    return rest.length === 0 ? { $ref } : { allOf: [{ $ref }], ...Object.fromEntries(rest) };
  const schema30: JsonObject = {
    ...typeOf(type),
    ...(constant === undefined ? {} : { enum: [constant] }),
    ...(Array.isArray(examples) && examples[0] !== undefined ? { example: examples[0] } : {}),
    ...alternatives('anyOf', anyOf),
    ...alternatives('oneOf', oneOf),
    ...Object.fromEntries(rest.map(([name, member]) => [name, toKeyword30(name, member)])),
  };
  return withoutNullableRequired(schema30);
}

/** Makes nullable members optional, because generated code, such as that for Java, refuses null for a required member. */
function withoutNullableRequired(schema: JsonObject): JsonObject {
  const { required, ...others } = schema;
  if (!Array.isArray(required)) return schema;
  const kept = required.filter((name) => Object(Object(schema.properties)[String(name)]).nullable !== true);
  return kept.length > 0 ? { ...schema, required: kept } : others;
}

function toKeyword30(name: string, member: Json): Json {
  switch (name) {
    case 'properties':
      return mapMembers(member, toSchema30);
    case 'items':
    case 'not':
      return toSchema30(member);
    case 'additionalProperties':
      return typeof member === 'boolean' ? member : toSchema30(member);
    case 'allOf':
      return Array.isArray(member) ? member.map(toSchema30) : member;
    default:
      return member;
  }
}

/** Converts `type`: null becomes `nullable`, and several types become alternatives. */
function typeOf(type: Json | undefined): JsonObject {
  if (type === undefined) return {};
  const types = [type].flat();
  const others = types.filter((type) => type !== 'null');
  const nullable = others.length < types.length ? { nullable: true } : {};
  const [only = null, ...more] = others;
  // `nullable` needs a type, and generators make an enum without values of `enum: [null]`.
  if (only === null) return { type: 'object', maxProperties: 0, nullable: true };
  return more.length === 0
    ? { type: only, ...nullable }
    : { anyOf: others.map((other) => ({ type: other })), ...nullable };
}

/** Converts alternatives: an alternative null makes the others nullable. */
function alternatives(name: 'anyOf' | 'oneOf', schemas: Json | undefined): JsonObject {
  if (!Array.isArray(schemas)) return {};
  const others = schemas.filter((schema) => Object(schema).type !== 'null').map(toSchema30);
  const nullable = others.length < schemas.length ? { nullable: true } : {};
  const [only] = others;
  if (others.length > 1 || !isJsonObject(only)) return { [name]: others, ...nullable };
  return only.$ref === undefined ? { ...only, ...nullable } : { allOf: [only], ...nullable };
}
