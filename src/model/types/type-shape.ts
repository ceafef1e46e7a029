/**
 * The shape of a content type: a short hash of all that decides how its assets are stored, checked and shown. Types with the same
 * shape accept the same assets. Descriptions do not count.
 */
import { createHash } from 'node:crypto';
import type { Catalog, ContentType, Field } from '../content-type.ts';

/** Returns the shape of a type: 8 characters that fit a header. */
export function shapeOf({ class: className, fields }: ContentType): string {
  const hash = createHash('sha256').update(JSON.stringify([className, describeFields(fields, [])]));
  return hash.digest('base64url').slice(0, 8);
}

/** Computes the shapes of all types of a catalog once, and returns a function that finds them by class name. */
export function createShapes({ types }: Catalog): (className: string) => string {
  const shapes = new Map([...types].map(([className, type]) => [className, shapeOf(type)]));
  return (className) => {
    const shape = shapes.get(className);
    if (shape === undefined) throw new Error(`no content type ${className}`);
    return shape;
  };
}

/** Describes fields as plain JSON. An embedded type may contain itself; `seen` are the names of those around. */
function describeFields(fields: ReadonlyMap<string, Field>, seen: readonly string[]): unknown[] {
  return [...fields.values()]
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .map(({ name, type, list, required, constraint }) => [
      name,
      describeType(type, seen),
      list,
      required,
      Object.entries(constraint).sort(),
    ]);
}

function describeType(type: Field['type'], seen: readonly string[]): unknown {
  switch (type.kind) {
    case 'scalar':
      return type.scalar;
    case 'enum':
      return [type.kind, type.values];
    case 'reference':
      return [type.kind, type.targets];
    case 'embedded': {
      const { name, fields } = type.type;
      return [type.kind, name, seen.includes(name) ? [] : describeFields(fields, [...seen, name])];
    }
  }
}
