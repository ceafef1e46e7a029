/**
 * What is known of scalars and embedded shapes.
 */
import type { ContentType, EmbeddedType, Field, FieldType } from 'colophon-client/admin';
import type { ScalarName } from '../../../model/content-type.ts';

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

/** A way to show and edit values. `text` is replaced as a whole, `words` are compared and searched word by word. */
export type ScalarView =
  | 'text'
  | 'words'
  | 'richText'
  | 'url'
  | 'wholeNumber'
  | 'number'
  | 'date'
  | 'day'
  | 'dateTime'
  | 'decimal'
  | 'yesOrNo'
  | 'json';

const scalarViews: Readonly<Record<ScalarName, ScalarView>> = {
  ID: 'text',
  String: 'words',
  RichText: 'richText',
  Url: 'url',
  Int: 'wholeNumber',
  Float: 'number',
  EpochMillis: 'date',
  Date: 'day',
  DateTime: 'dateTime',
  Decimal: 'decimal',
  Boolean: 'yesOrNo',
  JSON: 'json',
};

/** The views of dates and times. */
const timeViews: readonly (ScalarView | undefined)[] = ['date', 'day', 'dateTime'];

/** Tells whether values are dates or times. */
export const isTime = (type: Pick<FieldType, 'kind' | 'name'>): boolean => timeViews.includes(viewOf(type));

/** Returns the view of a scalar; `undefined` for enums, references and embedded values. */
export function viewOf({ kind, name }: Pick<FieldType, 'kind' | 'name'>): ScalarView | undefined {
  // The server, of which these pages are a part, names no other scalars.
  return kind === 'scalar' ? scalarViews[name as ScalarName] : undefined;
}
