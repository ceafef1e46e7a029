/**
 * What is known of the arguments of a field before its operation runs: what is written there, or what a variable is unless a
 * request brings it.
 */
import {
  type ConstValueNode,
  type FieldNode,
  Kind,
  type OperationDefinitionNode,
  type ValueNode,
} from 'graphql';

/** A literal, nothing, or what only a request can tell. A list that is written may hold variables. */
export type KnownValue = ValueNode | 'absent' | 'unknown';

/** Looks at the values of one operation. */
export interface KnownValues {
  /** What an argument of a field is; a variable is its default. */
  argument(field: FieldNode, name: string): KnownValue;
  /** What an argument of a field is whatever a request brings; a variable is unknown. */
  fixed(field: FieldNode, name: string): KnownValue;
  /** What a value is; a variable is its default. */
  resolve(node: ValueNode | undefined): KnownValue;
  /** The members of a list; a single value stands for a list of itself. */
  items(value: KnownValue): readonly ValueNode[] | 'unknown';
}

/** Makes what looks at the values of an operation. */
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
    field.arguments?.find((one) => one.name.value === name)?.value;

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
