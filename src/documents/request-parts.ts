/**
 * What a document says about parts of an operation's requests: their bodies, and how queries write lists.
 */
import type { JsonObject } from '../model/content-type.ts';
import { findReferenced, followReference } from './follow-reference.ts';

/** The bodies that an operation takes, by media type. */
export interface RequestBody {
  readonly isRequired: boolean;
  /** The media types, each with the kind of its bodies. */
  readonly kinds: ReadonlyMap<string, 'object' | 'json' | 'binary'>;
}

/** Reads the member `requestBody` of an operation. */
export function readRequestBody(document: object, requestBody: unknown): RequestBody | undefined {
  if (requestBody === undefined) return undefined;
  const { required = false, content } = followReference(document, requestBody);
  const kinds = Object.entries(Object(content)).map(([type, media]) => {
    const { schema } = Object(media);
    if (!isJsonType(type)) return [type, 'binary'] as const;
    const types = typesOfSchema(document, schema);
    return [type, types.size === 1 && types.has('object') ? 'object' : 'json'] as const;
  });
  return { isRequired: required === true, kinds: new Map(kinds) };
}

/** Tells whether a media type is JSON, also one such as `application/json-patch+json`. */
export const isJsonType = (type: string): boolean => /^application\/([\w.-]+\+)?json$/.test(type);

/** Lists the types that a schema allows for a whole value. */
export function typesOfSchema(document: object, schema: unknown, known = new Set<unknown>()): Set<unknown> {
  if (known.has(schema)) return new Set();
  known.add(schema);
  const { $ref, type = [], oneOf = [], anyOf = [], allOf = [], properties }: JsonObject = Object(schema);
  const target = typeof $ref === 'string' ? [findReferenced(document, $ref)] : [];
  const own = [type, properties ? 'object' : []].flat();
  const others = [oneOf, anyOf, allOf, target].flat();
  return new Set([...own, ...others.flatMap((other) => [...typesOfSchema(document, other, known)])]);
}

/** What separates the items of a list in a query, by style; a list that repeats its name has no separator. */
const separators: Readonly<Record<string, string>> = { form: ',', spaceDelimited: ' ', pipeDelimited: '|' };

/** Returns the separator of a parameter's list, or nothing if the list repeats the name, or its style is not one of lists. */
export function separatorOf({ style = 'form', explode = style === 'form' }: JsonObject): string | undefined {
  return explode === true ? undefined : separators[String(style)];
}
