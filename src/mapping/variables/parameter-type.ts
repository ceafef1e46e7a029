/**
 * Finds the declared type of the value that a parameter's name leads to.
 */
import { invalidParameter } from '../../base/errors.ts';
import type { InputMember, InputType } from '../../graphql/operation.ts';
import { isAnyJson } from '../../model/values/scalars.ts';
import { suggest } from '../../text/suggest.ts';
import { append, type Step } from './parameter-name.ts';

/** The variables of an operation, as members of one object. */
export type Members = ReadonlyMap<string, InputMember>;

/** Finds the type at the end of a path. Errors: invalid_parameter. */
export function findParameterType(members: Members, steps: readonly Step[], parameter: string): InputType {
  let type: InputType = { kind: 'object', name: 'variables', members, nullable: false };
  for (const step of steps) type = stepInto(type, step, parameter);
  return type;
}

function stepInto(type: InputType, step: Step, parameter: string): InputType {
  // The parts of a JSON value are JSON values.
  if (type.kind === 'scalar' && isAnyJson(type.name)) return type;
  if (typeof step === 'number' || step === append) {
    if (type.kind === 'list') return type.of;
    throw invalidParameter(parameter, `treats a ${nameOf(type)} as a list`);
  }
  if (type.kind === 'list') return stepInto(type.of, step, parameter);
  if (type.kind !== 'object') throw invalidParameter(parameter, `treats a ${type.name} as an object`);
  const member = type.members.get(step);
  if (!member)
    throw invalidParameter(
      parameter,
      `names no member of ${type.name}${suggest([step], type.members.keys())}`,
    );
  return member.type;
}

function nameOf(type: InputType): string {
  return type.kind === 'list' ? nameOf(type.of) : type.name;
}
