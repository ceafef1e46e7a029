/**
 * Reads a query string into an object without a prototype, so that every name is allowed.
 */
import { decodeQuery } from '../../base/decode-query.ts';

/**
 * Parses the part of a URL after `?`. The value of a name that occurs once is a string, of a repeated name an array of strings.
 *
 * Errors: invalid_parameter.
 */
export function parseQuery(text: string | null | undefined): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = Object.create(null);
  for (const [name, value] of decodeQuery(text ?? '')) {
    const earlier = query[name];
    if (earlier === undefined) query[name] = value;
    else if (typeof earlier === 'string') query[name] = [earlier, value];
    else earlier.push(value);
  }
  return query;
}
