/**
 * Reads a query string into an object that can hold any name.
 */
import { decodeQuery } from '../../base/decode-query.ts';

/**
 * Parses the part of a URL after `?`. A name given once has a text, a name given several times the list of them.
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
