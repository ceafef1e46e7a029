/**
 * Generates what the predicate builder of the client knows of content types: for the compiler an interface of the fields of each
 * type, and for paths at run time a constant that says which fields lead on into other assets or embedded values.
 */
import { toPascalCase } from '../../mapping/describe/identifier.ts';
import type { Catalog, ContentType } from '../../model/content-type.ts';
import { createNamer } from '../../text/free-name.ts';
import { generatedNotice } from '../generated-files.ts';
import { createFieldGroups, type FieldGroup, type FieldGroups, interfaceOf } from './field-groups.ts';

/** The modules of `generateQueryableTypes`. */
export interface QueryableTypes {
  /** The module `cma/fields.gen.ts`. */
  readonly fields: string;
  /** The end of `cma/types.gen.ts`: a constant has the name of its content type. */
  readonly constants: string;
}

/** Generates both; `types` is the module `cma/types.gen.ts` so far, whose names the constants share. */
export function generateQueryableTypes(catalog: Catalog, types: string): QueryableTypes {
  const groups = createFieldGroups(catalog);
  const contentTypes = [...catalog.types.values(), ...catalog.interfaces.values()];
  const rows = contentTypes.map((type) => ({ type, group: groups.ofClasses(catalog.concrete(type)) }));
  return { fields: fieldsModule(rows, groups), constants: constantsOf(rows, { groups, types }) };
}

interface Row {
  readonly type: ContentType;
  /** Absent for an interface that no type implements. */
  readonly group: FieldGroup | undefined;
}

function fieldsModule(rows: readonly Row[], groups: FieldGroups): string {
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

import type * as $ from '../predicate/fields.ts';

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
  return `\nimport type * as $ from '../predicate/fields.ts';\n\n${constants.join('\n')}\n${nodes.join('')}`;
}

const describe = ({ kind, name }: ContentType) =>
  kind === 'object' ? `The content type ${name}` : `The interface ${name}`;

/** Names constants: those of content types as their types, those of interfaces as no type is named. */
function nameConstants(rows: readonly Row[], types: string): ReadonlyMap<Row, string> {
  const taken = [...types.matchAll(/^export type (\w+) =/gm)].map(([, name = '']) => name);
  const toFreeName = createNamer({ taken, toKey: (name) => name });
  // Unlike references and new assets, stored assets begin with `_id`, after its comment.
  const stored =
    /^export type (\w+) = \{\n(?: {4}\/?\*.*\n| {5}\*.*\n)* {4}_id: string;\n {4}_type: '([\w.]+)';$/gm;
  const byClass = new Map(
    [...types.matchAll(stored)].map(([, name = '', type = '']) => [type, name] as const),
  );
  return new Map(
    rows.map((row) => [
      row,
      byClass.get(row.type.class) ?? toFreeName(toPascalCase(row.type.name, 'Interface')),
    ]),
  );
}
