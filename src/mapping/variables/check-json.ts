/**
 * Checks JSON values of variables against their types: members of a JSON body, and literals in a query string.
 *
 * GraphQL would refuse the same values, but without the name of the parameter and the path in it, which errors here have.
 */

import { invalidParameter } from '../../base/errors.ts';
import { toBareObject } from '../../base/own-members.ts';
import type { InputType } from '../../graphql/operation.ts';
import { findInexactNumbers } from '../../model/values/exact-numbers.ts';
import { maxJsonDepth } from '../../model/values/parse-json.ts';
import { expectedFor, scalars } from '../../model/values/scalars.ts';
import { isJsonObject } from '../../model/values/validate-asset.ts';
import { suggest } from '../../text/suggest.ts';
import { oneOf } from './convert-text.ts';

/** The location of a value: its parameter, and the path in it, such as `tags[2]`. */
interface JsonLocation {
  readonly parameter: string;
  readonly path: string;
}

/**
 * Checks a JSON value, and returns it with lists in place of the single values that stand for them.
 *
 * Errors: invalid_parameter, with the parameter and the path of the first wrong value.
 */
export function checkJson(value: unknown, type: InputType, parameter: string): unknown {
  countMembers(value, parameter, 1);
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
  if (countMembers(value, parameter, 1) < members) {
    throw invalidParameter(parameter, 'holds an object that has a name twice');
  }
  const [inexact] = findInexactNumbers(text);
  if (inexact) throw refuse({ parameter, path: inexact.path }, inexact.message);
  return value;
}

/** Refuses deep nesting and `__proto__`; returns the number of members on all levels. */
function countMembers(value: unknown, parameter: string, depth: number): number {
  if (typeof value !== 'object' || value === null) return 0;
  const entries = Object.entries(value);
  if (entries.length > 0 && depth >= maxJsonDepth) {
    throw invalidParameter(parameter, `is nested deeper than ${maxJsonDepth} levels`);
  }
  let members = Array.isArray(value) ? 0 : entries.length;
  for (const [name, inner] of entries) {
    if (name === '__proto__') throw invalidParameter(parameter, 'must not hold a "__proto__"');
    members += countMembers(inner, parameter, depth + 1);
  }
  return members;
}

function check(value: unknown, type: InputType, location: JsonLocation): unknown {
  if (value === null) {
    if (type.nullable) return null;
    throw refuse(location, 'must not be null');
  }
  switch (type.kind) {
    case 'scalar': {
      const { accepts, alsoAccepts } = scalars[type.name];
      if (accepts(value) || alsoAccepts?.(value)) return value;
      throw refuse(location, `must be ${expectedFor(type.name, value)}`);
    }
    case 'enum':
      if (type.values.some((name) => name === value)) return value;
      throw refuse(location, oneOf(type.values, value));
    case 'list':
      if (!Array.isArray(value)) return [check(value, type.of, location)];
      return value.map((item, index) => check(item, type.of, within(location, `[${index}]`)));
    case 'object':
      return checkMembers(value, type, location);
  }
}

function checkMembers(value: unknown, type: InputType & { kind: 'object' }, location: JsonLocation): unknown {
  if (!isJsonObject(value)) throw refuse(location, 'must be an object');
  const lacking = [...type.members].find(([name, { required }]) => required && !Object.hasOwn(value, name));
  if (lacking) throw refuse(within(location, lacking[0]), 'is required');
  const checked = Object.entries(value).map(([name, inner]) => {
    const member = type.members.get(name);
    if (!member)
      throw refuse(
        within(location, name),
        `is no member of ${type.name}${suggest([name], type.members.keys())}`,
      );
    return [name, check(inner, member.type, within(location, name))] as const;
  });
  return toBareObject(checked);
}

function within({ parameter, path }: JsonLocation, step: string): JsonLocation {
  const dot = path === '' || step.startsWith('[') ? '' : '.';
  return { parameter, path: path + dot + step };
}

function refuse({ parameter, path }: JsonLocation, reason: string): Error {
  const shown = path.length > 100 ? `${path.slice(0, 100)}…` : path;
  return invalidParameter(parameter, path === '' ? reason : `is wrong at ${shown}, which ${reason}`);
}
