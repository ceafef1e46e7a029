/**
 * Reads a query string into an object without a prototype, so that every name is allowed.
 */
import { LRUCache } from 'lru-cache';
import { decodeQuery } from '../../base/decode-query.ts';

/**
 * Parses the part of a URL after `?`. The value of a name that occurs once is a string, of a repeated name an array of strings.
 *
 * Errors: invalid_parameter.
 */
export function parseQuery(text: string): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = Object.create(null);
  for (const [name, value = ''] of decodeQuery(text)) {
    const earlier = query[name];
    if (earlier === undefined) query[name] = value;
    else if (typeof earlier === 'string') query[name] = [earlier, value];
    else earlier.push(value);
  }
  return query;
}

/** Parses a query string. The result may be shared, so it must not be changed. Errors: invalid_parameter. */
export type ParseQuery = (text: string) => Readonly<Record<string, string | readonly string[]>>;

const maxCached = 500;
const maxCachedCharacters = 2_048;

/** Creates a function that parses like `parseQuery` and keeps the results of 500 recent texts of up to 2,048 characters. */
export function createQueryParser(): ParseQuery {
  const known = new LRUCache<string, ReturnType<ParseQuery>>({ max: maxCached });
  return (text) => {
    const found = known.get(text);
    if (found) return found;
    const query = Object.freeze(parseQuery(text));
    if (text.length <= maxCachedCharacters) known.set(text, query);
    return query;
  };
}
