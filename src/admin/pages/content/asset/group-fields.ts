/**
 * The groups in which a form shows the fields of a type.
 */
import type { ContentType, Field } from '../../../api.ts';
import { isSystemField, toWords } from '../../../parts/data/field-label.ts';

/** Fields under one heading; the first group has none. */
export interface FieldGroup {
  readonly name: string | undefined;
  readonly fields: readonly Field[];
}

/** Groups fields by their names before the last dot, as `seo` in `seo.title`; those without a dot come first. */
export function groupFields({ fields }: Pick<ContentType, 'fields'>): FieldGroup[] {
  const groups = new Map<string, Field[]>([['', []]]);
  for (const field of fields) {
    if (isSystemField(field)) continue;
    const prefix = field.name.split('.').slice(0, -1).join('.');
    const known = groups.get(prefix);
    if (known) known.push(field);
    else groups.set(prefix, [field]);
  }
  return [...groups]
    .filter(([, members]) => members.length > 0)
    .map(([prefix, members]) => ({ name: prefix === '' ? undefined : toWords(prefix), fields: members }));
}
