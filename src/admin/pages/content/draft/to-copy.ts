/**
 * Copies the fields of an asset for a new one.
 */
import type { Asset, ContentType } from 'colophon-client/admin';
import { isSystemField } from '../../../parts/data/field-label.ts';
import { viewOf } from '../../../parts/data/scalar-views.ts';

/** The fields of a copy; the copies of the `tries` before exist already. */
export function toCopy(original: Asset, type: ContentType, tries = 1): Record<string, unknown> {
  const distinct = distinctFields(type);
  const suffix = tries === 1 ? '-copy' : `-copy-${tries}`;
  const members = type.fields
    .filter((field) => original[field.name] !== undefined && !isDate(field))
    .map(({ name, constraint: { maxLength = Number.POSITIVE_INFINITY } }) => {
      const value = original[name];
      if (!distinct.has(name) || typeof value !== 'string') return [name, value] as const;
      return [name, value.slice(0, maxLength - suffix.length) + suffix] as const;
    });
  return Object.fromEntries(members);
}

/** The fields in which a copy differs: the unique ones, and the last text of fields that are unique together. */
export function distinctFields({
  fields,
  keys = [],
  conditionalKeys = [],
}: ContentType): ReadonlySet<string> {
  const single = fields.filter(({ indexed }) => indexed?.unique).map(({ name }) => name);
  const isText = (name: string) =>
    fields.some(
      (field) => field.name === name && field.type.kind === 'scalar' && field.type.name === 'String',
    );
  const together = [...keys, ...conditionalKeys.map((key) => key.fields)];
  return new Set([...single, ...together.flatMap((names) => names.findLast(isText) ?? [])]);
}

/** The dates of publication and of the last change are those of the original. */
const isDate = (field: ContentType['fields'][number]) =>
  isSystemField(field) && viewOf(field.type) === 'date';
