/**
 * Follows the references of a document: JSON pointers to other places of the same document.
 */
import type { JsonObject } from '../model/content-type.ts';

/** Returns the object that a value of a document stands for, or an empty one where the document has none. */
export function followReference(document: object, value: unknown): JsonObject {
  const { $ref } = Object(value);
  return typeof $ref === 'string' ? followReference(document, findReferenced(document, $ref)) : Object(value);
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
