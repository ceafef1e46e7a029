/**
 * SDL to catalog: what the parsed types mean to Colophon, and the rules that GraphQL has no word for.
 *
 * One pass makes fields, embedded types and content types and collects every problem with its file and line; a catalog
 * without problems is what comes out. The rules for directives on a field stand in `check-field.ts`.
 */
import {
  type GraphQLEnumType,
  GraphQLError,
  type GraphQLField,
  type GraphQLInterfaceType,
  type GraphQLNamedType,
  GraphQLNonNull,
  type GraphQLObjectType,
  type GraphQLSchema,
  getDirectiveValues,
  getNamedType,
  isEnumType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
  isUnionType,
} from 'graphql';
import { v5 } from 'uuid';
import { badTypes, type SourceProblem } from '../base/errors.ts';
import { isUuid } from '../base/uuid.ts';
import { checkContentType, checkFieldNames, checkGeneratedNames } from './check-catalog.ts';
import { checkField, toJsonName } from './check-field.ts';
import {
  type Catalog,
  type Constraint,
  type ContentType,
  type EmbeddedType,
  type Field,
  scalarNames,
  type ValueType,
} from './content-type.ts';
import { type LocatedNode, parseTypes, problemAt } from './parse-types.ts';
import type { TypeSource } from './type-sources.ts';

type Composite = GraphQLObjectType | GraphQLInterfaceType;

/**
 * Makes the catalog of the content types in SDL sources.
 *
 * Errors: bad_types, with every problem of the first stage that has any: syntax, GraphQL's rules, Colophon's rules.
 */
export function loadTypes(sources: readonly TypeSource[]): Catalog {
  const schema = parseTypes(sources);
  const problems: SourceProblem[] = [];
  const contentTypes = createBuilder(schema, problems).contentTypes();
  problems.push(...checkGeneratedNames(schema, contentTypes));
  if (problems.length > 0) throw badTypes(problems);
  return createCatalog(contentTypes);
}

/** A catalog of these content types and interfaces. */
export function createCatalog(contentTypes: readonly ContentType[]): Catalog {
  const sorted = contentTypes.toSorted((a, b) => (a.class < b.class ? -1 : 1));
  const byName = new Map(sorted.flatMap((type) => [[type.class, type] as const, [type.id, type] as const]));
  const types = new Map(sorted.filter(({ kind }) => kind === 'object').map((type) => [type.class, type]));
  const interfaces = new Map(
    sorted.filter(({ kind }) => kind === 'interface').map((type) => [type.class, type]),
  );
  const concrete = new Map(
    sorted.map((type) => [
      type.class,
      type.kind === 'object'
        ? [type.class]
        : [...types.values()]
            .filter((other) => other.interfaces.includes(type.class))
            .map((other) => other.class),
    ]),
  );
  return {
    types,
    interfaces,
    find: (classOrId) => byName.get(classOrId) ?? byName.get(classOrId.toLowerCase()),
    concrete: (type) => concrete.get(type.class) ?? [],
  };
}

function createBuilder(schema: GraphQLSchema, problems: SourceProblem[]) {
  const embeddedTypes = new Map<string, EmbeddedType>();
  const invalidDirectives = new Map<object, SourceProblem>();
  const named = Object.values(schema.getTypeMap()).filter((type) => !type.name.startsWith('__'));
  const classes = new Map(named.flatMap((type) => (contentTypeOf(type) ? [[type.name, type] as const] : [])));
  const classOf = (name: string) => String(contentTypeOf(classes.get(name))?.class);

  function contentTypeOf(type: GraphQLNamedType | undefined): Record<string, unknown> | undefined {
    return directive(type?.astNode, 'contentType');
  }

  function directive(node: Parameters<typeof getDirectiveValues>[1] | null | undefined, name: string) {
    const definition = schema.getDirective(name);
    if (!definition || !node) return undefined;
    try {
      return getDirectiveValues(definition, node) ?? undefined;
    } catch (error) {
      // GraphQL validates the arguments of directives when they are read, and no earlier.
      if (!(error instanceof GraphQLError)) throw error;
      const at: LocatedNode = node.directives?.find((one) => one.name.value === name) ?? {};
      invalidDirectives.set(at, problemAt(at, error.message));
      return undefined;
    }
  }

  function contentTypes(): ContentType[] {
    for (const type of named) {
      if (
        isScalarType(type) &&
        !isSpecifiedScalarType(type) &&
        !scalarNames.some((name) => name === type.name)
      ) {
        const known = scalarNames.join(', ');
        problems.push(problemAt(type.astNode, `scalar ${type.name} is unknown; there are ${known}`));
      }
    }
    const made = [...classes.values()]
      .filter((type) => isObjectType(type) || isInterfaceType(type))
      .map((type) => toContentType(type));
    problems.push(...invalidDirectives.values());
    for (const type of made) problems.push(...checkContentType(type, made, classes.get(type.name)?.astNode));
    return made;
  }

  function toContentType(type: Composite): ContentType {
    const values = contentTypeOf(type);
    const className = String(values?.class);
    const id = typeof values?.id === 'string' ? values.id : v5(className, v5.URL);
    if (!isUuid(id)) problems.push(problemAt(type.astNode, `type ID ${JSON.stringify(id)} is not a UUID`));
    return {
      kind: isObjectType(type) ? 'object' : 'interface',
      class: className,
      id: id.toLowerCase(),
      name: type.name,
      ...describe(type),
      fields: toFields(type),
      interfaces: type
        .getInterfaces()
        .filter(({ name }) => classes.has(name))
        .map(({ name }) => classOf(name)),
    };
  }

  function toFields(type: Composite): Map<string, Field> {
    const isAssetMember = (name: string) => classes.has(type.name) && (name === '_id' || name === '_type');
    const fields = Object.values(type.getFields())
      .filter(({ name }) => !isAssetMember(name))
      .map((field) => toField(type, field));
    problems.push(...checkFieldNames(fields, type.astNode));
    return new Map(fields.map((field) => [field.name, field]));
  }

  function toField(owner: Composite, field: GraphQLField<unknown, unknown>): Field {
    const node = field.astNode;
    const inner = isNonNullType(field.type) ? field.type.ofType : field.type;
    const indexed = directive(node, 'indexed');
    const made: Field = {
      name: toJsonName(field.name, directive(node, 'json')),
      graphqlName: field.name,
      ...describe(field),
      type: toValueType(owner, field),
      list: isListType(inner),
      required: field.type instanceof GraphQLNonNull,
      ...(indexed ? { indexed: { unique: indexed.unique === true } } : {}),
      constraint: toConstraint(directive(node, 'constraint')),
    };
    problems.push(...checkField({ field: made, graphqlField: field, ownerName: owner.name }));
    return made;
  }

  function toValueType(owner: Composite, field: GraphQLField<unknown, unknown>): ValueType {
    const type = getNamedType(field.type);
    const refuse = (reason: string): ValueType => {
      problems.push(problemAt(field.astNode, `${owner.name}.${field.name}: ${reason}`));
      return { kind: 'scalar', scalar: 'JSON' };
    };
    if (isScalarType(type)) {
      const scalar = scalarNames.find((name) => name === type.name);
      return scalar ? { kind: 'scalar', scalar } : { kind: 'scalar', scalar: 'JSON' };
    }
    if (isEnumType(type)) return { kind: 'enum', name: type.name, values: enumValues(type) };
    if (isUnionType(type)) {
      const strangers = type.getTypes().filter(({ name }) => !classes.has(name));
      return strangers.length > 0
        ? refuse(`${strangers[0]?.name} in union ${type.name} is no content type`)
        : toReference(type.name, type.getTypes());
    }
    if (isInterfaceType(type)) {
      return classes.has(type.name) || type.name === 'Content'
        ? toReference(type.name, schema.getPossibleTypes(type))
        : refuse(`${type.name} is an interface without @contentType, which no field can hold`);
    }
    // Input types never get here: they are refused when the sources are parsed.
    if (!isObjectType(type)) return refuse('this is no type that a field can have');
    return classes.has(type.name)
      ? toReference(type.name, [type])
      : { kind: 'embedded', type: toEmbedded(type) };
  }

  function toReference(name: string, types: readonly GraphQLObjectType[]): ValueType {
    return { kind: 'reference', name, targets: types.map((type) => classOf(type.name)).sort() };
  }

  function toEmbedded(type: GraphQLObjectType): EmbeddedType {
    const known = embeddedTypes.get(type.name);
    if (known) return known;
    const fields = new Map<string, Field>();
    const made: EmbeddedType = { name: type.name, ...describe(type), fields };
    // Registered before its fields are read, since a type may contain itself.
    embeddedTypes.set(type.name, made);
    for (const [name, field] of toFields(type)) fields.set(name, field);
    return made;
  }

  return { contentTypes };
}

function enumValues(type: GraphQLEnumType): string[] {
  return type.getValues().map(({ name }) => name);
}

function describe(node: { description?: string | null | undefined }): { description?: string } {
  return node.description ? { description: node.description } : {};
}

function toConstraint(values: Record<string, unknown> | undefined): Constraint {
  const given = Object.entries(values ?? {}).filter(([, value]) => value !== null && value !== undefined);
  // The directive's definition fixes the names and types of its arguments.
  return Object.fromEntries(given) as Constraint;
}
