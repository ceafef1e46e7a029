/**
 * Arranges the fields of a form: which stand in the main column and in which section, which stand beside it, and which share a row.
 */
import type { ContentType, Field } from 'colophon-client/admin';
import { groupNameOf, isSystemField, isWithin } from '../../../parts/data/field-label.ts';
import { isTime, type ScalarView, viewOf } from '../../../parts/data/scalar-views.ts';

/** Fields under one heading; those without a group have none. */
export interface FieldGroup {
  readonly name: string | undefined;
  readonly fields: readonly Field[];
}

/** The fields of a form by their places. */
export interface FieldArrangement {
  /** The main column, with the title first. */
  readonly main: readonly FieldGroup[];
  /** The fields beside it, which say what an asset is and not what it contains. */
  readonly side: readonly Field[];
  /** Those that Colophon defines for every type. */
  readonly system: readonly Field[];
}

/** Arranges the fields of a content type. A field with a group stays in it. */
export function arrangeFields({
  fields,
  titleField,
}: Pick<ContentType, 'fields' | 'titleField'>): FieldArrangement {
  const own = fields.filter((field) => !isSystemField(field));
  const isTitle = ({ name }: Field) => titleField !== undefined && isWithin(titleField, name);
  const isBeside = (field: Field) =>
    isAboutAsset(field) && groupNameOf(field) === undefined && !isTitle(field);
  const main = own.filter((field) => !isBeside(field));
  return {
    main: groupFields([...main.filter(isTitle), ...main.filter((field) => !isTitle(field))]),
    side: own.filter(isBeside),
    system: fields.filter(isSystemField),
  };
}

/** Groups fields by `@group`, or by their names before the last dot, as `seo` in `seo.title`; those without either come first. */
export function groupFields(fields: readonly Field[]): FieldGroup[] {
  const groups = new Map<string | undefined, Field[]>([[undefined, []]]);
  for (const field of fields) {
    const name = groupNameOf(field);
    groups.set(name, [...(groups.get(name) ?? []), field]);
  }
  return [...groups]
    .map(([name, members]) => ({ name, fields: members }))
    .filter((group) => group.fields.length > 0);
}

/** The longest text that needs only half a row. */
const maxShortLength = 60;

const shortViews: readonly (ScalarView | undefined)[] = ['wholeNumber', 'number', 'decimal', 'yesOrNo'];

/** Tells whether the input of a field needs only half a row. */
export function isShort({ type, list, constraint }: Field): boolean {
  if (list) return false;
  if (type.kind === 'enum' || isTime(type) || shortViews.includes(viewOf(type))) return true;
  return viewOf(type) === 'words' && (constraint.maxLength ?? Number.POSITIVE_INFINITY) <= maxShortLength;
}

function isAboutAsset({ name, type, list }: Field): boolean {
  if (list) return false;
  const isChoice = type.kind === 'enum' || type.kind === 'reference' || viewOf(type) === 'yesOrNo';
  return isChoice || isTime(type) || name === 'slug';
}
