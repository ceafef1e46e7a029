/**
 * Limits the search for enum values that are similar to a wrong one.
 *
 * GraphQL coerces each value twice, and the first time it makes suggestions whatever `hideSuggestions` says. For a text of
 * 3 MB they take a third of a second.
 */
import { type GraphQLSchema, isEnumType } from 'graphql';

/** No name of a value is nearly as long. */
const maxLength = 200;

/** Makes the enum types of a schema suggest nothing in place of a long text. */
export function limitEnumSuggestions(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isEnumType(type)) continue;
    const coerceValue = type.coerceInputValue.bind(type);
    const coerceLiteral = type.coerceInputLiteral.bind(type);
    type.coerceInputValue = (value, isHidden) => coerceValue(value, isHidden || isLong(value));
    type.coerceInputLiteral = (node, isHidden) =>
      coerceLiteral(node, isHidden || ('value' in node && isLong(node.value)));
  }
}

const isLong = (value: unknown) => typeof value === 'string' && value.length > maxLength;
