/** Short constructors of input types, for tests of variables. */
import type { InputMember, InputType, VariableDefinition } from '../../../src/graphql/operation.ts';
import type { ScalarName } from '../../../src/model/content-type.ts';

export const scalar = (name: ScalarName): InputType => ({ kind: 'scalar', name, nullable: true });

export const list = (of: InputType): InputType => ({ kind: 'list', of, nullable: true });

export const sure = (type: InputType): InputType => ({ ...type, nullable: false });

export const status: InputType = { kind: 'enum', name: 'Status', values: ['DRAFT', 'LIVE'], nullable: true };

const members = new Map<string, InputMember>();

/** Contains itself, alone and in a list. */
export const filter: InputType = { kind: 'object', name: 'Filter', members, nullable: true };

const optional = (type: InputType): InputMember => ({ type, required: false });

for (const [name, member] of Object.entries({
  text: { type: sure(scalar('String')), required: true },
  min: optional(scalar('Int')),
  sure: optional(sure(scalar('Int'))),
  status: optional(status),
  tags: optional(list(sure(scalar('String')))),
  extra: optional(scalar('JSON')),
  not: optional(filter),
  any: optional(list(sure(filter))),
})) {
  members.set(name, member);
}

/** Variables that are optional unless their type is not nullable. */
export function declare(types: Readonly<Record<string, InputType>>): VariableDefinition[] {
  return Object.entries(types).map(([name, type]) => ({ name, type, required: !type.nullable }));
}
