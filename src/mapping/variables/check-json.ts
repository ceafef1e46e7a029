/**
 * JSON given for a variable, checked against the variable's type: a member of a JSON body, or a literal in a query string.
 *
 * GraphQL would refuse the same values, but in words of its own; here an error names the parameter and the place within it.
 */
import { invalidParameter } from '../../base/errors.ts';
import type { InputType } from '../../graphql/operation.ts';
import { findInexactNumbers } from '../../model/exact-numbers.ts';
import { scalars } from '../../model/scalars.ts';
import { isJsonObject } from '../../model/validate-asset.ts';
import { maxVariableDepth } from './limits.ts';

/** A value's place: the parameter it came in, and the path within, such as `tags[2]`. */
interface Place {
  readonly parameter: string;
  readonly path: string;
}

/**
 * Checks a JSON value and returns it with whole lists where single values stand for them.
 *
 * Errors: invalid_parameter, naming the parameter and the first place that is wrong.
 */
export function checkJson(value: unknown, type: InputType, parameter: string): unknown {
  checkNesting(value, parameter, 1);
  return check(value, type, { parameter, path: '' });
}

/** Parses a JSON literal. Errors: invalid_parameter. */
export function parseLiteral(text: string, parameter: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalidParameter(parameter, 'must be a JSON literal, texts in double quotes');
  }
  const members = text.replace(/"(\\.|[^"\\])*"/g, '').split(':').length - 1;
  if (checkNesting(value, parameter, 1) < members) {
    throw invalidParameter(parameter, 'holds an object that has a name twice');
  }
  const [inexact] = findInexactNumbers(text);
  if (inexact) throw refuse({ parameter, path: inexact.path }, inexact.message);
  return value;
}

/** Refuses what is too deep or has a `__proto__`; returns how many members there are at all levels. */
function checkNesting(value: unknown, parameter: string, depth: number): number {
  if (typeof value !== 'object' || value === null) return 0;
  const entries = Object.entries(value);
  if (entries.length > 0 && depth >= maxVariableDepth) {
    throw invalidParameter(parameter, `is nested deeper than ${maxVariableDepth} levels`);
  }
  let members = Array.isArray(value) ? 0 : entries.length;
  for (const [name, inner] of entries) {
    if (name === '__proto__') throw invalidParameter(parameter, 'must not hold a "__proto__"');
    members += checkNesting(inner, parameter, depth + 1);
  }
  return members;
}

function check(value: unknown, type: InputType, place: Place): unknown {
  if (value === null) {
    if (type.nullable) return null;
    throw refuse(place, 'must not be null');
  }
  switch (type.kind) {
    case 'scalar': {
      const { accepts, expected } = scalars[type.name];
      // GraphQL takes whole numbers for an ID as well.
      if (accepts(value) || (type.name === 'ID' && Number.isSafeInteger(value))) return value;
      throw refuse(place, `must be ${expected}`);
    }
    case 'enum':
      if (type.values.some((name) => name === value)) return value;
      throw refuse(place, `must be one of ${type.values.join(', ')}`);
    case 'list':
      if (!Array.isArray(value)) return [check(value, type.of, place)];
      return value.map((item, index) => check(item, type.of, within(place, `[${index}]`)));
    case 'object':
      return checkMembers(value, type, place);
  }
}

function checkMembers(value: unknown, type: InputType & { kind: 'object' }, place: Place): unknown {
  if (!isJsonObject(value)) throw refuse(place, 'must be an object');
  const lacking = [...type.members].find(([name, { required }]) => required && !Object.hasOwn(value, name));
  if (lacking) throw refuse(within(place, lacking[0]), 'is required');
  const checked = Object.entries(value).map(([name, inner]) => {
    const member = type.members.get(name);
    if (!member) throw refuse(within(place, name), `is no member of ${type.name}`);
    return [name, check(inner, member.type, within(place, name))];
  });
  return Object.fromEntries(checked);
}

function within({ parameter, path }: Place, step: string): Place {
  const dot = path === '' || step.startsWith('[') ? '' : '.';
  return { parameter, path: path + dot + step };
}

function refuse({ parameter, path }: Place, reason: string): Error {
  const shown = path.length > 100 ? `${path.slice(0, 100)}…` : path;
  return invalidParameter(parameter, path === '' ? reason : `is wrong at ${shown}, which ${reason}`);
}
