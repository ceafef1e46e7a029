/**
 * The paths of the fields of a content type.
 */
import type { ContentType, Field } from 'colophon-client/admin';

/** The path of a field, such as `place.country`, and its names on the way. */
export interface FieldPath {
  readonly path: string;
  readonly steps: readonly string[];
  readonly field: Field;
  /** Whether it belongs to the items of a list of embedded values. */
  readonly isInList: boolean;
}

/** The paths of all fields of a type, down to those of embedded values; `withLists` adds the lists of these. */
export function fieldPaths(
  type: ContentType,
  { withLists = false }: { readonly withLists?: boolean } = {},
): FieldPath[] {
  const embedded = new Map(type.embeddedTypes.map(({ name, fields }) => [name, fields]));
  const visit = (fields: readonly Field[], above: Above): FieldPath[] =>
    fields.flatMap((field) => {
      const steps = [...above.steps, field.name];
      const { isInList } = above;
      const own = { path: steps.join('.'), steps, field, isInList };
      if (field.type.kind !== 'embedded') return [own];
      const list = withLists && field.list ? [own] : [];
      if (above.types.includes(field.type.name)) return list;
      const types = [...above.types, field.type.name];
      const fields = embedded.get(field.type.name) ?? [];
      return [...list, ...visit(fields, { steps, types, isInList: isInList || field.list })];
    });
  return visit(type.fields, { steps: [], types: [], isInList: false });
}

/** The embedded values around a field. */
interface Above {
  readonly steps: readonly string[];
  readonly types: readonly string[];
  readonly isInList: boolean;
}
