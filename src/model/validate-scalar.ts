/**
 * Validates one value of a scalar type against its constraint, and brings it into stored form.
 *
 * Texts are Unicode without U+0000 and without lone surrogates, which no store, XML or UTF-8 could hold; numbers are finite
 * doubles, and -0 is stored as 0.
 */

import type { Problem } from '../base/errors.ts';
import type { Constraint, Json, ScalarName } from './content-type.ts';
import { tooFew } from './length-message.ts';

/** Checks one value and returns its stored form, or `undefined` after reporting a problem. */
export type ScalarCheck = (
  value: Json,
  path: string,
  findings: { readonly problems: Problem[] },
) => Json | undefined;

/** What a value breaks, or `undefined` when it is sound; shown behind the path. */
type Rule<Value> = (value: Value) => string | undefined;

/** Compiles the check of one scalar under one constraint. */
export function compileScalar(scalar: ScalarName, constraint: Constraint): ScalarCheck {
  switch (scalar) {
    case 'String':
    case 'RichText':
    case 'ID':
      return compileText(textRules(constraint));
    case 'Url':
      return compileText([...textRules(constraint), isUrl]);
    case 'Int':
      return compileNumber([isInt32, ...numberRules(constraint)]);
    case 'EpochMillis':
      return compileNumber([isEpochMillis, ...numberRules(constraint)]);
    case 'Float':
      return compileNumber([isFiniteNumber, ...numberRules(constraint)]);
    case 'Boolean':
      return (value, path, { problems }) => {
        if (typeof value === 'boolean') return value;
        problems.push({ path, message: 'must be true or false' });
        return undefined;
      };
    case 'JSON':
      return (value, path, { problems }) => {
        const flaw = findFlaw(value);
        if (flaw === undefined) return value;
        problems.push({ path, message: flaw });
        return undefined;
      };
  }
}

/** What no text may hold, or `undefined`; shown behind the path. */
export function findTextFlaw(text: string): string | undefined {
  if (text.includes('\0')) return 'must not contain U+0000';
  return text.isWellFormed() ? undefined : 'must not contain a lone surrogate';
}

function compileText(rules: readonly Rule<string>[]): ScalarCheck {
  return (value, path, { problems }) => {
    if (typeof value !== 'string') {
      problems.push({ path, message: 'must be a text' });
      return undefined;
    }
    for (const rule of rules) {
      const message = rule(value);
      if (message === undefined) continue;
      problems.push({ path, message });
      return undefined;
    }
    return value;
  };
}

function compileNumber(rules: readonly Rule<number>[]): ScalarCheck {
  return (value, path, { problems }) => {
    const message =
      typeof value === 'number'
        ? rules.map((rule) => rule(value)).find((found) => found !== undefined)
        : 'must be a number';
    if (message === undefined) return value === 0 ? 0 : value;
    problems.push({ path, message });
    return undefined;
  };
}

function textRules({ minLength, maxLength, pattern }: Constraint): Rule<string>[] {
  const rules: Rule<string>[] = [findTextFlaw];
  if (minLength !== undefined) {
    rules.push((text) => (codePoints(text) < minLength ? tooFew(minLength, 'characters') : undefined));
  }
  if (maxLength !== undefined) {
    // A text has no more characters than UTF-16 units, so most need no counting.
    rules.push((text) =>
      text.length > maxLength && codePoints(text) > maxLength
        ? `must have at most ${maxLength} characters`
        : undefined,
    );
  }
  if (pattern !== undefined) {
    const expression = new RegExp(pattern, 'u');
    rules.push((text) => (expression.test(text) ? undefined : `must match ${pattern}`));
  }
  return rules;
}

function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

function numberRules({ min = -Infinity, max = Infinity }: Constraint): Rule<number>[] {
  return [
    (number) => (number < min ? `must be at least ${min}` : undefined),
    (number) => (number > max ? `must be at most ${max}` : undefined),
  ];
}

const isInt32: Rule<number> = (number) =>
  (number | 0) === number ? undefined : 'must be a whole number from -2147483648 to 2147483647';

/** The span of a JavaScript date, in milliseconds each way. */
const maxEpochMillis = 8.64e15;

const isEpochMillis: Rule<number> = (number) =>
  Number.isInteger(number) && Math.abs(number) <= maxEpochMillis
    ? undefined
    : 'must be a whole number of milliseconds since 1970';

const isFiniteNumber: Rule<number> = (number) =>
  Number.isFinite(number) ? undefined : 'must be a finite number';

const isUrl: Rule<string> = (text) =>
  URL.canParse(text) && text.trim() === text ? undefined : 'must be an absolute URL';

/** Finds what would not come back from a store as it went in. */
function findFlaw(root: Json): string | undefined {
  const pending: Json[] = [root];
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    if (typeof value === 'string') {
      const flaw = findTextFlaw(value);
      if (flaw) return flaw;
    } else if (typeof value === 'number') {
      if (!Number.isFinite(value)) return 'must hold finite numbers only';
    } else if (Array.isArray(value)) {
      for (const item of value) pending.push(item);
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, member] of Object.entries(value)) pending.push(name, member);
    }
  }
  return undefined;
}
