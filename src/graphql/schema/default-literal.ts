/**
 * Writes the default of a field as a GraphQL literal, by GraphQL names.
 */
import { memberOf } from '../../base/own-members.ts';
import type { EmbeddedType, Field, Json } from '../../model/content-type.ts';
import { isJsonObject } from '../../model/values/validate-asset.ts';

/** Writes the default of a field, such as ` = [OPEN]`, to follow its type; empty without a default. */
export function defaultOf(field: Field): string {
  return field.default === undefined ? '' : ` = ${literalOf(field.default, field)}`;
}

function literalOf(value: Json, { type }: Pick<Field, 'type'>): string {
  if (type.kind === 'scalar' && type.scalar === 'JSON') return freeLiteral(value);
  if (Array.isArray(value)) return `[${value.map((item) => literalOf(item, { type })).join(', ')}]`;
  if (type.kind === 'embedded' && isJsonObject(value)) return embeddedLiteral(value, type.type);
  return type.kind === 'enum' ? String(value) : freeLiteral(value);
}

function embeddedLiteral(value: { readonly [name: string]: Json }, { fields }: EmbeddedType): string {
  const members = [...fields.values()].flatMap((field) => {
    const member = memberOf(value, field.name);
    return member === undefined ? [] : [`${field.graphqlName}: ${literalOf(member, field)}`];
  });
  return `{ ${members.join(', ')} }`;
}

/** Writes JSON. The names in it are GraphQL names, since a default is written in GraphQL; a JSON string is also a GraphQL string. */
function freeLiteral(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(freeLiteral).join(', ')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([name, member]) => `${name}: ${freeLiteral(member)}`)
    .join(', ')} }`;
}
