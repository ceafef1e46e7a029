/**
 * Describes an operation as plain data: its variables, and the shape of its result.
 *
 * The document must be valid for the schema. Input objects can contain themselves, as their types do; results cannot, since a
 * document is finite.
 */

import {
  type ConstValueNode,
  type DocumentNode,
  type GraphQLCompositeType,
  type GraphQLEnumType,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isAbstractType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  type OperationDefinitionNode,
  typeFromAST,
  valueFromASTUntyped,
} from 'graphql';
import type { Json } from '../../model/content-type.ts';
import { asScalarName } from '../../model/values/scalars.ts';
import type {
  EnumChoice,
  InputMember,
  InputType,
  OutputMember,
  OutputShape,
  OutputType,
  VariableDefinition,
} from '../operation.ts';
import type { NonNullVariables } from './non-null-variables.ts';
import { createFieldSelector, type SelectedField, type SelectionSource } from './selected-fields.ts';

/** Describes the variables that an operation declares; those of `nonNull` cannot be null. */
export function describeVariables(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  nonNull: Pick<NonNullVariables, 'has'>,
): VariableDefinition[] {
  const describe = createInputDescriber();
  return variableDefinitions.map(({ variable, type: node, defaultValue, description }) => {
    const name = variable.name.value;
    const type = typeFromAST(schema, node);
    if (!isInputType(type)) throw new Error(`$${name} is of no input type`);
    return {
      name,
      type: nonNull.has(name) ? { ...describe(type), nullable: false } : describe(type),
      required: isNonNullType(type) && defaultValue === undefined,
      ...described({ description: description?.value }),
      ...defaultOf(defaultValue),
    };
  });
}

function createInputDescriber(): (type: GraphQLInputType) => InputType {
  const known = new Map<string, ReadonlyMap<string, InputMember>>();

  function describe(type: GraphQLInputType, nullable = true): InputType {
    if (isNonNullType(type)) return describe(type.ofType, false);
    if (isListType(type)) return { kind: 'list', of: describe(type.ofType), nullable };
    if (isInputObjectType(type))
      return { kind: 'object', name: type.name, members: membersOf(type), nullable };
    if (isEnumType(type)) return describeEnum(type, nullable);
    return { kind: 'scalar', name: asScalarName(type.name), nullable };
  }

  function membersOf(type: GraphQLInputObjectType): ReadonlyMap<string, InputMember> {
    const earlier = known.get(type.name);
    if (earlier) return earlier;
    const members = new Map<string, InputMember>();
    // Stored before it is filled, since a type may contain itself.
    known.set(type.name, members);
    for (const field of Object.values(type.getFields())) {
      const required = isRequiredInputField(field);
      members.set(field.name, {
        type: describe(field.type),
        required,
        ...described(field),
        ...defaultOf(field.astNode?.defaultValue),
      });
    }
    return members;
  }

  return (type) => describe(type);
}

export function describeData(
  schema: GraphQLSchema,
  document: DocumentNode,
  { operation, selectionSet }: OperationDefinitionNode,
): OutputShape {
  const root = schema.getRootType(operation);
  if (!root) throw new Error(`The schema has no ${operation}`);
  return createShapeDescriber(schema, document)(root, [{ selectionSet, conditions: [] }]);
}

type ShapeDescriber = (type: GraphQLObjectType, sources: readonly SelectionSource[]) => OutputShape;

function createShapeDescriber(schema: GraphQLSchema, document: DocumentNode): ShapeDescriber {
  const selectFields = createFieldSelector(schema, document);
  const numbers = new Map<object, number>();
  const known = new Map<string, readonly OutputShape[]>();

  function describeShape(type: GraphQLObjectType, sources: readonly SelectionSource[]): OutputShape {
    const members = new Map<string, OutputMember>();
    for (const [key, fields] of selectFields(type, sources)) {
      members.set(key, { ...describeField(type, fields), optional: !isCertain(fields, sources) });
    }
    return members;
  }

  function describeField(
    type: GraphQLObjectType,
    fields: readonly SelectedField[],
  ): Omit<OutputMember, 'optional'> {
    const name = fields[0]?.node.name.value ?? '';
    if (name === '__typename') return { type: { kind: 'typename', values: [type.name], nullable: false } };
    const field = schema.getField(type, name);
    if (!field) throw new Error(`${type.name} has no field ${name}`);
    return { type: describe(field.type, fields), ...described(field) };
  }

  function describe(type: GraphQLOutputType, fields: readonly SelectedField[], nullable = true): OutputType {
    if (isNonNullType(type)) return describe(type.ofType, fields, false);
    if (isListType(type)) return { kind: 'list', of: describe(type.ofType, fields), nullable };
    if (isCompositeType(type)) return { kind: 'object', shapes: describeShapes(type, fields), nullable };
    if (isEnumType(type)) return describeEnum(type, nullable);
    return { kind: 'scalar', name: asScalarName(type.name), nullable };
  }

  /** Cached, since an operation mostly selects the same of all concrete types of an interface. */
  function describeShapes(
    type: GraphQLCompositeType,
    fields: readonly SelectedField[],
  ): readonly OutputShape[] {
    const key = [
      type.name,
      ...fields.flatMap(({ node, conditions }) => [numberOf(node), ...conditions]),
    ].join();
    const shapes = known.get(key) ?? makeShapes(type, fields);
    known.set(key, shapes);
    return shapes;
  }

  function makeShapes(type: GraphQLCompositeType, fields: readonly SelectedField[]): readonly OutputShape[] {
    const sources = fields.flatMap(({ node: { selectionSet }, conditions }) =>
      selectionSet ? [{ selectionSet, conditions }] : [],
    );
    const concrete = isAbstractType(type) ? schema.getPossibleTypes(type) : [type];
    return mergeAlike(concrete.map((one) => describeShape(one, sources)));
  }

  function numberOf(node: object): number {
    const number = numbers.get(node) ?? numbers.size;
    numbers.set(node, number);
    return number;
  }

  return describeShape;
}

/** Tests whether one of the fields is present whenever its parent is. */
function isCertain(fields: readonly SelectedField[], sources: readonly SelectionSource[]): boolean {
  return sources.every((source) =>
    fields.some(({ conditions }) => conditions.every((condition) => source.conditions.includes(condition))),
  );
}

function describeEnum(type: GraphQLEnumType, nullable: boolean): EnumChoice {
  const values = type.getValues();
  const reasons = values.flatMap(({ name, deprecationReason: reason }) =>
    typeof reason === 'string' ? [[name, reason] as const] : [],
  );
  const deprecated = reasons.length > 0 ? { deprecated: Object.fromEntries(reasons) } : {};
  return { kind: 'enum', name: type.name, values: namesOf(values), ...deprecated, nullable };
}

function namesOf(values: readonly { readonly name: string }[]): string[] {
  return values.map(({ name }) => name);
}

function described({
  description,
  deprecationReason: deprecated,
}: Partial<Pick<GraphQLInputField, 'description' | 'deprecationReason'>>): Pick<
  InputMember,
  'description' | 'deprecated'
> {
  return { ...(description ? { description } : {}), ...(deprecated == null ? {} : { deprecated }) };
}

function defaultOf(literal: ConstValueNode | undefined): Pick<InputMember, 'default'> {
  // A literal without variables is JSON.
  return literal ? { default: valueFromASTUntyped(literal) as Json } : {};
}

/** Merges shapes that differ in their own `__typename` only; the merged one allows the names of all. */
function mergeAlike(shapes: readonly OutputShape[]): OutputShape[] {
  return [...Map.groupBy(shapes, (shape) => keyOf(shape, false)).values()].map(mergeShapes);
}

function mergeShapes(shapes: readonly OutputShape[]): OutputShape {
  const [first = new Map<string, OutputMember>()] = shapes;
  const typesOf = (key: string) =>
    shapes.flatMap((shape) => {
      const type = shape.get(key)?.type;
      return type?.kind === 'typename' ? type.values : [];
    });
  return new Map(
    [...first].map(([key, member]) => [
      key,
      member.type.kind === 'typename'
        ? { ...member, type: { ...member.type, values: typesOf(key) } }
        : member,
    ]),
  );
}

/** Returns a text that is equal for equal shapes; `withOwnType` says whether the shape's own `__typename` counts. */
function keyOf(shape: OutputShape, withOwnType: boolean): string {
  const members = [...shape].map(([key, { type, optional }]) => {
    const value = type.kind === 'typename' && !withOwnType ? type.kind : typeKeyOf(type);
    return `${key}${optional ? '?' : ''}:${value}`;
  });
  return `{${members.sort().join()}}`;
}

function typeKeyOf(type: OutputType): string {
  const suffix = type.nullable ? '?' : '';
  switch (type.kind) {
    case 'scalar':
    case 'enum':
      return type.name + suffix;
    case 'typename':
      return type.values.join('|') + suffix;
    case 'list':
      return `[${typeKeyOf(type.of)}]${suffix}`;
    case 'object':
      return type.shapes.map((shape) => keyOf(shape, true)).join('|') + suffix;
  }
}
