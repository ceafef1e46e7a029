/**
 * Finds numbers that would lose their value: JSON's numbers are read as doubles, which have some 16 digits.
 *
 * A whole number must keep every digit, and no number may become 0 or infinite. That a fraction is rounded in its last digits is
 * what a number with a point is for.
 */
import type { Problem } from '../../base/errors.ts';

export const inexactMessage = 'is a number that cannot be stored exactly; send it as a string';

/** The number of digits that a whole number always keeps. */
const safeDigits = 15;
const safeLimit = 10 ** safeDigits;

/** Tells whether a number keeps its value; `source` is its text in JSON or GraphQL. */
export function isExactNumber(source: string): boolean {
  const number = Number(source);
  if (!Number.isFinite(number)) return false;
  if (number === 0) return !/^[^eE]*[1-9]/.test(source);
  // Below the limit a whole number has no more digits than are safe, and what is no whole number may be rounded.
  if (Math.abs(number) < safeLimit || String(number) === source) return true;
  const [written, kept] = [toDecimal(source), toDecimal(String(number))];
  return written.exponent < 0 || (written.digits === kept.digits && written.exponent === kept.exponent);
}

/** The digits without zeros at either end, and the power of ten of the last one; a whole number has none below 0. */
function toDecimal(source: string): { digits: string; exponent: number } {
  const [, whole = '', fraction = '', power = '0'] =
    /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(source) ?? [];
  const all = (whole + fraction).replace(/^0+/, '');
  const digits = all.replace(/0+$/, '');
  return { digits, exponent: Number(power) - fraction.length + (all.length - digits.length) };
}

/** The most numbers that are reported. */
const maxProblems = 100;

/** Finds the first inexact numbers in a valid JSON text. */
export function findInexactNumbers(text: string): Problem[] {
  const problems: Problem[] = [];
  const levels: Level[] = [];
  // Texts, numbers and the signs between them; what is left out is blanks and words.
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|[[\]{},:]/gs)) {
    const level = levels.at(-1);
    if (token === '[' || token === '{') levels.push({ isList: token === '[', index: 0, name: '""' });
    else if (token === ']' || token === '}') levels.pop();
    else if (token === ',' && level) level.index++;
    else if (token.startsWith('"') && level) level.name = token;
    else if (/^[-\d]/.test(token) && !isExactNumber(token)) {
      problems.push({ path: pathOf(levels), message: inexactMessage });
      if (problems.length === maxProblems) break;
    }
  }
  return problems;
}

/** An object or a list that is begun: the place in it, and the last text in it, which before a member's value is its name. */
interface Level {
  readonly isList: boolean;
  index: number;
  name: string;
}

function pathOf(levels: readonly Level[]): string {
  return levels.reduce((path, { isList, index, name }) => {
    if (isList) return `${path}[${index}]`;
    return path === '' ? JSON.parse(name) : `${path}.${JSON.parse(name)}`;
  }, '');
}
