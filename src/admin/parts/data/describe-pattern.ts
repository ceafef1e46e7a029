/**
 * Describes in words which texts a regular expression accepts, as far as it is one of those that content types often have.
 */

/** The names of sets of characters; ranges may be in any order. */
const ranges: readonly (readonly [range: string, words: string])[] = [
  ['a-z', 'lower-case letters'],
  ['A-Z', 'capital letters'],
  ['0-9', 'digits'],
  ['\\d', 'digits'],
  ['\\w', 'letters, digits and underscores'],
  ['\\-', 'hyphens'],
  ['-', 'hyphens'],
  ['_', 'underscores'],
  ['\\.', 'dots'],
  ['.', 'dots'],
  ['/', 'slashes'],
  [' ', 'spaces'],
];

/** Describes a pattern, such as `lower-case letters and digits, with - between`; the pattern itself if there are no words for it. */
export function describePattern(pattern: string): string {
  return describeWhole(pattern) ?? `in the form ${pattern}`;
}

/** Puts the message about a pattern into words; returns other messages as they are. */
export function sayPattern(message: string): string {
  const [, pattern] = /^must match (.+)$/s.exec(message) ?? [];
  return pattern === undefined ? message : `must be ${describePattern(pattern)}`;
}

function describeWhole(pattern: string): string | undefined {
  const [, inner] = /^\^(.+)\$$/s.exec(pattern) ?? [];
  if (inner === undefined) return undefined;
  if (/^\[\^[^\]]*@[^\]]*\][+*]@/.test(inner)) return 'an email address, such as name@example.org';
  return describeJoined(inner) ?? describeSet(inner);
}

/** One set of characters, then a separator and the same set any number of times: `[a-z0-9]+(-[a-z0-9]+)*`. */
function describeJoined(inner: string): string | undefined {
  const [, set, separator, again] =
    /^(\[[^\]]+\])\+\((?:\?:)?(\\?[-_./ ])(\[[^\]]+\])\+\)\*$/.exec(inner) ?? [];
  if (set === undefined || separator === undefined || set !== again) return undefined;
  const words = wordsOf(set.slice(1, -1));
  return words && `${words}, with ${separator.replace('\\', '')} between`;
}

/** One set of characters with the number of them: `[A-Z]{2}`. */
function describeSet(inner: string): string | undefined {
  const [, set = '', quantity = ''] = /^(\[[^\]]+\]|\\[dw])(\+|\*|\{\d+(?:,\d*)?\})?$/.exec(inner) ?? [];
  const words = wordsOf(set.startsWith('[') ? set.slice(1, -1) : set);
  if (!words) return undefined;
  const [, least, comma, most] = /^\{(\d+)(,?)(\d*)\}$/.exec(quantity) ?? [];
  if (least === undefined) return quantity === '' ? `one of ${words}` : words;
  if (comma === '') return `${least} ${words}`;
  return most === '' ? `at least ${least} ${words}` : `${least} to ${most} ${words}`;
}

function wordsOf(set: string): string | undefined {
  const found: string[] = [];
  let rest = set;
  while (rest !== '') {
    const range = ranges.find(([start]) => rest.startsWith(start));
    if (!range) return undefined;
    found.push(range[1]);
    rest = rest.slice(range[0].length);
  }
  if (found.length < 2) return found[0];
  return `${found.slice(0, -1).join(', ')} and ${found.at(-1)}`;
}
