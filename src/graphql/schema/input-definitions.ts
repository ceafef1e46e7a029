/**
 * Defines input types as SDL: one to create and one to update each content type, and one for each embedded type.
 *
 * A reference is written as a `ReferenceInput`.
 */

import { memberOf } from '../../base/own-members.ts';
import {
  type Catalog,
  type ContentType,
  type EmbeddedType,
  type Field,
  hasDefault,
  type Json,
  type JsonObject,
  kindOf,
  type ValueType,
} from '../../model/content-type.ts';
import { type FieldPath, graphqlKeyName, type KeyPaths, keyInputName } from '../../model/field-path.ts';
import { isAnyJson } from '../../model/values/scalars.ts';
import { isJsonObject } from '../../model/values/validate-asset.ts';
import type { Quantifier } from '../../query/ast.ts';
import { familyOf } from '../../query/operators.ts';
import { isOptionalInKey } from '../../query/unique-values.ts';
import {
  classNameFilter,
  createFilterFields,
  filterNameOf,
  isFilteredByItems,
  keyNameOf,
  keysOf,
  listFilterNameOf,
  operatorsOf,
} from '../filters/filter-types.ts';
import { block, defineEnum, deprecate, describe } from './type-definitions.ts';
import { findValueTypes, inputNameOf, kindMemberOf, outputNameOf } from './value-types.ts';

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
    const required = field.required && !field.isSupplied && !field.defaultVariable;
    const name = inputNameOf(type);
    const whole = `${list ? `[${name}!]` : name}${required ? '!' : ''}${defaultOf(field)}`;
    // GraphQL forbids to deprecate what every input must have.
    const mark = required && !hasDefault(field) ? '' : deprecate(field.deprecated);
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

/** Defines the filters of all content types and of what they contain, and the keys of those that have any. */
export function defineFilters(catalog: Catalog): string[] {
  const fieldsOf = createFilterFields(catalog);
  const defined = new Map<string, string>();

  function define(name: string, write: () => string): string {
    if (!defined.has(name)) {
      // Known before it is written, since a type may contain itself.
      defined.set(name, '');
      defined.set(name, write());
    }
    return name;
  }

  /** Returns the name of the filter of one value. */
  function ofValue(type: ValueType): string {
    const name = filterNameOf(outputNameOf(type));
    if (type.kind === 'embedded' || type.kind === 'reference')
      return define(name, () => objectFilter(name, type));
    return define(name, () => valueFilter(name, type));
  }

  function ofField(field: Field): string {
    const one = ofValue(field.type);
    if (!isFilteredByItems(field)) return one;
    const name = listFilterNameOf(outputNameOf(field.type));
    const hasFields = field.type.kind === 'embedded' || field.type.kind === 'reference';
    const members = hasFields ? Object.entries(quantifiers) : [['any', quantifiers.any] as const];
    return define(name, () =>
      block(
        `input ${name}`,
        members.map(([member, description]) => `${describe(description)}${member}: ${one}`),
      ),
    );
  }

  function objectFilter(name: string, type: ValueType | ContentType): string {
    const isAsset = type.kind !== 'embedded';
    return block(`input ${name}`, [
      ...(isAsset ? [`_id: ${filterNameOf('ID')}`, `_type: ${classNameFilter}`] : []),
      ...[...fieldsOf(type).values()].map(
        (field) => `${field.graphqlName}: ${ofField(field)}${deprecate(field.deprecated)}`,
      ),
      `and: [${name}!]`,
      `or: [${name}!]`,
      `not: ${name}`,
    ]);
  }

  define(filterNameOf('ID'), () => valueFilter(filterNameOf('ID'), { kind: 'scalar', scalar: 'ID' }));
  define(classNameFilter, () => valueFilter(classNameFilter, { kind: 'type' }));
  for (const type of [...catalog.types.values(), ...catalog.interfaces.values()]) {
    const name = filterNameOf(type.name);
    define(name, () => objectFilter(name, type));
  }
  return [...defined.values(), ...[...catalog.types.values()].flatMap(defineKey)];
}

/** Defines the filter of a scalar, of an enum or of class names. */
function valueFilter(name: string, leaf: FieldPath['leaf']): string {
  const type = leaf.kind === 'scalar' ? leaf.scalar : leaf.kind === 'enum' ? leaf.name : 'String';
  const types = { value: type, list: `[${type}!]`, text: 'String' };
  const members = operatorsOf(leaf).map(
    ([member, { takes, description }]) => `${describe(description)}${member}: ${types[takes]}`,
  );
  const ofTexts = '"Whether capital and small letters are alike." ignoreCase: Boolean';
  const isText = leaf.kind !== 'enum' && familyOf(leaf) === 'text';
  return block(`input ${name}`, isText ? [...members, ofTexts] : members);
}

/** The members of the filter of a list; that of values without fields has the first. */
const quantifiers: Readonly<Record<Quantifier, string>> = {
  any: 'At least one item matches.',
  every: 'All items match, or there are none.',
  none: 'No item matches.',
};

function defineKey(type: ContentType): string[] {
  const keys = [...keysOf(type)];
  if (keys.length === 0) return [];
  const joined = keys.filter(([, paths]) => paths.length > 1);
  const members = keys.map(([name, paths]) => {
    const [path, ...others] = paths;
    return `${name}: ${path && others.length === 0 ? keyValueType(path) : keyInputName(type, paths)}`;
  });
  return [
    block(`"One of the keys of ${type.name}." input ${keyNameOf(type)} @oneOf`, members),
    ...joined.map(([, paths]) => defineJoinedKey(type, paths)),
  ];
}

/** Defines the input with the values of a key; the global site is null. */
function defineJoinedKey(type: ContentType, paths: KeyPaths): string {
  const members = paths.map((path) => {
    const whole = `${graphqlKeyName([path])}: ${keyValueType(path)}`;
    return isOptionalInKey(paths, path) ? `"Null for the global site." ${whole}` : `${whole}!`;
  });
  return block(`"What only one ${type.name} has." input ${keyInputName(type, paths)}`, members);
}

/** Returns the type of a field in a key. `_id` and `_type` are never marked as unique. */
function keyValueType({ leaf }: FieldPath): string {
  if (leaf.kind === 'id' || leaf.kind === 'type') throw new Error(`${leaf.kind} is no key`);
  return leaf.kind === 'reference' ? 'ID' : outputNameOf(leaf);
}
