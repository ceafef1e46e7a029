/**
 * `colophon list-types` and `colophon show-type`: show the content types of an installation. They read SDL only: from a folder,
 * or as recorded in the store.
 */
import type { Catalog, ContentType, Field, ValueType } from '../../model/content-type.ts';
import { type Command, type CommandCall, jsonOption } from '../command.ts';
import { printJson, printTable } from '../output.ts';
import { chooseTypesFor, getNamedType, readConfigFor, typesOption } from './types-option.ts';

const listTypes: Command = {
  name: 'list-types',
  summary: 'list the content types and interfaces',
  options: { ...typesOption, ...jsonOption },
  async run(call) {
    const catalog = await readCatalog(call);
    const types = allTypes(catalog).map(({ kind, class: className, id, name, fields }) => {
      return { class: className, id, name, kind, fields: fields.size };
    });
    if (call.has('json')) printJson(types);
    else {
      const rows = types.map((type) => [type.class, type.kind, String(type.fields), type.id]);
      printTable(['class', 'kind', 'fields', 'type ID'], rows);
    }
  },
};

const showType: Command = {
  name: 'show-type',
  summary: 'show the fields of a content type',
  arguments: [{ name: '<class>', summary: 'a class name or a type ID' }],
  options: { ...typesOption, ...jsonOption },
  async run(call) {
    const [name = ''] = call.positionals;
    const catalog = await readCatalog(call);
    const shown = toShownType(catalog, getNamedType(catalog, name));
    if (call.has('json')) printJson(shown);
    else printType(shown);
  },
};

/** The commands about content types. */
export const commands = [listTypes, showType];

async function readCatalog(call: CommandCall): Promise<Catalog> {
  return (await chooseTypesFor(readConfigFor(call))).catalog;
}

function allTypes({ types, interfaces }: Catalog): ContentType[] {
  return [...types.values(), ...interfaces.values()];
}

function toShownType(catalog: Catalog, type: ContentType) {
  return {
    class: type.class,
    id: type.id,
    name: type.name,
    kind: type.kind,
    description: type.description,
    interfaces: type.interfaces,
    implementedBy: type.kind === 'interface' ? catalog.concrete(type) : [],
    fields: [...type.fields.values()].map(toShownField),
  };
}

function toShownField({ name, type, list, required, indexed, searchable, constraint, description }: Field) {
  return {
    name,
    type: list ? `[${typeName(type)}]` : typeName(type),
    required,
    indexed: indexed ? (indexed.unique ? 'unique' : true) : false,
    ...(searchable ? { searchable } : {}),
    constraint,
    ...(type.kind === 'enum' ? { values: type.values } : {}),
    ...(type.kind === 'reference' ? { targets: type.targets } : {}),
    ...(description ? { description } : {}),
  };
}

function typeName(type: ValueType): string {
  if (type.kind === 'scalar') return type.scalar;
  return type.kind === 'embedded' ? type.type.name : type.name;
}

function printType(type: ReturnType<typeof toShownType>): void {
  console.log(`${type.class}  (${type.kind} ${type.name}, type ID ${type.id})`);
  if (type.description) console.log(type.description);
  if (type.interfaces.length > 0) console.log(`implements ${type.interfaces.join(', ')}`);
  if (type.kind === 'interface') console.log(`implemented by ${type.implementedBy.join(', ') || 'no type'}`);
  console.log();
  const rows = type.fields.map((field) => [
    field.name,
    field.type,
    field.required ? 'required' : '',
    [
      field.indexed === false ? '' : field.indexed === true ? 'indexed' : 'unique',
      field.searchable ? 'words' : '',
    ]
      .filter((index) => index !== '')
      .join(', '),
    Object.entries(field.constraint)
      .map(([name, limit]) => `${name} ${limit}`)
      .join(', '),
  ]);
  printTable(['field', 'type', 'required', 'indexed', 'constraint'], rows);
}
