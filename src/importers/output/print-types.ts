/**
 * Prints content types as SDL, for people to edit.
 */
import type { ObjectType, TypeField, WrittenType } from '../reader.ts';

/** Prints types, one after the other. */
export const printTypes = (types: readonly WrittenType[]): string => `${types.map(printType).join('\n\n')}\n`;

function printType(type: WrittenType): string {
  switch (type.kind) {
    case 'object':
      return printObject(type);
    case 'union':
      return `union ${type.name} = ${type.members.join(' | ')}`;
    case 'enum':
      return `enum ${type.name} {\n${type.values.map((value) => `  ${value}`).join('\n')}\n}`;
  }
}

function printObject({ name, class: className, description, directives = [], fields }: ObjectType): string {
  const marks = [
    ...(className === undefined ? [] : [`@contentType(class: ${JSON.stringify(className)})`]),
    ...directives,
  ];
  const head = ['type', name, ...marks].join(' ');
  // A content type without fields has those of `Content`.
  const members = fields.length > 0 ? ` {\n${fields.map(printField).join('\n')}\n}` : '';
  return `${describe(description, '')}${head}${members}`;
}

function printField({
  name,
  type,
  isList,
  isRequired,
  directives = [],
  limits = [],
  description,
}: TypeField): string {
  const graphqlName = name.replaceAll(/[.-]/g, '_');
  const whole = `${isList ? `[${type}!]` : type}${isRequired ? '!' : ''}`;
  const marks = [
    ...(graphqlName === name ? [] : [`@json(name: ${JSON.stringify(name)})`]),
    ...directives,
    ...(limits.length > 0 ? [`@constraint(${limits.join(', ')})`] : []),
  ];
  return `${describe(description, '  ')}  ${[`${graphqlName}: ${whole}`, ...marks].join(' ')}`;
}

const describe = (description: string | undefined, indent: string) =>
  description ? `${indent}${JSON.stringify(description.replaceAll(/\s+/g, ' ').trim())}\n` : '';
