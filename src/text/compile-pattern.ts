/**
 * Matches texts against the regular expressions of `@constraint(pattern:)`, in time linear in the text.
 *
 * A pattern has the syntax and meaning of JavaScript's `RegExp` with the flag `u`, as OpenAPI documents show it. RE2 matches it, because
 * JavaScript's own engine tries combinations whose number can grow exponentially with the text: `^(a+)+$` takes it seconds for 29
 * letters. What RE2 cannot match is refused: look-around, backreferences and repetitions of more than 1,000.
 */
import { RE2JS } from 're2js';

/** Returns whether a text contains a match. */
export type Matches = (text: string) => boolean;

/**
 * Compiles a pattern.
 *
 * Errors: a `SyntaxError`, worded to follow "pattern", when it is no regular expression or RE2 cannot match it.
 */
export function compilePattern(pattern: string): Matches {
  assertExpression(pattern);
  const compiled = compile(toRe2(pattern));
  return (text) => compiled.test(text);
}

function assertExpression(pattern: string): void {
  try {
    new RegExp(pattern, 'u');
  } catch (error) {
    throw new SyntaxError(`is not a regular expression: ${error instanceof Error ? error.message : error}`);
  }
}

function compile(translated: string): RE2JS {
  try {
    return RE2JS.compile(RE2JS.translateRegExp(translated));
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace('error parsing regexp: ', '') : error;
    throw new SyntaxError(`cannot be matched in linear time: ${reason}`);
  }
}

/** An escape, the beginning of a group, or a character: what can differ between the two syntaxes. */
const tokens =
  /\\u[dD][89abAB][\dA-Fa-f]{2}\\u[dD][c-fC-F][\dA-Fa-f]{2}|\\[pP]\{[^}]*\}|\\.|\(\?[^:<]|\(\?<[=!]|./gsu;

/** Writes a valid pattern of JavaScript in RE2's syntax, as far as `translateRegExp` does not. */
function toRe2(pattern: string): string {
  let inClass = false;
  return pattern.replace(tokens, (token) => {
    if (token.startsWith('\\u')) return token.length === 12 ? codePointOf(token) : token;
    if (/^\\p/i.test(token)) return toProperty(token, inClass);
    if (/^\\[1-9k]/.test(token) && !inClass)
      throw new SyntaxError(`has a backreference (${token}), ${unbounded}`);
    if (token.startsWith('(?') && !inClass) return assertGroup(token);
    if (token === '[' && !inClass) inClass = true;
    else if (token === ']') inClass = false;
    if (token === '\\s') return inClass ? whiteSpace : `[${whiteSpace}]`;
    if (token === '\\S') return inClass ? findRanges(/\S/u) : `[^${whiteSpace}]`;
    if (token === '.' && !inClass) return '[^\\n\\r\\x{2028}\\x{2029}]';
    return token === '\\b' && inClass ? '\\x08' : token;
  });
}

const unbounded = 'which cannot be matched in linear time';

/** Refuses what begins with `(?` and is neither a plain nor a named group, nor one that ignores case. */
function assertGroup(token: string): string {
  if (/^\(\?<?[=!]/.test(token)) throw new SyntaxError(`has look-around (${token}), ${unbounded}`);
  if (token !== '(?i') throw new SyntaxError(`has a group with flags (${token}); only i is supported`);
  return token;
}

const codePointOf = (pair: string): string =>
  `\\x{${String.fromCharCode(Number.parseInt(pair.slice(2, 6), 16), Number.parseInt(pair.slice(8), 16))
    .codePointAt(0)
    ?.toString(16)}}`;

/** What `\s` matches in JavaScript. RE2's has the characters of ASCII only. */
const whiteSpace = String.raw`\t-\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`;

/** Keeps a Unicode property that RE2 knows, and replaces others, such as `\p{Script=Greek}`, by their characters. */
function toProperty(token: string, inClass: boolean): string {
  try {
    RE2JS.compile(token);
    return token;
  } catch {
    const ranges = findRanges(new RegExp(token, 'u'));
    return inClass ? ranges : `[${ranges}]`;
  }
}

/** Writes the characters that an expression matches as ranges, for a class. */
function findRanges(expression: RegExp): string {
  let ranges = '';
  let start: number | undefined;
  for (let point = 0; point <= 0x110000; point++) {
    const isMember = point < 0x110000 && expression.test(String.fromCodePoint(point));
    if (isMember) start ??= point;
    else if (start !== undefined) {
      ranges += `\\x{${start.toString(16)}}-\\x{${(point - 1).toString(16)}}`;
      start = undefined;
    }
  }
  return ranges;
}
