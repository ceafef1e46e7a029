/**
 * The values of a field's arguments as far as the document gives them: literals, and the defaults of variables.
 */
import {
  type ConstValueNode,
  type FieldNode,
  Kind,
  type OperationDefinitionNode,
  type ValueNode,
} from 'graphql';

/** A literal, no value, or a value that only the request has. A literal list may contain variables. */
export type KnownValue = ValueNode | 'absent' | 'unknown';

/** Reads the values that one operation gives to arguments. */
export interface KnownValues {
  /** Reads an argument; of a variable, its default. */
  argument(field: FieldNode, name: string): KnownValue;
  /** Reads an argument that no request can change; a variable is unknown. */
  fixed(field: FieldNode, name: string): KnownValue;
  /** Reads a value; of a variable, its default. */
  resolve(node: ValueNode | undefined): KnownValue;
  /** Lists the items of a list; a single value is its own only item. */
  items(value: KnownValue): readonly ValueNode[] | 'unknown';
}

/** Creates the reader for one operation. */
export function createKnownValues({ variableDefinitions = [] }: OperationDefinitionNode): KnownValues {
  const defaults = new Map<string, ConstValueNode | undefined>(
    variableDefinitions.map(({ variable, defaultValue }) => [variable.name.value, defaultValue]),
  );

  function resolve(node: ValueNode | undefined): KnownValue {
    if (!node || node.kind === Kind.NULL) return 'absent';
    if (node.kind !== Kind.VARIABLE) return node;
    const value = defaults.get(node.name.value);
    return value ? resolve(value) : 'unknown';
  }

  const givenTo = (field: FieldNode, name: string) =>
    field.arguments?.find((argument) => argument.name.value === name)?.value;

  return {
    resolve,
    argument: (field, name) => resolve(givenTo(field, name)),
    fixed: (field, name) => {
      const value = givenTo(field, name);
      return value?.kind === Kind.VARIABLE ? 'unknown' : resolve(value);
    },
    items(value) {
      if (value === 'unknown') return value;
      if (value === 'absent') return [];
      return value.kind === Kind.LIST ? value.values : [value];
    },
  };
}
