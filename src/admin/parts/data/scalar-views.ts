/**
 * How the pages show and edit the values of each scalar. A new scalar does not compile until it has a row here; a row with a new
 * view, until every page knows the view.
 */
import type { FieldType } from 'colophon-client/admin';
import type { ScalarName } from '../../../model/content-type.ts';

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
