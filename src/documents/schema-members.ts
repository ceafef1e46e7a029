/**
 * Makes JSON Schemas nullable, and describes deprecated fields in them. OpenAPI has no member for the reason, so the description ends with it.
 */
import type { JsonObject } from '../model/content-type.ts';

/** Returns a schema that also allows null. A schema without limits already allows it. */
export function orNull(schema: JsonObject): JsonObject {
  if (typeof schema.type === 'string') return { ...schema, type: [schema.type, 'null'] };
  const isLimited = ['$ref', 'anyOf', 'not'].some((keyword) => Object.hasOwn(schema, keyword));
  return isLimited ? { anyOf: [schema, { type: 'null' }] } : schema;
}

/** Returns the members `description` and `deprecated` of a schema; neither without a description and a reason. */
export function describeUse(description: string | undefined, deprecated: string | undefined): JsonObject {
  if (deprecated === undefined) return description === undefined ? {} : { description };
  // One line, so that the end of the reason can be found.
  const reason = `Deprecated: ${deprecated.replaceAll(/\s+/g, ' ').trim()}`;
  return { description: description ? `${description}\n\n${reason}` : reason, deprecated: true };
}

/** Describes the deprecated values of an enum, one a line; JSON Schema has no member for them. Nothing without reasons. */
export function describeValues(reasons: Iterable<readonly [value: string, reason: string]>): JsonObject {
  const lines = [...reasons].map(([value, reason]) => `\`${value}\` is deprecated: ${reason}`);
  return lines.length > 0 ? { description: lines.join('\n') } : {};
}

/** Moves the reasons in the comments of generated TypeScript to the tag `@deprecated`, where editors show them. */
export function tagDeprecations(typescript: string): string {
  return typescript.replaceAll(/^( *\*) Deprecated: (.*)\n *\*\n *\* @deprecated$/gm, '$1 @deprecated $2');
}
