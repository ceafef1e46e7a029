/**
 * The kinds of environment variables: each has a default, and reads its text or says what is wrong with it.
 */
import { availableParallelism } from 'node:os';
import { findPathAbove, reservedPaths } from '../mapping/checks/naming.ts';

/** An environment variable; `read` returns its value, or a string with the reason why the text is invalid. */
export interface Variable<Value> {
  readonly fallback: Value;
  readonly read: (text: string) => { readonly value: Value } | string;
}

/** A text as it is. */
export function text(fallback: string): Variable<string> {
  return { fallback, read: (value) => ({ value }) };
}

/** A text of a pattern, which may be absent. */
export function optional(pattern: RegExp, reason: string): Variable<string | undefined> {
  return maybe((value) => (pattern.test(value) ? { value } : reason));
}

/** A value that may be absent. */
export function maybe<Value>(read: Variable<Value>['read']): Variable<Value | undefined> {
  return { fallback: undefined, read };
}

/** The address of a server, without a path. */
export function origin(): Variable<string | undefined> {
  return {
    fallback: undefined,
    read: (value) => {
      const { protocol, origin } = URL.parse(value) ?? {};
      const isOrigin = protocol === 'https:' || protocol === 'http:';
      return isOrigin && [origin, `${origin}/`].includes(value)
        ? { value: origin }
        : 'must be an address such as https://cms.example.com, without a path';
    },
  };
}

/** One of several words. */
export function choice({
  fallback,
  options,
}: {
  fallback: string;
  options: readonly string[];
}): Variable<string> {
  return {
    fallback,
    read: (value) => (options.includes(value) ? { value } : `must be one of ${options.join(', ')}`),
  };
}

/** A base path that hides none of Colophon's own. */
export function path(fallback: string): Variable<string> {
  return {
    fallback,
    read: (value) => {
      if (!/^(\/[\w.~-]+)+$/.test(value)) {
        return 'must be a path such as /api/contents, of letters, digits and . _ ~ -';
      }
      const reserved =
        findPathAbove(value, reservedPaths) ?? reservedPaths.find((below) => findPathAbove(below, [value]));
      return reserved === undefined
        ? { value }
        : `must not overlap ${reserved}, which is reserved for Colophon`;
    },
  };
}

/** A number of processes, or `auto` for one for each core. */
export function processes(max: number): Variable<number> {
  const given = wholeNumber({ fallback: 1, min: 1, max });
  return {
    fallback: 1,
    read(value) {
      if (value === 'auto') return { value: Math.min(availableParallelism(), max) };
      const outcome = given.read(value);
      return typeof outcome === 'string' ? `${outcome}, or auto` : outcome;
    },
  };
}

/** A whole number within limits. */
export function wholeNumber({
  fallback,
  min,
  max,
}: {
  fallback: number;
  min: number;
  max: number;
}): Variable<number> {
  return {
    fallback,
    read: (value) => {
      const number = Number(value);
      const fits = /^\d+$/.test(value) && number >= min && number <= max;
      return fits ? { value: number } : `must be a whole number from ${min} to ${max}`;
    },
  };
}
