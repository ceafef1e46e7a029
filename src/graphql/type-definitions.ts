/**
 * The types of the GraphQL schema, written as SDL: content types, embedded values, enums, unions, and inputs to write them.
 *
 * A reference is the asset it points at when read, and a `ReferenceInput` when written.
 */
import { Kind, parse, print, visit } from 'graphql';
import type { Catalog, ContentType, EmbeddedType, Field, ValueType } from '../model/content-type.ts';
import { readSuppliedSources } from '../model/type-sources.ts';

type Fields = ReadonlyMap<string, Field>;

/** Defines all types but `Query` and `Mutation`. */
export function defineTypes(catalog: Catalog): string[] {
  const types = [...catalog.types.values()];
  const interfaces = [...catalog.interfaces.values()];
  return [
    ...suppliedTypes(),
    ownTypes,
    ...interfaces.map((type) => contentTypeOf(type, catalog)),
    ...types.flatMap((type) => [contentTypeOf(type, catalog), createInputOf(type), updateInputOf(type)]),
    ...[...types, ...interfaces].map(listTypeOf),
    ...[...findValueTypes([...types, ...interfaces]).values()].flatMap((type) => valueTypeOf(type, catalog)),
  ];
}

/** A definition with its members. */
export function block(head: string, lines: readonly string[]): string {
  return `${head} {\n${lines.join('\n')}\n}`;
}

/** The scalars and `Content` as content types know them, without the directives that are for the catalog. */
function suppliedTypes(): string[] {
  const definitions = readSuppliedSources().flatMap(({ text }) => parse(text).definitions);
  return definitions
    .filter(({ kind }) => kind === Kind.SCALAR_TYPE_DEFINITION || kind === Kind.INTERFACE_TYPE_DEFINITION)
    .map((definition) => print(visit(definition, { Directive: () => null })));
}

/** What every schema has besides, whatever the content types are. */
const ownTypes = `
"Points at an asset."
input ReferenceInput {
  "The asset's UUID."
  _ref: ID!
  "Its class name or type ID; needed where the field can point at several types."
  _type: String
}

"One field to sort by."
input SortInput {
  "The path of the field, by JSON names."
  field: String!
  order: SortOrder = ASC
}

enum SortOrder {
  ASC
  DESC
}
`;

function contentTypeOf(type: ContentType, catalog: Catalog): string {
  const kind = type.kind === 'object' ? 'type' : 'interface';
  const parents = ['Content', ...namesOf(type.interfaces, catalog)];
  const members = ['"The asset\'s UUID." _id: ID!', '"The class name of its content type." _type: String!'];
  return (
    describe(type.description) +
    block(`${kind} ${type.name} implements ${parents.join(' & ')}`, [
      ...members,
      ...outputFields(type.fields),
    ])
  );
}

function listTypeOf({ name }: ContentType): string {
  return `"One page of what was found." type ${name}List { "How many there are in all." count: Int! items: [${name}!]! }`;
}

function createInputOf({ name, fields }: ContentType): string {
  const id = '"A UUID that no asset has yet." _id: ID';
  return block(`input Create${name}Input`, [id, ...inputFields(fields)]);
}

function updateInputOf({ name, fields }: ContentType): string {
  const optional = [...fields].map(([key, field]) => [key, { ...field, required: false }] as const);
  return block(`input Update${name}Input`, inputFields(new Map(optional)));
}

/** The definition of an enum, a union or an embedded type; nothing for a reference to a type that is defined anyway. */
function valueTypeOf(type: ValueType, catalog: Catalog): string[] {
  switch (type.kind) {
    case 'scalar':
      return [];
    case 'enum':
      return [block(`enum ${type.name}`, type.values)];
    case 'embedded':
      return [
        describe(type.type.description) + block(`type ${type.type.name}`, outputFields(type.type.fields)),
        block(`input ${type.type.name}Input`, inputFields(type.type.fields)),
      ];
    case 'reference':
      return isUnion(type.name, catalog)
        ? [`union ${type.name} = ${namesOf(type.targets, catalog).join(' | ')}`]
        : [];
  }
}

function namesOf(classes: readonly string[], catalog: Catalog): string[] {
  return classes.flatMap((className) => catalog.find(className)?.name ?? []);
}

function isUnion(name: string, { types, interfaces }: Catalog): boolean {
  return (
    name !== 'Content' && ![...types.values(), ...interfaces.values()].some((type) => type.name === name)
  );
}

/** The types of all fields, by GraphQL name, those of embedded values included. */
function findValueTypes(types: readonly ContentType[]): ReadonlyMap<string, ValueType> {
  const found = new Map<string, ValueType>();
  const visit = ({ fields }: ContentType | EmbeddedType) => {
    for (const { type } of fields.values()) {
      if (found.has(nameOf(type))) continue;
      found.set(nameOf(type), type);
      if (type.kind === 'embedded') visit(type.type);
    }
  };
  types.forEach(visit);
  return found;
}

function outputFields(fields: Fields): string[] {
  // The asset referred to may have been deleted, and is null then, even where the reference itself is required.
  return [...fields.values()].map((field) =>
    fieldOf(field, { name: nameOf(field.type), isCertain: field.type.kind !== 'reference' }),
  );
}

function inputFields(fields: Fields): string[] {
  return [...fields.values()].map((field) =>
    fieldOf(field, { name: inputNameOf(field.type), isCertain: true }),
  );
}

function fieldOf(field: Field, { name, isCertain }: { name: string; isCertain: boolean }): string {
  const required = field.required ? '!' : '';
  const type = field.list
    ? `[${name}${isCertain ? '!' : ''}]${required}`
    : name + (isCertain ? required : '');
  return `${describe(field.description)}${field.graphqlName}: ${type}`;
}

function nameOf(type: ValueType): string {
  if (type.kind === 'scalar') return type.scalar;
  return type.kind === 'embedded' ? type.type.name : type.name;
}

function inputNameOf(type: ValueType): string {
  if (type.kind === 'reference') return 'ReferenceInput';
  return type.kind === 'embedded' ? `${type.type.name}Input` : nameOf(type);
}

/** A description in front of a definition. A JSON text is a GraphQL string too. */
function describe(description: string | undefined): string {
  return description === undefined ? '' : `${JSON.stringify(description)} `;
}
