/**
 * Defines the types of results as SDL: content types, lists of them, embedded types, enums and unions.
 *
 * A reference has the type of the asset it points at. Inputs are defined in `input-definitions.ts`.
 */

import { type DefinitionNode, Kind, parse, print, visit } from 'graphql';
import {
  type Catalog,
  type ContentType,
  type EmbeddedType,
  type EnumType,
  type Field,
  isFileType,
  type ValueType,
} from '../../model/content-type.ts';
import { facetLimits } from '../../query/facets.ts';
import { fileFormats } from '../../text/file-url.ts';
import { readSuppliedSources } from '../../types/type-sources.ts';
import { filterNameOf } from '../filters/filter-types.ts';
import { listTypeName } from './root-names.ts';
import { findValueTypes, outputNameOf } from './value-types.ts';

/** Defines all types of results except `Query`; `limit` describes the limits of lists. */
export function defineTypes(catalog: Catalog, limit: string): string[] {
  const types = [...catalog.interfaces.values(), ...catalog.types.values()];
  return [
    ...suppliedTypes(catalog),
    sortTypes,
    facetTypes,
    ...types.map((type) => contentTypeOf(type, catalog, limit)),
    ...types.map(listTypeOf),
    ...defineValueTypes(types, catalog),
  ];
}

const fileUrl = `
"The address of the file. With arguments, that of a variant of a picture, where its format has any."
url(
  "The width in pixels: one of the sizes of the installation."
  width: Int
  "The height in pixels: one of the sizes of the installation."
  height: Int
  "What happens where the picture has another ratio than a given width and height."
  fit: FileFit = COVER
  "The format; the default is that of the picture."
  format: FileFormat
): String!
`;

const fileEnums = `
"How a picture is scaled to a width and a height."
enum FileFit {
  "It covers them, and is cut."
  COVER
  "They contain all of it."
  CONTAIN
}

"The formats of variants of pictures."
enum FileFormat {
  ${fileFormats.map((format) => format.toUpperCase()).join('\n  ')}
}
`;

function defineValueTypes(types: readonly ContentType[], catalog: Catalog): string[] {
  const all = [...findValueTypes(types).values()];
  const interfaces = all.flatMap((type) =>
    type.kind === 'embedded' && type.type.shared?.size ? [type.type] : [],
  );
  return all.flatMap((type) => valueTypeOf(type, { catalog, interfaces }));
}

export function defineEnum({ name, values, deprecated }: EnumType): string {
  return block(
    `enum ${name}`,
    values.map((value) => value + deprecate(deprecated?.get(value))),
  );
}

const sortTypes = `
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

const facetTypes = `
"The most frequent values of one field among all assets that a list finds."
type ListFacet {
  "The path of the field, by JSON names."
  path: String!
  "The values, the most frequent first."
  values: [ListFacetValue!]!
}

type ListFacetValue {
  value: JSON!
  "How many assets have the value."
  count: Int!
}
`;

/** Defines the scalars and `Content`, without the directives that only the catalog uses. */
function suppliedTypes(catalog: Catalog): string[] {
  const shared = sharedNames(catalog);
  return readSuppliedSources()
    .flatMap(({ text }) => parse(text).definitions)
    .filter(isScalarOrInterface)
    .map((definition) =>
      print(
        visit(definition, {
          Directive: () => null,
          FieldDefinition: ({ name }) => (shared.has(name.value) ? undefined : null),
        }),
      ),
    );
}

function isScalarOrInterface({ kind }: DefinitionNode): boolean {
  return kind === Kind.SCALAR_TYPE_DEFINITION || kind === Kind.INTERFACE_TYPE_DEFINITION;
}

/** Returns the GraphQL names of the fields that all content types have: `Content` cannot have others. */
function sharedNames({ types }: Catalog): ReadonlySet<string> {
  const [first = new Set<string>(), ...others] = [...types.values()].map(
    ({ fields }) => new Set([...fields.values()].map(({ graphqlName }) => graphqlName)),
  );
  return new Set(['_id', '_type', ...others.reduce((shared, names) => shared.intersection(names), first)]);
}

function contentTypeOf(type: ContentType, catalog: Catalog, limit: string): string {
  const kind = type.kind === 'object' ? 'type' : 'interface';
  const parents = ['Content', ...namesOf(type.interfaces, catalog)];
  const members = ['"The asset\'s UUID." _id: ID!', '"The class name of its content type." _type: String!'];
  return (
    describe(type.description) +
    block(`${kind} ${type.name} implements ${parents.join(' & ')}`, [
      ...members,
      ...fieldsOf(type),
      ...inversesOf(type, catalog, limit),
    ])
  );
}

function inversesOf({ inverses }: ContentType, catalog: Catalog, limit: string): string[] {
  return inverses.flatMap(({ graphqlName, description, deprecated, target }) => {
    const listed = catalog.types.get(target);
    if (!listed) return [];
    const list = `${graphqlName}${listArguments(listed, limit)}: ${listTypeName(listed)}!`;
    return [describe(description) + list + deprecate(deprecated)];
  });
}

function listTypeOf({ name }: ContentType): string {
  return block(`"One page of what was found." type ${name}List`, [
    '"How many there are in all." count: Int!',
    `items: [${name}!]!`,
    '"The cursor of the next page; null when nothing follows, and without the argument cursor." next: String',
    `"The most frequent values of fields with an index, by JSON names: at most ${facetLimits.paths} fields, and ${facetLimits.values} values of each."
      facets(paths: [String!]!): [ListFacet!]!`,
  ]);
}

/** Defines an enum, a union or an embedded type; returns nothing for other types, which are defined elsewhere. */
function valueTypeOf(
  type: ValueType,
  { catalog, interfaces }: { catalog: Catalog; interfaces: readonly EmbeddedType[] },
): string[] {
  switch (type.kind) {
    case 'scalar':
      return [];
    case 'enum':
      return [defineEnum(type)];
    case 'embedded':
      return [describe(type.type.description) + embeddedTypeOf(type.type, interfaces)];
    case 'reference':
      return isUnion(type.name, catalog)
        ? [`union ${type.name} = ${namesOf(type.targets, catalog).join(' | ')}`]
        : [];
  }
}

function embeddedTypeOf(type: EmbeddedType, interfaces: readonly EmbeddedType[]): string {
  const { name, kinds, shared } = type;
  if (shared?.size) return block(`interface ${name}`, fieldsOf({ fields: shared }));
  if (kinds) return `union ${name} = ${[...kinds.keys()].join(' | ')}`;
  const parents = interfaces.filter((blocks) => blocks.kinds?.has(name)).map((blocks) => blocks.name);
  const head = `type ${name}${parents.length > 0 ? ` implements ${parents.join(' & ')}` : ''}`;
  // A kind of blocks may only have references to types that the endpoint lacks.
  if (isFileType(type)) return block(head, [...fieldsOf(type), fileUrl]) + fileEnums;
  return block(head, type.fields.size > 0 ? fieldsOf(type) : ['"The name of the type." _type: String!']);
}

function namesOf(classes: readonly string[], catalog: Catalog): string[] {
  return classes.flatMap((className) => catalog.find(className)?.name ?? []);
}

function isUnion(name: string, { types, interfaces }: Catalog): boolean {
  return (
    name !== 'Content' && ![...types.values(), ...interfaces.values()].some((type) => type.name === name)
  );
}

function fieldsOf({ fields }: Pick<ContentType, 'fields'>): string[] {
  return [...fields.values()].map(
    (field) =>
      `${describe(field.description)}${field.graphqlName}: ${typeOf(field)}${deprecate(field.deprecated)}`,
  );
}

function typeOf({ type, list, required }: Field): string {
  const name = outputNameOf(type);
  const mark = required ? '!' : '';
  // The asset referred to may have been deleted, and is null then, even where the reference itself is required.
  if (type.kind === 'reference') return list ? `[${name}]${mark}` : name;
  return list ? `[${name}!]${mark}` : name + mark;
}

/** Defines the arguments of a list of assets of a type; `limit` describes the limits. */
export function listArguments({ name }: Pick<ContentType, 'name'>, limit: string): string {
  return `(
    "What the assets found have in common; combined with \`where\`, both hold." filter: ${filterNameOf(name)}
    "A predicate; without it, all are found." where: String
    "The values for the placeholders of the predicate, in order." values: [JSON!]
    "What to sort by, the most important first; the default is _id." sortBy: [SortInput!]
    "How many to skip." offset: Int
    "${limit}" limit: Int
    "Pages by cursor: an empty text for the first page, then the next of the page before; without offset." cursor: String
  )`;
}

/** Writes a definition with its members. */
export function block(head: string, lines: readonly string[]): string {
  return `${head} {\n${lines.join('\n')}\n}`;
}

/** Writes the description that precedes a definition. A JSON string is also a GraphQL string. */
export function describe(description: string | undefined): string {
  return description === undefined ? '' : `${JSON.stringify(description)} `;
}

/** Writes the directive for the reason why something is deprecated, to follow a definition; empty for what is not. */
export function deprecate(reason: string | undefined): string {
  return reason === undefined ? '' : ` @deprecated(reason: ${JSON.stringify(reason)})`;
}
