/**
 * A rule of validation: in a `@oneOf` input, which must have exactly one value, a variable cannot be null.
 *
 * GraphQL's own rule overlooks inputs whose type is marked as required, as that of `key` is.
 */
import {
  type ASTVisitor,
  GraphQLError,
  getNamedType,
  isInputObjectType,
  Kind,
  print,
  type ValidationContext,
} from 'graphql';

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
