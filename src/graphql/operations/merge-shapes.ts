/**
 * Merges shapes of several concrete types that differ in nothing but the type's name.
 */
import type { OutputMember, OutputShape, OutputType } from '../operation.ts';

/** Merges shapes that differ in their own `__typename` only; the merged one allows the names of all. */
export function mergeAlike(shapes: readonly OutputShape[]): OutputShape[] {
  return [...Map.groupBy(shapes, (shape) => keyOf(shape, false)).values()].map(mergeShapes);
}

function mergeShapes(shapes: readonly OutputShape[]): OutputShape {
  const [first = new Map<string, OutputMember>()] = shapes;
  const typesOf = (key: string) =>
    shapes.flatMap((shape) => {
      const type = shape.get(key)?.type;
      return type?.kind === 'typename' ? type.values : [];
    });
  return new Map(
    [...first].map(([key, member]) => [
      key,
      member.type.kind === 'typename'
        ? { ...member, type: { ...member.type, values: typesOf(key) } }
        : member,
    ]),
  );
}

/** Returns a text that is equal for equal shapes; `withOwnType` says whether the shape's own `__typename` counts. */
function keyOf(shape: OutputShape, withOwnType: boolean): string {
  const members = [...shape].map(([key, { type, optional }]) => {
    const value = type.kind === 'typename' && !withOwnType ? type.kind : typeKeyOf(type);
    return `${key}${optional ? '?' : ''}:${value}`;
  });
  return `{${members.sort().join()}}`;
}

function typeKeyOf(type: OutputType): string {
  const suffix = type.nullable ? '?' : '';
  switch (type.kind) {
    case 'scalar':
    case 'enum':
      return type.name + suffix;
    case 'typename':
      return type.values.join('|') + suffix;
    case 'list':
      return `[${typeKeyOf(type.of)}]${suffix}`;
    case 'object':
      return type.shapes.map((shape) => keyOf(shape, true)).join('|') + suffix;
  }
}
