/**
 * Validates one value of a scalar: what the table of scalars says of it, then the constraint of its field.
 *
 * A number -0 is stored as 0.
 */

import type { Problem } from '../../base/errors.ts';
import { compilePattern, type Matches } from '../../text/compile-pattern.ts';
import type { Constraint, Json, ScalarName } from '../content-type.ts';
import { orderOf, scalars } from './scalars.ts';

/** Checks one value and returns its stored form, or `undefined` after reporting a problem. */
type ScalarCheck = (
  value: Json,
  path: string,
  findings: { readonly problems: Problem[]; readonly hints: boolean },
) => Json | undefined;

/** Finds what a value breaks, worded to follow its path. */
type Rule<Value> = (value: Value) => string | undefined;

/** Compiles the check of one scalar under one constraint. */
export function compileScalar(name: ScalarName, constraint: Constraint): ScalarCheck {
  switch (scalars[name].family) {
    case 'text':
      return compileCheck(name, textRules(constraint), isText);
    case 'number':
      return compileCheck(name, numberRules(constraint), isNumber);
    case 'ordered':
      return compileCheck(name, orderedRules(name, constraint), isText);
    case 'boolean':
    case 'opaque':
      return compileCheck(name, [], isAny);
  }
}

const isText = (value: Json): value is string => typeof value === 'string';
const isNumber = (value: Json): value is number => typeof value === 'number';
const isAny = (_value: Json): _value is Json => true;

/** Compiles a check; `isKind` tells which values the rules can be asked about. */
function compileCheck<Value extends Json>(
  name: ScalarName,
  rules: readonly Rule<Value>[],
  isKind: (value: Json) => value is Value,
): ScalarCheck {
  const { family, expected, hint, accepts, findFlaw } = scalars[name];
  const kind = family === 'number' && !hint ? 'a number' : expected;
  const findProblem = (value: Json, hints: boolean): string | undefined => {
    if (!isKind(value)) return `must be ${kind}${(hints && hint?.(value)) || ''}`;
    if (!accepts(value)) return `must be ${expected}`;
    const flaw = findFlaw(value);
    if (flaw !== undefined) return flaw;
    for (const rule of rules) {
      const broken = rule(value);
      if (broken !== undefined) return broken;
    }
    return undefined;
  };
  return (value, path, { problems, hints }) => {
    const message = findProblem(value, hints);
    if (message === undefined) return value === 0 ? 0 : value;
    problems.push({ path, message });
    return undefined;
  };
}

function textRules({ minLength, maxLength, pattern }: Constraint): Rule<string>[] {
  const rules: Rule<string>[] = [];
  if (minLength !== undefined) {
    rules.push((text) =>
      !hasMore(text, minLength - 1) ? lengthMessage(minLength, 'characters') : undefined,
    );
  }
  if (maxLength !== undefined) {
    rules.push((text) =>
      hasMore(text, maxLength) ? `must have at most ${maxLength} characters` : undefined,
    );
  }
  if (pattern !== undefined) {
    // Compiled when a first text is checked. That it can be was found when the types were loaded.
    let matches: Matches | undefined;
    rules.push((text) => {
      matches ??= compilePattern(pattern);
      return matches(text) ? undefined : `must match ${pattern}`;
    });
  }
  return rules;
}

/** Returns whether a text has more than a number of characters, each of which is one or two UTF-16 units. */
function hasMore(text: string, length: number): boolean {
  if (text.length <= length || text.length > 2 * length) return text.length > length;
  let count = 0;
  for (const _ of text) count++;
  return count > length;
}

function numberRules({ min = -Infinity, max = Infinity }: Constraint): Rule<number>[] {
  return [
    (number) => (number < min ? `must be at least ${min}` : undefined),
    (number) => (number > max ? `must be at most ${max}` : undefined),
  ];
}

function orderedRules(name: ScalarName, { min, max, scale }: Constraint): Rule<string>[] {
  const { toKey } = orderOf(name);
  const keyOf = (limit: number | undefined) => (limit === undefined ? undefined : toKey(String(limit)));
  const [least, most] = [keyOf(min), keyOf(max)];
  const rules: Rule<string>[] = [];
  if (least !== undefined)
    rules.push((text) => ((toKey(text) ?? '') < least ? `must be at least ${min}` : undefined));
  if (most !== undefined)
    rules.push((text) => ((toKey(text) ?? '') > most ? `must be at most ${max}` : undefined));
  if (scale !== undefined) {
    const digitsAfterPoint = (text: string) => text.split('.')[1]?.length ?? 0;
    rules.push((text) =>
      digitsAfterPoint(text) > scale ? `must have at most ${scale} digits after the point` : undefined,
    );
  }
  return rules;
}

/** Words the problem of a text or list with fewer than `least` characters or items. */
export function lengthMessage(least: number, unit: 'characters' | 'items'): string {
  return least === 1 ? 'must not be empty' : `must have at least ${least} ${unit}`;
}
