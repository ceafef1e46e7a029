/**
 * Redacts secrets in reports: those that the run was given, anywhere, and those that an instance issues, by the names of their
 * headers and members.
 */
import type { CaseResult } from '../case.ts';

const redacted = '***';

/** The headers and members that hold secrets, in lower case. */
const secretNames = [
  'authorization',
  'cookie',
  'cookies',
  'csrftoken',
  'currentpassword',
  'newpassword',
  'password',
  'secret',
  'set-cookie',
  'token',
  'x-api-key',
  'x-client-secret',
  'x-csrf-token',
];

/** The same members in JSON text. */
const secretMembers =
  /("(?:csrfToken|currentPassword|newPassword|password|secret|token)"\s*:\s*)"(?:[^"\\]|\\.)*"?/gi;

/** The token in the link of an invitation. */
const invitationTokens = /(\/invitation#)[\w.-]+/g;

/** Creates a redactor of the given secrets and of members with the names above. */
export function createRedactor(secrets: readonly string[]) {
  // The longest first, since one may contain another.
  const known = secrets.filter((secret) => secret !== '').toSorted((a, b) => b.length - a.length);

  function text(given: string): string {
    const withoutKnown = known.reduce((rest, secret) => rest.replaceAll(secret, redacted), given);
    return withoutKnown.replace(secretMembers, `$1"${redacted}"`).replace(invitationTokens, `$1${redacted}`);
  }

  function value(given: unknown): unknown {
    if (typeof given === 'string') return text(given);
    if (Array.isArray(given)) return given.map(value);
    if (typeof given !== 'object' || given === null || ArrayBuffer.isView(given)) return given;
    const members = Object.entries(given).map(([name, member]) => [
      text(name),
      secretNames.includes(name.toLowerCase()) ? redacted : value(member),
    ]);
    return Object.fromEntries(members);
  }

  return {
    text,
    result({ failure, ...rest }: CaseResult): CaseResult {
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
