/**
 * Names fields in words, as forms and lists show them.
 */
import type { ContentType, Field, FieldType } from 'colophon-client/admin';
import { wordsOfName } from '../../../text/words-of-name.ts';

/** The longest description that still is a label. */
const maxLabelLength = 30;

/** The label of a field: that of `@label`, or its description if that is a few words and no sentence, otherwise its name in words. */
export function labelOf({ name, description, label }: Pick<Field, 'name' | 'description' | 'label'>): string {
  if (label !== undefined) return label;
  const text = description?.trim() ?? '';
  const isLabel = text !== '' && text.length <= maxLabelLength && !/[.\n]/.test(text);
  return isLabel ? text : wordsOfName(name);
}

/** The section of a form that a field stands in: that of `@group`, or its name before the last dot in words, as `Seo` for `seo.title`. */
export function groupNameOf(field: Pick<Field, 'name' | 'group'>): string | undefined {
  if (field.group !== undefined) return field.group;
  const prefix = prefixOf(field);
  return prefix === '' ? undefined : wordsOfName(prefix);
}

/** Names a field where there is no heading that it stands under: `Seo, Title` for `seo.title`. */
export function fullLabelOf(field: Pick<Field, 'name' | 'description' | 'label'>): string {
  const prefix = isSystemField(field) ? '' : prefixOf(field);
  return prefix === '' ? labelOf(field) : `${wordsOfName(prefix)}, ${labelOf(field)}`;
}

const prefixOf = ({ name }: Pick<Field, 'name'>) => name.split('.').slice(0, -1).join('.');

/** The name of a type for people: that of `@label`, or its GraphQL name in words. */
export const nameOfType = ({ name, label }: Pick<ContentType, 'name' | 'label'>) =>
  label ?? wordsOfName(name);

/** The words for a value of an enum: those of `@label`, or its name in words, such as `In review`. */
export const wordsOf = ({ labels }: Pick<FieldType, 'labels'>, value: string): string =>
  labels?.[value]?.text ?? wordsOfName(/[a-z]/.test(value) ? value : value.toLowerCase());

/** Names the place of a problem, such as `sources[0].title`, as the form does: `Sources 1, Title`. `sources[]` is any item. */
export function labelOfPath({ fields, embeddedTypes }: ContentType, path: string): string {
  const labels: string[] = [];
  let members: readonly Field[] = fields;
  let rest = path;
  while (rest !== '') {
    const field = members.find(({ name }) => isWithin(rest, name));
    if (!field) return labels.length === 0 ? path : labels.join(', ');
    const [whole, index] = /^(?:\[(\d*)\])?\.?/.exec(rest.slice(field.name.length)) ?? [''];
    labels.push(fullLabelOf(field) + (index ? ` ${Number(index) + 1}` : ''));
    rest = rest.slice(field.name.length + whole.length);
    const shape = embeddedTypes.find(({ name }) => name === field.type.name);
    members = embeddedTypes
      .filter(({ name }) => (shape?.kinds ?? [field.type.name]).includes(name))
      .flatMap(({ fields: inside }) => inside);
  }
  return labels.join(', ');
}

/** Whether a path is that of a field or below it. */
export function isWithin(path: string, name: string): boolean {
  return path === name || path.startsWith(`${name}.`) || path.startsWith(`${name}[`);
}

/** Whether Colophon defines a field for every type, as it does those of publication. */
export const isSystemField = ({ name }: Pick<Field, 'name'>) => name.startsWith('cms.');
