/**
 * Reads a query string strictly: every name and value must be well-formed percent-encoded UTF-8, and none is dropped.
 */
import { invalidParameter } from '../base/errors.ts';

/**
 * Parses the part of a URL after `?`. A name given once has a text, a name given several times the list of them.
 *
 * Errors: invalid_parameter.
 */
export function parseQuery(text: string | null | undefined): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = Object.create(null);
  for (const pair of (text ?? '').split('&')) {
    if (pair === '') continue;
    const split = pair.indexOf('=');
    const name = decode(split < 0 ? pair : pair.slice(0, split), 'the query string');
    const value = decode(split < 0 ? '' : pair.slice(split + 1), name);
    const earlier = query[name];
    if (earlier === undefined) query[name] = value;
    else if (typeof earlier === 'string') query[name] = [earlier, value];
    else earlier.push(value);
  }
  return query;
}

function decode(text: string, name: string): string {
  if (!/[%+]/.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw invalidParameter(name, 'is not well-formed percent-encoded UTF-8');
  }
}
