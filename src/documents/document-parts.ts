/**
 * Reads parts of an OpenAPI document: references, operations, the bodies of requests, and how queries write lists.
 */
import type { Json, JsonObject } from '../model/content-type.ts';
import { isJsonObject } from '../model/values/validate-asset.ts';

/** Returns the object that a value of a document stands for, with the members beside its reference; an empty one where the document has none. */
export function followReference(document: object, value: unknown): JsonObject {
  const { $ref, ...beside } = Object(value);
  if (typeof $ref !== 'string') return Object(value);
  return { ...followReference(document, findReferenced(document, $ref)), ...beside };
}

/** Finds what a reference such as `#/components/schemas/Page` points at. */
export function findReferenced(document: object, reference: string): unknown {
  const names = reference.split('/').slice(1).map(decodeURIComponent);
  return names
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>(
      (above, name) => (Object.hasOwn(Object(above), name) ? Object(above)[name] : undefined),
      document,
    );
}

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

/** Lists the operations of a document, each with its path, its method, and all its parameters: its own replace those of its path. */
export function listOperations(document: { readonly paths?: object }): JsonObject[] {
  return Object.entries(document.paths ?? {}).flatMap(([path, item]) => {
    const { parameters: shared = [], ...methods } = Object(item);
    return Object.entries<JsonObject>(methods)
      .filter(([, { operationId }]) => operationId !== undefined)
      .map(([method, { parameters = [], ...operation }]) => {
        const all = [shared, parameters].flat().map((one) => followReference(document, one));
        const byName = new Map(all.map((one) => [`${one.in} ${one.name}`, one]));
        return { ...operation, path, method, parameters: [...byName.values()] };
      });
  });
}

/** Rewrites the objects of a value, the inner ones first. */
export function mapObjects<Value extends Json>(value: Value, map: (object: JsonObject) => JsonObject): Value;
export function mapObjects(value: Json, map: (object: JsonObject) => JsonObject): Json {
  if (Array.isArray(value)) return value.map((item) => mapObjects(item, map));
  if (!isJsonObject(value)) return value;
  return map(Object.fromEntries(Object.entries(value).map(([name, item]) => [name, mapObjects(item, map)])));
}

/** Rewrites the objects of a document, the inner ones first. */
export const mapDocument = <Document extends object>(
  document: Document,
  map: (object: JsonObject) => JsonObject,
): Document =>
  // A parsed document is JSON, which its type does not say.
  mapObjects(document as unknown as JsonObject, map) as unknown as Document;
