/**
 * Decodes query strings and forms strictly: every name and value must be well-formed percent-encoded UTF-8. Nothing is dropped.
 */
import { invalidParameter } from './errors.ts';

/** As many as a JSON body may have values. */
const maxParameters = 100_000;

/**
 * Returns the names and values of a query string or form, in order. A value without `=` is undefined.
 *
 * Errors: invalid_parameter, for the malformed parameter, or for `whole` when its name itself is malformed or it has more than
 * 100,000 parameters.
 */
export function decodeQuery(text: string, whole = 'the query string'): Pair[] {
  const pairs: Pair[] = [];
  for (let start = 0; start < text.length; ) {
    const next = text.indexOf('&', start);
    const end = next < 0 ? text.length : next;
    if (end > start) {
      if (pairs.length === maxParameters) {
        throw invalidParameter(whole, `has more than ${maxParameters} parameters`);
      }
      pairs.push(decodePair(text.slice(start, end), whole));
    }
    start = end + 1;
  }
  return pairs;
}

type Pair = [name: string, value: string | undefined];

function decodePair(pair: string, whole: string): Pair {
  const split = pair.indexOf('=');
  if (split < 0) return [decode(pair, whole), undefined];
  const name = decode(pair.slice(0, split), whole);
  return [name, decode(pair.slice(split + 1), name)];
}

function decode(text: string, name: string): string {
  if (!/[%+]/.test(text)) return text;
  try {
    return decodeURIComponent(text.includes('+') ? toSpaces(text) : text);
  } catch {
    throw invalidParameter(name, 'is not well-formed percent-encoded UTF-8');
  }
}

/** Replaces each `+` by a space. */
function toSpaces(text: string): string {
  if (text.length < longText) return text.replaceAll('+', ' ');
  // Twenty times as fast for a text of many plus signs. In UTF-8 no other character contains their byte.
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] === plus) bytes[at] = space;
  }
  return bytes.toString();
}

const longText = 10_000;
const [plus, space] = [0x2b, 0x20];
