/**
 * Decodes query strings and forms strictly: every name and value must be well-formed percent-encoded UTF-8. Nothing is dropped.
 */
import { invalidParameter } from './errors.ts';

/**
 * Returns the names and values of a query string or form, in order.
 *
 * Errors: invalid_parameter, for the malformed parameter, or for `whole` when its name itself is malformed.
 */
export function decodeQuery(text: string, whole = 'the query string'): [name: string, value: string][] {
  const pairs: [string, string][] = [];
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const split = pair.indexOf('=');
    const name = decode(split < 0 ? pair : pair.slice(0, split), whole);
    pairs.push([name, decode(split < 0 ? '' : pair.slice(split + 1), name)]);
  }
  return pairs;
}

function decode(text: string, name: string): string {
  if (!/[%+]/.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw invalidParameter(name, 'is not well-formed percent-encoded UTF-8');
  }
}
