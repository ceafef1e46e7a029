/**
 * Finds the variables of an operation that can be left out but cannot be null.
 *
 * GraphQL lets a nullable variable stand where null is not allowed if there is a default, and notices null only while it executes. Here
 * such a variable counts as one without null, for requests and for everything that is derived from the operation.
 */
import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  isNonNullType,
  Kind,
  type OperationDefinitionNode,
  print,
  TypeInfo,
  ValidationContext,
  type VariableDefinitionNode,
} from 'graphql';

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
  return new Map([...nullable].filter(([name]) => used.has(name)));
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
