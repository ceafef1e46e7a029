/**
 * The origins whose pages may call an API (CORS): the form of the setting, and its rules. Credentials of browsers, which are cookies, are
 * never allowed.
 */
import type { Problem } from '../base/errors.ts';

/** The setting of one API. */
export interface CorsSettings {
  /** Origins such as `https://www.example.com`, or `*` alone for all. */
  readonly origins: readonly string[];
  /** For how many seconds browsers may keep the answer to a preflight request; `defaultMaxAge` unless given. */
  readonly maxAge?: number;
}

/** The default of `maxAge`. */
export const defaultMaxAge = 600;

/** The limits of the setting, which are also in openapi/admin.yaml. Browsers allow no more seconds. */
export const maxOrigins = 50;
export const maxMaxAge = 86_400;

/** The type of the setting in the records of endpoints. */
export const corsType = /* GraphQL */ `
  "The origins whose pages may call an endpoint."
  type Cors {
    origins: [String!]! @constraint(minItems: 1, maxItems: ${maxOrigins}, maxLength: 300)
    maxAge: Int @constraint(min: 0, max: ${maxMaxAge})
  }
`;

/** Finds the problems of the member `cors` of an endpoint. What has another form is left to other checks. */
export function checkCors(cors: unknown): Problem[] {
  if (Array.isArray(cors)) {
    const message = 'must be an object with the list as origins: {"origins": ["https://www.example.com"]}';
    return [{ path: 'cors', message }];
  }
  const { origins } = Object(cors);
  return Array.isArray(origins) ? checkOrigins(origins, 'cors.origins') : [];
}

/** Finds the problems of a list of origins; `path` names the list. What is no text is left to other checks. */
export function checkOrigins(origins: readonly unknown[], path: string): Problem[] {
  const problems = origins.flatMap((origin, index) => {
    const isRepeated = origins.indexOf(origin) < index;
    const message = isRepeated ? `is given twice: ${String(origin)}` : checkOrigin(origin);
    return message === undefined ? [] : [{ path: `${path}[${index}]`, message }];
  });
  return origins.includes('*') && origins.length > 1
    ? [...problems, { path, message: 'must have no other origins beside *' }]
    : problems;
}

/** Returns the problem of an origin, to follow its place. */
function checkOrigin(origin: unknown): string | undefined {
  if (typeof origin !== 'string' || origin === '*') return undefined;
  const url = URL.parse(origin);
  if (!url || !/^https?:$/.test(url.protocol)) {
    return 'must be * or an origin: scheme, host and port, such as https://www.example.com';
  }
  return url.origin === origin ? undefined : `must be written as browsers send it: ${url.origin}`;
}
