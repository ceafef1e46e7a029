/**
 * Generates what the predicate builder of the client knows of content types: for the compiler an interface of the fields of each
 * type, and for paths at run time a constant that says which fields lead on into other assets or embedded values.
 */

import ts from 'typescript';
import type * as client from '../../client/predicate.ts';
import { otherNamesOf } from '../../documents/field-schemas.ts';
import { toPascalCase } from '../../mapping/describe/identifier.ts';
import type { Catalog, ContentType, EmbeddedType, ScalarName } from '../../model/content-type.ts';
import { findFieldPath, type LeafType } from '../../model/field-path.ts';
import { createNamer } from '../../text/free-name.ts';
import { parseModule } from '../compile-typescript.ts';
import { generatedNotice } from '../generated-files.ts';

/**
 * Generates the module `cma/fields.gen.ts`, and `constants`, the end of `cma/types.gen.ts`: a constant has the name of its content type.
 * `types` is that module so far, whose names the constants share.
 */
export function generateQueryableTypes(catalog: Catalog, types: string) {
  const groups = createFieldGroups(catalog);
  const contentTypes = [...catalog.types.values(), ...catalog.interfaces.values()];
  const rows = contentTypes.map((type) => ({ type, group: groups.ofClasses(catalog.concrete(type)) }));
  return { fields: fieldsModule(catalog, groups, rows), constants: constantsOf(rows, { groups, types }) };
}

interface Row {
  readonly type: ContentType;
  /** Absent for an interface that no type implements. */
  readonly group: FieldGroup | undefined;
}

function fieldsModule(catalog: Catalog, groups: FieldGroups, rows: readonly Row[]): string {
  const classes = rows.flatMap(({ type }) => {
    const union = toUnion(catalog.concrete(type)) || 'never';
    return [type.class, ...otherNamesOf(type)].map((name) => `    ${JSON.stringify(name)}: ${union};`);
  });
  const byClass = rows.map(
    ({ type, group }) => `    ${JSON.stringify(type.class)}: ${group ? interfaceOf(group) : '{}'};`,
  );
  const interfaces = groups.all().map((group) => {
    const members = group.fields.map(
      ({ name, type, deprecated }) =>
        `${deprecationOf(deprecated)}    ${JSON.stringify(memberName(name))}: ${type};`,
    );
    return `export interface ${interfaceOf(group)} {\n${members.join('\n')}\n}\n`;
  });
  return `// ${generatedNotice}

import type * as $ from '../predicate.ts';

/** The classes of the assets that are found from each class name and type ID, former ones included. */
export interface ClassesFrom {
${classes.join('\n')}
}

/** The fields of the assets that are found from each class name. */
export interface FieldsFrom {
${byClass.join('\n')}
}

${interfaces.join('\n')}`;
}

/** Writes the comment that marks a deprecated member; nothing without a reason. */
function deprecationOf(reason: string | undefined): string {
  if (reason === undefined) return '';
  const line = reason.replaceAll(/\s+/g, ' ').trim().replaceAll('*/', '*\\/');
  return `    /** @deprecated ${line} */\n`;
}

/** Operators of references and embedded values; a field with such a name has a dollar sign in front. */
const operatorNames = [
  ...['eq', 'ne', 'anyOf', 'noneOf', 'exists', 'isMissing', 'isEmpty'],
  ...['any', 'every', 'none'],
];

const memberName = (name: string) => (operatorNames.includes(name) ? `$${name}` : name);

function constantsOf(
  rows: readonly Row[],
  { groups, types }: { groups: FieldGroups; types: string },
): string {
  const named = nameConstants(rows, types);
  const nameByGroup = new Map(
    groups.all().map((group) => {
      const row = rows.find((row) => row.group === group);
      return [group, (row && named.get(row)) ?? `$${group.name}`] as const;
    }),
  );
  const innerOf = (group: FieldGroup | undefined) => {
    const members = (group?.fields ?? []).flatMap(({ name, inner }) =>
      inner ? [`${JSON.stringify(name)}: ${nameByGroup.get(inner)}`] : [],
    );
    return `inner: () => ({ ${members.join(', ')} })`;
  };
  const constants = rows.map((row) => {
    const from = JSON.stringify(row.type.class);
    return `/** ${describe(row.type)} in predicates: \`where(${named.get(row)}, …)\`. */
export const ${named.get(row)}: $.QueryableType<${from}> = { from: ${from}, separator: '/', ${innerOf(row.group)} };
`;
  });
  const unnamed = groups.all().filter((group) => !rows.some((row) => row.group === group));
  const nodes = unnamed.map(
    (group) =>
      `const ${nameByGroup.get(group)}: $.PathNode = { separator: '${group.separator}', ${innerOf(group)} };\n`,
  );
  return `\nimport type * as $ from '../predicate.ts';\n\n${constants.join('\n')}\n${nodes.join('')}`;
}

const describe = ({ kind, name }: ContentType) =>
  kind === 'object' ? `The content type ${name}` : `The interface ${name}`;

/** Names constants: those of content types as their types, those of interfaces as no type is named. */
function nameConstants(rows: readonly Row[], types: string): ReadonlyMap<Row, string> {
  const aliases = parseModule(types).statements.filter(ts.isTypeAliasDeclaration);
  const toFreeName = createNamer({ taken: aliases.map(({ name }) => name.text), toKey: (name) => name });
  const byClass = new Map(
    aliases.flatMap(({ name, type }) => {
      const className = storedClassOf(type);
      return className === undefined ? [] : [[className, name.text] as const];
    }),
  );
  return new Map(
    rows.map((row) => [
      row,
      byClass.get(row.type.class) ?? toFreeName(toPascalCase(row.type.name, 'Interface')),
    ]),
  );
}

/** Returns the class of a type of stored assets: unlike references and new assets, these begin with `_id` and one `_type`. */
function storedClassOf(type: ts.TypeNode): string | undefined {
  const [id, kind] = ts.isTypeLiteralNode(type) ? type.members.filter(ts.isPropertySignature) : [];
  if (id?.name.getText() !== '_id' || id.questionToken || kind?.name.getText() !== '_type') return undefined;
  const literal = kind.type && ts.isLiteralTypeNode(kind.type) ? kind.type.literal : undefined;
  return literal && ts.isStringLiteral(literal) ? literal.text : undefined;
}

interface FieldGroup {
  /** An identifier that no other group has. */
  readonly name: string;
  /** What stands between a path to the group and the name of a field. */
  readonly separator: '/' | '.';
  readonly fields: readonly QueryableField[];
}

/** A field; `type` is its TypeScript type, where `$` is the module of field types. */
interface QueryableField {
  readonly name: string;
  readonly type: string;
  /** Why it is deprecated in all types of the group; absent when it is not. */
  readonly deprecated?: string | undefined;
  /** The group that paths lead into from here. */
  readonly inner?: FieldGroup | undefined;
}

/** The groups by their origin; asking for one makes those it leads into as well. */
type FieldGroups = ReturnType<typeof createFieldGroups>;

/** The identifier of the interface of a group. */
const interfaceOf = ({ name }: FieldGroup): string => `${name}Fields`;

function createFieldGroups(catalog: Catalog) {
  const groups = new Map<string, FieldGroup>();
  const names = new Map(
    [...catalog.interfaces.values(), ...catalog.types.values()].map((type) => [
      catalog.concrete(type).toSorted().join(),
      type.name,
    ]),
  );

  function make(key: string, group: Omit<FieldGroup, 'fields'>, list: () => QueryableField[]): FieldGroup {
    const known = groups.get(key);
    if (known) return known;
    const fields: QueryableField[] = [];
    const made = { ...group, fields };
    // Registered first, since types may contain themselves.
    groups.set(key, made);
    fields.push(...list());
    return made;
  }

  /** Returns the group of the assets of some classes; `undefined` for no classes. */
  function ofClasses(classes: readonly string[]): FieldGroup | undefined {
    if (classes.length === 0) return undefined;
    const sorted = classes.toSorted();
    // Dollar signs keep the name apart from those of types.
    const joined = () => sorted.map((one) => catalog.types.get(one)?.name).join('$');
    const name = names.get(sorted.join()) ?? joined();
    return make(`/${sorted}`, { name, separator: '/' }, () => listFields(sorted));
  }

  function listFields(classes: readonly string[]): QueryableField[] {
    const candidates = ['_id', '_type', ...(catalog.types.get(classes[0] ?? '')?.fields.keys() ?? [])];
    return candidates.flatMap((name) => {
      const paths = classes.map((one) => findFieldPath(catalog, [one], name));
      if (typeof findFieldPath(catalog, classes, name) === 'string') return [];
      const found = paths.flatMap((path) => (typeof path === 'string' ? [] : [path]));
      const leaves = found.map(({ leaf }) => leaf);
      const [leaf] = leaves;
      if (!leaf) return [];
      const deprecated = deprecationIn(classes, name);
      const list = found[0]?.steps.at(-1)?.list === true;
      const field = toField(name, { ...leaf, ...mergeTargets(leaves) }, classes);
      return [{ ...(list ? toList(field) : field), deprecated }];
    });
  }

  const ofEmbedded = (type: EmbeddedType) =>
    make(`.${type.name}`, { name: type.name, separator: '.' }, () =>
      [...type.fields.values()].map(({ name, type, list, deprecated }) => {
        const field = toField(name, type, []);
        return { ...(list ? toList(field) : field), deprecated };
      }),
    );

  /** Returns the first reason if a field is deprecated in every class. */
  function deprecationIn(classes: readonly string[], name: string): string | undefined {
    const reasons = classes.map((one) => catalog.types.get(one)?.fields.get(name)?.deprecated);
    return reasons.includes(undefined) ? undefined : reasons[0];
  }

  function toField(name: string, leaf: LeafType, classes: readonly string[]): QueryableField {
    switch (leaf.kind) {
      case 'id':
        return { name, type: '$.TextField' };
      case 'type':
        return { name, type: `$.EnumField<${toUnion(classes)}>` };
      case 'enum':
        return { name, type: `$.EnumField<${toUnion(leaf.values)}>` };
      case 'scalar':
        return { name, type: `$.${scalarFields[leaf.scalar]}` };
      case 'reference': {
        const inner = ofClasses(leaf.targets);
        return { name, type: `$.ReferenceField<${inner ? interfaceOf(inner) : 'unknown'}>`, inner };
      }
      case 'embedded': {
        const inner = ofEmbedded(leaf.type);
        return { name, type: `$.EmbeddedField<${interfaceOf(inner)}>`, inner };
      }
    }
  }

  return { ofClasses, all: () => [...groups.values()] };
}

/** Returns the field of a list of such values. */
function toList({ type, inner, ...field }: QueryableField): QueryableField {
  if (!inner) return { ...field, type: `$.ListField<${type}>` };
  return { ...field, inner, type: `$.ItemsField<${type}, ${interfaceOf(inner)}>` };
}

/** The targets of references that have different ones in different classes. */
function mergeTargets(leaves: readonly LeafType[]): { targets?: string[] } {
  const targets = leaves.flatMap((leaf) => (leaf.kind === 'reference' ? leaf.targets : []));
  return targets.length > 0 ? { targets: [...new Set(targets)] } : {};
}

const toUnion = (members: readonly string[]) => members.map((member) => JSON.stringify(member)).join(' | ');

/** The types of the client that a field without fields of its own can have, each by the text that is written. */
interface FieldTypes {
  readonly TextField: client.TextField;
  readonly NumberField: client.NumberField;
  readonly DateField: client.DateField;
  readonly 'OrderedField<string>': client.OrderedField<string>;
  readonly BooleanField: client.BooleanField;
  readonly PresenceField: client.PresenceField;
}

/** What predicates can ask of the values of each scalar. */
const scalarFields: Readonly<Record<ScalarName, keyof FieldTypes>> = {
  String: 'TextField',
  ID: 'TextField',
  RichText: 'TextField',
  Url: 'TextField',
  Int: 'NumberField',
  Float: 'NumberField',
  EpochMillis: 'DateField',
  Date: 'OrderedField<string>',
  DateTime: 'OrderedField<string>',
  Decimal: 'OrderedField<string>',
  Boolean: 'BooleanField',
  JSON: 'PresenceField',
};
