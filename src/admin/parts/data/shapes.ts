/**
 * The fields of embedded values. Of blocks, each value has those of its kind, which its `_type` names.
 */
import type { ContentType, EmbeddedType, Field } from 'colophon-client/admin';

/** The embedded types of a content type, by name. */
export type Shapes = ReadonlyMap<string, EmbeddedType>;

/** The shapes of every value that is embedded in a type. */
export const shapesOf = ({ embeddedTypes }: Pick<ContentType, 'embeddedTypes'>): Shapes =>
  new Map(embeddedTypes.map((shape) => [shape.name, shape]));

/** The kinds of values of a field of blocks; undefined for other fields. */
export const kindsOf = ({ type }: Field, shapes: Shapes): readonly string[] | undefined =>
  type.kind === 'embedded' ? shapes.get(type.name)?.kinds : undefined;

/** Whether the values of a field are files. */
export const isFileField = ({ type }: Field): boolean => type.kind === 'embedded' && type.name === 'File';

/** The fields of an embedded value; none for a block of an unknown kind. */
export function fieldsOfValue({ type }: Field, value: unknown, shapes: Shapes): readonly Field[] {
  const shape = shapes.get(type.name);
  if (!shape?.kinds) return shape?.fields ?? [];
  const kind = typeof value === 'object' && value !== null && '_type' in value ? String(value._type) : '';
  return shape.kinds.includes(kind) ? (shapes.get(kind)?.fields ?? []) : [];
}
