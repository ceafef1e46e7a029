/**
 * Names variables in errors about the arguments of a list: a caller has sent the variable `n`, and need not know that it is the `limit`.
 */
import { type FieldNode, Kind, type ValueNode, visit } from 'graphql';
import { type DomainError, type ErrorCode, locateError } from '../../base/errors.ts';
import { quote } from '../../base/problems.ts';
import { findInside } from '../checks/check-filter.ts';

/** What an error says with the name of a variable. */
export interface NamedVariable {
  readonly message: string;
  /** The variable, with the index of the element if it is a list of values. */
  readonly parameter: string;
}

/** Finds the variable that an error is about, in the fields that have the argument; nothing when the document has the value. */
export function nameVariable(error: DomainError, fields: readonly FieldNode[]): NamedVariable | undefined {
  if (!aboutArguments.has(error.code)) return undefined;
  const index = error.code === 'predicate_type' ? error.details.value : undefined;
  const argument = index === undefined ? locateError(error).path : 'values';
  const value = argument && findArgument(fields, argumentNames.get(argument) ?? argument);
  const at = error.code === 'invalid_parameter' ? error.details.at : undefined;
  const place = value && at ? findInside(value, at).node : value;
  const parameter = place && (index === undefined ? onlyVariableIn(place) : elementOf(place, index));
  if (!parameter) return undefined;
  switch (error.code) {
    case 'invalid_parameter':
      return { parameter, message: `${quote(parameter)} ${error.details.reason}` };
    case 'predicate_type': {
      const { column, expected } = error.details;
      const place = `${quote(parameter)}, the value at column ${column} of the predicate`;
      return { parameter, message: index === undefined ? error.message : `${place}: ${expected}` };
    }
    default:
      return { parameter, message: error.message };
  }
}

/** The errors that name an argument of a list. Others name fields of assets, which may be called like one. */
const aboutArguments: ReadonlySet<ErrorCode> = new Set([
  'invalid_parameter',
  'predicate_syntax',
  'predicate_type',
  'values_mismatch',
  'cursor_mismatch',
]);

/** The arguments of lists that have another name than the parameter that errors name. */
const argumentNames: ReadonlyMap<string, string> = new Map([
  ['sort', 'sortBy'],
  ['facets', 'paths'],
]);

function findArgument(fields: readonly FieldNode[], name: string): ValueNode | undefined {
  const all = fields.flatMap(({ arguments: given = [] }) => given);
  return all.find((argument) => argument.name.value === name)?.value;
}

/** Returns the variable in a value if there is just one. */
function onlyVariableIn(value: ValueNode): string | undefined {
  const names = new Set<string>();
  visit(value, { Variable: ({ name }) => void names.add(name.value) });
  const [name, ...others] = names;
  return others.length === 0 ? name : undefined;
}

/** Returns the variable that gives one element of a list. */
function elementOf(value: ValueNode, index: number): string | undefined {
  if (value.kind === Kind.VARIABLE) return `${value.name.value}[${index}]`;
  const element = value.kind === Kind.LIST ? value.values[index] : value;
  return element && onlyVariableIn(element);
}
