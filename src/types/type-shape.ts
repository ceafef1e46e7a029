/**
 * The shape of a content type: a short hash of all that decides how its assets are stored, checked and shown. Types with the same
 * shape accept the same assets. Descriptions and former names do not count. The default of a required field counts:
 * an asset without the field is accepted, and has the default. Dropped fields count: their stored values are accepted, and not shown.
 */
import { createHash } from 'node:crypto';
import type { Catalog, ContentType, EmbeddedType, Field } from '../model/content-type.ts';

/** Returns the shape of a type: 8 characters that fit a header. */
export function shapeOf(type: ContentType): string {
  const rules = type.checks.map(({ where }) => where).sort();
  const described = [type.class, describeMembers(type, []), ...(rules.length > 0 ? [rules] : [])];
  const hash = createHash('sha256').update(JSON.stringify(described));
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

/** Describes the members of an object as plain JSON: its fields, and those that are dropped. */
function describeMembers(
  { fields, dropped }: Pick<EmbeddedType, 'fields' | 'dropped'>,
  seen: readonly string[],
): unknown[] {
  const described = describeFields(fields, seen);
  return dropped.length === 0 ? described : [...described, { dropped: dropped.toSorted() }];
}

/** Describes fields as plain JSON. An embedded type may contain itself; `seen` are the names of those around. */
function describeFields(fields: ReadonlyMap<string, Field>, seen: readonly string[]): unknown[] {
  return [...fields.values()]
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .map(({ name, type, list, required, constraint, default: value }) => [
      name,
      describeType(type, seen),
      list,
      required,
      Object.entries(constraint).sort(),
      ...(required && value !== undefined ? [value] : []),
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
      const { name, kinds } = type.type;
      if (seen.includes(name)) return [type.kind, name, []];
      const around = [...seen, name];
      return kinds
        ? [
            type.kind,
            name,
            [...kinds].sort().map(([kind, members]) => [kind, describeMembers(members, around)]),
          ]
        : [type.kind, name, describeMembers(type.type, around)];
    }
  }
}
