/**
 * Defines input types as SDL: one to create and one to update each content type, and one for each embedded type.
 *
 * A reference is written as a `ReferenceInput`.
 */

import { memberOf } from '../../base/own-members.ts';
import {
  type ContentType,
  type EmbeddedType,
  type Field,
  type Json,
  type JsonObject,
  kindOf,
  type ValueType,
} from '../../model/content-type.ts';
import { isAnyJson } from '../../model/values/scalars.ts';
import { isJsonObject } from '../../model/values/validate-asset.ts';
import { block, deprecate, describe } from './sdl-text.ts';
import { defineEnum } from './type-definitions.ts';
import { findValueTypes, inputNameOf, kindMemberOf } from './value-types.ts';

/** Defines the inputs of content types; `known` are the types of fields that are already defined, by GraphQL name. */
export function defineInputs(types: readonly ContentType[], known: ReadonlyMap<string, ValueType>): string[] {
  if (types.length === 0) return [];
  const valueTypes = findValueTypes(types);
  return [
    referenceInput,
    ...types.flatMap((type) => [createInputOf(type), updateInputOf(type)]),
    ...[...valueTypes].flatMap(([name, type]) => {
      if (type.kind === 'enum') return known.has(name) ? [] : [defineEnum(type)];
      if (type.kind !== 'embedded') return [];
      const { kinds, fields } = type.type;
      if (!isWritable(type.type)) return [];
      return kinds
        ? [block(`input ${inputNameOf(type)} @oneOf`, [...kinds.values()].filter(isWritable).map(kindMember))]
        : [block(`input ${inputNameOf(type)}`, fieldsOf(fields.values()))];
    }),
  ];
}

/** Whether an endpoint has any field of an embedded type: it may lack the types that all its references point to. */
const isWritable = ({ fields }: EmbeddedType) => fields.size > 0;

const kindMember = (type: EmbeddedType) =>
  `${describe(type.description)}${kindMemberOf(type)}: ${inputNameOf({ kind: 'embedded', type })}`;

const referenceInput = `
"Points at an asset."
input ReferenceInput {
  "The asset's UUID."
  _ref: ID!
  "Its class name or type ID; needed where the field can point at several types."
  _type: String
}
`;

function createInputOf({ name, fields }: ContentType): string {
  const id = '"A UUID that no asset has yet." _id: ID';
  return block(`input Create${name}Input`, [id, ...fieldsOf(fields.values())]);
}

function updateInputOf({ name, fields }: ContentType): string {
  const optional = [...fields.values()].map(({ default: _, ...field }) => ({ ...field, required: false }));
  return block(`input Update${name}Input`, fieldsOf(optional));
}

function fieldsOf(fields: Iterable<Field>): string[] {
  return [...fields].map((field) => {
    const { description, graphqlName, type, list } = field;
    const required = field.required && !field.isSupplied;
    const name = inputNameOf(type);
    const whole = `${list ? `[${name}!]` : name}${required ? '!' : ''}${defaultOf(field)}`;
    // GraphQL forbids to deprecate what every input must have.
    const mark = required && field.default === undefined ? '' : deprecate(field.deprecated);
    return `${describe(description)}${graphqlName}: ${whole}${mark}`;
  });
}

/** Writes the default of a field, such as ` = [OPEN]`, to follow its type; empty without a default. */
function defaultOf(field: Field): string {
  return field.default === undefined ? '' : ` = ${literalOf(field.default, field)}`;
}

function literalOf(value: Json, { type }: Pick<Field, 'type'>): string {
  if (type.kind === 'scalar' && isAnyJson(type.scalar)) return freeLiteral(value);
  if (Array.isArray(value)) return `[${value.map((item) => literalOf(item, { type })).join(', ')}]`;
  if (type.kind === 'embedded' && isJsonObject(value)) return embeddedLiteral(value, type.type);
  return type.kind === 'enum' ? String(value) : freeLiteral(value);
}

function embeddedLiteral(value: JsonObject, type: EmbeddedType): string {
  const { name, fields } = kindOf(type, value) ?? type;
  if (type.kinds)
    return `{ ${kindMemberOf({ name })}: ${embeddedLiteral(value, { name, fields, dropped: [] })} }`;
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
