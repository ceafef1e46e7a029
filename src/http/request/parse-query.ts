/**
 * Reads a query string into an object that inherits no member, so that every name is allowed.
 *
 * Results are not kept: to read a query string takes a microsecond, and to keep one that does not come again takes longer.
 */

import { decodeQuery } from '../../base/decode-query.ts';
import { createBareObject } from '../../base/own-members.ts';

/**
 * Parses the part of a URL after `?`. The value of a name that occurs once is a string, of a repeated name an array of strings.
 *
 * Errors: invalid_parameter.
 */
export function parseQuery(text: string): Record<string, string | string[]> {
  const query = createBareObject<string | string[]>();
  for (const [name, value = ''] of decodeQuery(text)) {
    const earlier = query[name];
    if (earlier === undefined) query[name] = value;
    else if (typeof earlier === 'string') query[name] = [earlier, value];
    else earlier.push(value);
  }
  return query;
}
