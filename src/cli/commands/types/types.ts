/**
 * `colophon list-types` and `colophon show-type`: show the content types of an installation. They read SDL only: from a folder,
 * or as recorded in the store.
 */
import {
  type Catalog,
  type ConditionalKey,
  type ContentType,
  type Field,
  hasDefault,
  type InverseField,
  type TypeCheck,
  type ValueType,
} from '../../../model/content-type.ts';
import type { CommandCall } from '../../command.ts';
import { printJson, printTable } from '../../output.ts';
import { chooseTypesFor, getNamedType, readConfigFor } from './types-option.ts';

export async function listTypes(call: CommandCall): Promise<void> {
  const catalog = await readCatalog(call);
  const types = allTypes(catalog).map(({ kind, class: className, id, name, fields, formerClasses }) => {
    const former = formerClasses.length > 0 ? { formerClasses } : {};
    return { class: className, id, name, kind, fields: fields.size, ...former };
  });
  if (call.has('json')) printJson(types);
  else {
    const rows = types.map((type) => [type.class, type.kind, String(type.fields), type.id]);
    printTable(['class', 'kind', 'fields', 'type ID'], rows);
  }
}

export async function showType(call: CommandCall): Promise<void> {
  const [name = ''] = call.positionals;
  const catalog = await readCatalog(call);
  const shown = toShownType(catalog, getNamedType(catalog, name));
  if (call.has('json')) printJson(shown);
  else printType(shown);
}

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
    ...(type.formerClasses.length > 0 ? { formerClasses: type.formerClasses } : {}),
    ...(type.dropped.length > 0 ? { dropped: type.dropped } : {}),
    ...(type.keys.length > 0 ? { keys: type.keys } : {}),
    ...(type.conditionalKeys.length > 0 ? { conditionalKeys: type.conditionalKeys.map(toShownKey) } : {}),
    ...(type.checks.length > 0 ? { checks: type.checks.map(toShownCheck) } : {}),
    ...(type.inverses.length > 0 ? { inverses: type.inverses.map(toShownInverse) } : {}),
    implementedBy: type.kind === 'interface' ? catalog.concrete(type) : [],
    fields: [...type.fields.values()].map(toShownField),
  };
}

const toShownCheck = ({ where, message, path }: TypeCheck) => ({ where, message, path });
const toShownKey = ({ fields, where }: ConditionalKey) => ({ fields, where });
const toShownInverse = ({ graphqlName: name, target: type, field }: InverseField) => ({ name, type, field });

function toShownField(field: Field) {
  const { name, type, list, required, indexed, onDelete, searchable, constraint, description } = field;
  return {
    name,
    type: list ? `[${typeName(type)}]` : typeName(type),
    required,
    indexed: indexed ? (indexed.unique ? 'unique' : true) : false,
    ...(onDelete ? { onDelete } : {}),
    ...(searchable ? { searchable } : {}),
    constraint,
    ...(type.kind === 'enum' ? { values: type.values } : {}),
    ...(type.kind === 'enum' && type.deprecated
      ? { deprecatedValues: Object.fromEntries(type.deprecated) }
      : {}),
    ...(type.kind === 'reference' ? { targets: type.targets } : {}),
    ...(description ? { description } : {}),
    ...(field.formerNames.length > 0 ? { formerNames: field.formerNames } : {}),
    ...(hasDefault(field) ? { default: field.default ?? field.defaultVariable } : {}),
    ...(field.deprecated === undefined ? {} : { deprecated: field.deprecated }),
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
  if (type.formerClasses) console.log(`formerly ${type.formerClasses.join(', ')}`);
  if (type.dropped) console.log(`drops ${type.dropped.join(', ')}`);
  for (const names of type.keys ?? []) console.log(`unique together: ${names.join(', ')}`);
  for (const { fields, where } of type.conditionalKeys ?? [])
    console.log(`unique where ${where}: ${fields.join(', ')}`);
  for (const { where, message } of type.checks ?? []) console.log(`rule: ${where} (${message})`);
  for (const { name, type: listed, field } of type.inverses ?? [])
    console.log(`${name} lists ${listed} by its ${field}`);
  console.log();
  const rows = type.fields.map((field) => [
    field.name,
    field.type,
    field.required ? 'required' : '',
    [
      field.indexed === false ? '' : field.indexed === true ? 'indexed' : 'unique',
      field.searchable ? 'words' : '',
      field.onDelete === 'RESTRICT' ? 'restricts deletion' : '',
    ]
      .filter((index) => index !== '')
      .join(', '),
    Object.entries(field.constraint)
      .map(([name, limit]) => `${name} ${limit}`)
      .join(', '),
    describeChanges(field),
  ]);
  const hasChanges = rows.some((row) => row.at(-1) !== '');
  const columns = ['field', 'type', 'required', 'indexed', 'constraint', 'changes'];
  if (hasChanges) printTable(columns, rows);
  else
    printTable(
      columns.slice(0, -1),
      rows.map((row) => row.slice(0, -1)),
    );
}

/** Describes former names, default and deprecation, such as `was name, default 100`; empty without any. */
function describeChanges(field: ReturnType<typeof toShownField>): string {
  return [
    ...(field.formerNames ?? []).map((name) => `was ${name}`),
    ...(field.default === undefined ? [] : [`default ${JSON.stringify(field.default)}`]),
    ...(field.deprecated === undefined ? [] : [`deprecated: ${field.deprecated.replaceAll(/\s+/g, ' ')}`]),
  ].join(', ');
}
