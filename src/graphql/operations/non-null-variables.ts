/**
 * Finds the variables of an operation that can be left out but cannot be null.
 *
 * GraphQL lets a nullable variable stand where null is not allowed if there is a default, and notices null only while it executes. In
 * filters most members may be left out but not be null. Such a variable counts as one without null, for requests and for everything
 * that is derived from the operation.
 */

import {
  type ASTNode,
  type ASTVisitor,
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  isNonNullType,
  Kind,
  type OperationDefinitionNode,
  print,
  TypeInfo,
  ValidationContext,
  type VariableDefinitionNode,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { refusesNull } from '../filters/filter-types.ts';

/** The definitions of such variables, by name. */
export type NonNullVariables = ReadonlyMap<string, VariableDefinitionNode>;

/** Finds them in an operation of a valid document. */
export function findNonNullVariables(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): NonNullVariables {
  const nullable = new Map(
    (operation.variableDefinitions ?? [])
      .filter(({ type }) => type.kind !== Kind.NON_NULL_TYPE)
      .map((definition) => [definition.variable.name.value, definition]),
  );
  if (nullable.size === 0) return nullable;
  const context = new ValidationContext(schema, document, new TypeInfo(schema), () => {});
  const used = new Set(
    context
      .getRecursiveVariableUsages(operation)
      .flatMap(({ node, type }) => (isNonNullType(type) ? [node.name.value] : [])),
  );
  const fragments = context.getRecursivelyReferencedFragments(operation);
  for (const node of [operation, ...fragments]) addRefusedInFilters(schema, node, used);
  return new Map([...nullable].filter(([name]) => used.has(name)));
}

/** Adds the variables in filters that stand where null means nothing. */
function addRefusedInFilters(schema: GraphQLSchema, node: ASTNode, found: Set<string>): void {
  const info = new TypeInfo(schema);
  visit(
    node,
    visitWithTypeInfo(info, {
      ObjectField({ name, value }) {
        const type = getNamedType(info.getParentInputType());
        if (value.kind === Kind.VARIABLE && isInputObjectType(type) && refusesNull(type, name.value))
          found.add(value.name.value);
      },
    }),
  );
}

/** Returns the errors about those of them that a request sets to null, in the words of GraphQL. */
export function refuseNulls(
  variables: Readonly<Record<string, unknown>>,
  nonNull: NonNullVariables,
): GraphQLError[] {
  return [...nonNull]
    .filter(([name]) => variables[name] === null)
    .map(([name, node]) => {
      const reason = `Expected value of non-null type "${print(node.type)}!" not to be null.`;
      return new GraphQLError(`Variable "$${name}" has invalid value: ${reason}`, { nodes: node });
    });
}

// A rule of validation: in a `@oneOf` input, which must have exactly one value, a variable cannot be null.
//
// GraphQL's own rule overlooks inputs whose type is marked as required, as that of `key` is.

/** Reports such variables in the words of GraphQL. */
export function oneOfVariablesRule(context: ValidationContext): ASTVisitor {
  return {
    OperationDefinition: {
      leave(operation) {
        const definitions = new Map(
          (operation.variableDefinitions ?? []).map((definition) => [
            definition.variable.name.value,
            definition,
          ]),
        );
        for (const { node, parentType } of context.getRecursiveVariableUsages(operation)) {
          const definition = definitions.get(node.name.value);
          const type = getNamedType(parentType);
          if (!definition || definition.type.kind === Kind.NON_NULL_TYPE) continue;
          if (type === parentType || !isInputObjectType(type) || !type.isOneOf) continue;
          const name = `Variable "$${node.name.value}" is of type "${print(definition.type)}"`;
          const message = `${name} but must be non-nullable to be used for OneOf Input Object "${type}".`;
          context.reportError(new GraphQLError(message, { nodes: [definition, node] }));
        }
      },
    },
  };
}
