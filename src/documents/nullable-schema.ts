/**
 * Makes JSON Schemas nullable.
 */
import type { JsonObject } from '../model/content-type.ts';

/** Returns a schema that also allows null. A schema without limits already allows it. */
export function orNull(schema: JsonObject): JsonObject {
  if (typeof schema.type === 'string') return { ...schema, type: [schema.type, 'null'] };
  const isLimited = ['$ref', 'anyOf', 'not'].some((keyword) => Object.hasOwn(schema, keyword));
  return isLimited ? { anyOf: [schema, { type: 'null' }] } : schema;
}
