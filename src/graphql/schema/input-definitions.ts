/**
 * Defines input types as SDL: one to create and one to update each content type, and one for each embedded type.
 *
 * A reference is written as a `ReferenceInput`.
 */
import type { ContentType, Field, ValueType } from '../../model/content-type.ts';
import { defaultOf } from './default-literal.ts';
import { block, deprecate, describe } from './sdl-text.ts';
import { defineEnum } from './type-definitions.ts';
import { findValueTypes, inputNameOf } from './value-types.ts';

/** Defines the inputs of content types; `known` are the types of fields that are already defined, by GraphQL name. */
export function defineInputs(types: readonly ContentType[], known: ReadonlyMap<string, ValueType>): string[] {
  if (types.length === 0) return [];
  const valueTypes = findValueTypes(types);
  return [
    referenceInput,
    ...types.flatMap((type) => [createInputOf(type), updateInputOf(type)]),
    ...[...valueTypes].flatMap(([name, type]) => {
      if (type.kind === 'enum') return known.has(name) ? [] : [defineEnum(type)];
      return type.kind === 'embedded'
        ? [block(`input ${inputNameOf(type)}`, fieldsOf(type.type.fields.values()))]
        : [];
    }),
  ];
}

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
    const { description, graphqlName, type, list, required } = field;
    const name = inputNameOf(type);
    const whole = `${list ? `[${name}!]` : name}${required ? '!' : ''}${defaultOf(field)}`;
    // GraphQL forbids to deprecate what every input must have.
    const mark = required && field.default === undefined ? '' : deprecate(field.deprecated);
    return `${describe(description)}${graphqlName}: ${whole}${mark}`;
  });
}
