/**
 * Keeps secrets out of reports: those that the run was given, wherever they stand, and those that an instance issues, by the names
 * that they go by.
 */
import type { CaseResult } from '../case.ts';

const concealed = '***';

/** The headers and members that carry secrets, in lower case. */
const secretNames = [
  'authorization',
  'cookie',
  'cookies',
  'csrftoken',
  'password',
  'secret',
  'set-cookie',
  'x-api-key',
  'x-client-secret',
  'x-csrf-token',
];

/** The same members in a text of JSON. */
const secretMembers = /("(?:csrfToken|password|secret)"\s*:\s*)"(?:[^"\\]|\\.)*"?/gi;

/** What stands in a report in place of a value. */
export interface Concealer {
  text(text: string): string;
  result(result: CaseResult): CaseResult;
}

/** Makes what conceals the given secrets, and those that are told by their names. */
export function createConcealer(secrets: readonly string[]): Concealer {
  // The longest first, for one may be a part of another.
  const known = secrets.filter((secret) => secret !== '').toSorted((a, b) => b.length - a.length);

  function text(given: string): string {
    const withoutKnown = known.reduce((rest, secret) => rest.replaceAll(secret, concealed), given);
    return withoutKnown.replace(secretMembers, `$1"${concealed}"`);
  }

  function value(given: unknown): unknown {
    if (typeof given === 'string') return text(given);
    if (Array.isArray(given)) return given.map(value);
    if (typeof given !== 'object' || given === null || ArrayBuffer.isView(given)) return given;
    const members = Object.entries(given).map(([name, member]) => [
      text(name),
      secretNames.includes(name.toLowerCase()) ? concealed : value(member),
    ]);
    return Object.fromEntries(members);
  }

  return {
    text,
    result({ failure, ...rest }) {
      if (!failure) return rest;
      const { message, request, expected, received } = failure;
      return {
        ...rest,
        failure: {
          message: text(message),
          // A request keeps its shape: only texts within it are replaced.
          ...(request ? { request: value(request) as typeof request } : {}),
          ...(expected === undefined ? {} : { expected: value(expected) }),
          ...(received === undefined ? {} : { received: value(received) }),
        },
      };
    },
  };
}
