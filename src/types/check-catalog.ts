/**
 * Checks names against each other: class names, the JSON names of one type, and the names that Colophon generates for GraphQL.
 */
import {
  type GraphQLNamedType,
  type GraphQLSchema,
  isInterfaceType,
  isObjectType,
  isUnionType,
} from 'graphql';
import type { SourceProblem } from '../base/errors.ts';
import type { ContentType, Field } from '../model/content-type.ts';
import {
  graphqlKeyName,
  indexedPaths,
  joinedKeys,
  keyInputName,
  keyName,
  keysOfType,
} from '../model/field-path.ts';
import { checkFormerClasses } from './check-former-names.ts';
import { type LocatedNode, problemAt } from './parse-types.ts';

type Node = LocatedNode | null | undefined;

const classPattern = /^[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*$/;

/** Checks one content type against all others. */
export function checkContentType(
  type: ContentType,
  all: readonly ContentType[],
  node: Node,
): SourceProblem[] {
  const problems: string[] = [];
  if (!classPattern.test(type.class))
    problems.push(`class name ${JSON.stringify(type.class)} must be words separated by dots`);
  const earlier = all.slice(0, all.indexOf(type));
  const sameClass = earlier.find((other) => other.class === type.class);
  const sameId = earlier.find((other) => other.id === type.id);
  if (sameClass) problems.push(`class name ${type.class} already belongs to ${sameClass.name}`);
  else if (sameId) problems.push(`type ID ${type.id} already belongs to ${sameId.name}`);
  for (const { path, unique } of indexedPaths(type.fields)) {
    if (unique && path.steps.some(({ list }) => list)) problems.push(`${path.text}: a list cannot be unique`);
  }
  for (const former of type.formerClasses.filter((name) => !classPattern.test(name)))
    problems.push(`former class name ${JSON.stringify(former)} must be words separated by dots`);
  problems.push(...checkFormerClasses(type, all), ...checkAgainstInterfaces(type, all));
  return problems.map((message) => problemAt(node, `${type.name}: ${message}`));
}

/** Checks that a field has the same JSON name as in its interfaces. GraphQL itself checks only the types. */
function checkAgainstInterfaces(type: ContentType, all: readonly ContentType[]): string[] {
  const parents = all.filter((other) => type.interfaces.includes(other.class));
  return parents.flatMap((parent) =>
    [...parent.fields.values()].flatMap((field) => {
      const own = [...type.fields.values()].find(({ graphqlName }) => graphqlName === field.graphqlName);
      return own && own.name !== field.name
        ? [`${own.graphqlName} has the JSON name ${own.name}, but in ${parent.name} ${field.name}`]
        : [];
    }),
  );
}

/** Checks that no JSON name is a prefix of another: `a` and `a.b` would be stored in the same place. */
export function checkFieldNames(fields: readonly Field[], node: Node): SourceProblem[] {
  return fields.flatMap((field) => {
    const longer = fields.find((other) => other.name.startsWith(`${field.name}.`));
    return longer ? [problemAt(node, `fields ${field.name} and ${longer.name} cannot both exist`)] : [];
  });
}

/** Names of GraphQL types that Colophon always generates. */
export const generatedTypeNames: readonly string[] = [
  'SortInput',
  'SortOrder',
  'ReferenceInput',
  'ListFacet',
  'ListFacetValue',
  'ClassNameFilter',
  'FileFit',
  'FileFormat',
];

/** Checks that no two GraphQL types of Colophon's schema have the same name: those of the SDL, and those that it generates for them. */
export function checkGeneratedNames(
  schema: GraphQLSchema,
  contentTypes: readonly ContentType[],
): SourceProblem[] {
  const ownerByName = new Map(generatedTypeNames.map((name) => [name, 'Colophon']));
  const named = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'));
  const clashes: SourceProblem[] = [];
  for (const type of named) {
    for (const generated of generatedNames(type, contentTypes)) {
      const owner = ownerByName.get(generated);
      if (owner)
        clashes.push(
          problemAt(type.astNode, `${type.name} and ${owner} would both have the type ${generated}`),
        );
      ownerByName.set(generated, type.name);
    }
  }
  const taken = named.flatMap((type) => {
    const owner = ownerByName.get(type.name);
    return owner
      ? [problemAt(type.astNode, `the name ${type.name} is reserved for the schema of ${owner}`)]
      : [];
  });
  return [
    ...taken,
    ...clashes,
    ...checkQueryNames(schema, contentTypes),
    ...checkKeyNames(schema, contentTypes),
  ];
}

function generatedNames(type: GraphQLNamedType, contentTypes: readonly ContentType[]): string[] {
  const { name } = type;
  const filters = [`${name}Filter`, `${name}ListFilter`];
  const contentType = contentTypes.find((other) => other.name === name);
  if (contentType) {
    const keys = joinedKeys(contentType).map((key) => keyInputName(contentType, key));
    return [`${name}List`, `Create${name}Input`, `Update${name}Input`, `${name}Key`, ...keys, ...filters];
  }
  if (isObjectType(type)) return [`${name}Input`, ...filters];
  return isBlocks(type, contentTypes)
    ? [`${name}Input`, `${name}Kind`, `${name}KindFilter`, ...filters]
    : filters;
}

/** Tells whether a type stands for embedded values of several kinds. */
function isBlocks(type: GraphQLNamedType, contentTypes: readonly ContentType[]): boolean {
  if (isUnionType(type))
    return type.getTypes().some(({ name }) => !contentTypes.some((other) => other.name === name));
  return isInterfaceType(type) && type.name !== 'Content';
}

function checkQueryNames(schema: GraphQLSchema, contentTypes: readonly ContentType[]): SourceProblem[] {
  const firstByQuery = new Map<string, string>();
  return contentTypes.flatMap(({ name }) => {
    const query = name.charAt(0).toLowerCase() + name.slice(1);
    const node = schema.getType(name)?.astNode;
    return [query, `${query}By`].flatMap((field) => {
      const earlier = firstByQuery.get(field);
      firstByQuery.set(field, earlier ?? name);
      return earlier ? [problemAt(node, `${name} and ${earlier} would both have the query ${field}`)] : [];
    });
  });
}

/** Checks that the keys of a type have different names: in them, a `.` is written `_`. */
function checkKeyNames(schema: GraphQLSchema, contentTypes: readonly ContentType[]): SourceProblem[] {
  return contentTypes.flatMap((type) => {
    const keys = keysOfType(type);
    const names = keys.map(graphqlKeyName);
    return keys.flatMap((key, index) => {
      const name = names[index] ?? '';
      const other = keys[names.indexOf(name)] ?? key;
      if (other === key) return [];
      const message = `${type.name}: ${keyName(other)} and ${keyName(key)} would both be the key ${name}`;
      return [problemAt(schema.getType(type.name)?.astNode, message)];
    });
  });
}
