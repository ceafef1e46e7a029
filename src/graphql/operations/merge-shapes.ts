/**
 * Shapes that several concrete types have alike, made one: they differ in the types' names alone.
 */
import type { OutputMember, OutputShape, OutputType } from '../operation.ts';

/** Makes one of those shapes that are alike but for their own `__typename`, which is then any of theirs. */
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

/** A text that is the same for shapes that are alike; `withOwnType` says whether its own `__typename` matters. */
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
