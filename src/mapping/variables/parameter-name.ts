/**
 * Parses names of parameters in slash syntax: `filter/tags[]`, `items[0]/name`.
 *
 * A name is a sequence of segments joined by `/`. A segment is a member's name, followed by any indexes such as `[0]`; `[]` at the
 * end of the name appends to a list, and without a value is the empty list.
 */
import { invalidParameter } from '../../base/errors.ts';
import { maxListElements, maxVariableDepth } from './limits.ts';

/** The step that appends to a list; no member can have this name. */
export const append = '[]';

/** One step into a value: a member's name, an index, or `append`. */
export type Step = string | number;

/** Returns the name of the variable that a parameter belongs to. */
export function rootOf(name: string): string {
  const end = name.search(/[/[]/);
  return end < 0 ? name : name.slice(0, end);
}

/** Tests whether one part of a name is `__proto__`. */
export function hasProto(name: string): boolean {
  return name.includes('__proto__') && name.split(/[/[\]]/).includes('__proto__');
}

/** Splits a name into steps. Errors: invalid_parameter, with the whole name. */
export function parseParameterName(name: string): Step[] {
  // Each step begins the name or has one of these before it.
  if (name.split(/[/[]/, maxVariableDepth + 1).length > maxVariableDepth) {
    throw invalidParameter(name, `is nested deeper than ${maxVariableDepth} levels`);
  }
  if (!wellFormed.test(name)) {
    throw invalidParameter(
      name,
      'must be names joined by "/", with indexes such as [0] behind them or [] at the end',
    );
  }
  const steps = (name.match(stepPattern) ?? []).map(toStep);
  if (steps.some((step) => typeof step === 'number' && step >= maxListElements)) {
    throw invalidParameter(name, `has an index above ${maxListElements - 1}`);
  }
  return steps;
}

const segment = String.raw`[^/[\]]+(\[(0|[1-9][0-9]*)\])*`;
const wellFormed = new RegExp(String.raw`^${segment}(/${segment})*(\[\])?$`);
const stepPattern = /\[[0-9]*\]|[^/[\]]+/g;

function toStep(part: string): Step {
  return part.startsWith('[') && part !== append ? Number(part.slice(1, -1)) : part;
}
