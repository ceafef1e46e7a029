/**
 * The declared type of what a parameter's name leads to.
 */
import { invalidParameter } from '../../base/errors.ts';
import type { InputMember, InputType } from '../../graphql/operation.ts';
import { append, type Step } from './parameter-name.ts';

/** What parameters give: the variables of an operation, as if they were members of one object. */
export type Members = ReadonlyMap<string, InputMember>;

/** The type of the value that the steps lead to. Errors: invalid_parameter. */
export function findParameterType(members: Members, steps: readonly Step[], parameter: string): InputType {
  let type: InputType = { kind: 'object', name: 'variables', members, nullable: false };
  for (const step of steps) type = stepInto(type, step, parameter);
  return type;
}

function stepInto(type: InputType, step: Step, parameter: string): InputType {
  // What is within any JSON is any JSON.
  if (type.kind === 'scalar' && type.name === 'JSON') return type;
  if (typeof step === 'number' || step === append) {
    if (type.kind === 'list') return type.of;
    throw invalidParameter(parameter, `treats a ${nameOf(type)} as a list`);
  }
  if (type.kind === 'list') return stepInto(type.of, step, parameter);
  if (type.kind !== 'object') throw invalidParameter(parameter, `treats a ${type.name} as an object`);
  const member = type.members.get(step);
  if (!member) throw invalidParameter(parameter, `names no member of ${type.name}`);
  return member.type;
}

function nameOf(type: InputType): string {
  return type.kind === 'list' ? nameOf(type.of) : type.name;
}
