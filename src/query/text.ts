/**
 * Defines characters, case, words and the order of texts for predicates.
 *
 * The rules do not depend on a language or on neighbouring characters, so that every store can implement them: case is folded
 * code point by code point (Σ is always σ, ς stays ς, İ stays İ), and texts are not normalized.
 */
import { decodeHTML } from 'entities';

/** Counts the characters (code points) of a text. */
export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** Folds case: replaces each code point by its lower case, if that is a single code point. */
export function foldCase(text: string): string {
  // toLowerCase treats only two differently: Σ depends on its context, and İ becomes two code points.
  if (!/[\u0130\u03a3]/.test(text)) return text.toLowerCase();
  return text
    .replaceAll('\u03a3', '\u03c3')
    .split('\u0130')
    .map((part) => part.toLowerCase())
    .join('\u0130');
}

// Capitals that `toUpperCase` never returns: title case letters, ϴ ẞ, and the signs Ohm, Kelvin and Ångström.
const oddCapitals: ReadonlyMap<string, string> = new Map(
  [
    ...'\u01c5\u01c8\u01cb\u01f2\u03f4\u1e9e\u2126\u212a\u212b',
    ...'\u1f88\u1f89\u1f8a\u1f8b\u1f8c\u1f8d\u1f8e\u1f8f\u1f98\u1f99\u1f9a\u1f9b\u1f9c\u1f9d\u1f9e\u1f9f',
    ...'\u1fa8\u1fa9\u1faa\u1fab\u1fac\u1fad\u1fae\u1faf\u1fbc\u1fcc\u1ffc',
  ].map((capital) => [foldCase(capital), capital]),
);

/** Returns all code points with the same folded form as `character`, the folded form first. */
export function caseVariants(character: string): readonly string[] {
  const folded = foldCase(character);
  const capitals = [folded.toUpperCase(), oddCapitals.get(folded) ?? folded];
  return [folded, ...capitals.filter((capital) => capital !== folded && foldCase(capital) === folded)];
}

// A tag ends at the first > outside a quoted attribute value; an unclosed tag or comment ends with the text.
const markup = /<!--(?:-?>|.*?(?:--!?>|$))|<[a-z/!?](?:=\s*(?:"[^"]*(?:"|$)|'[^']*(?:'|$))|[^>])*(?:>|$)/gis;

/**
 * Splits a text into its words, folded and in order: runs of letters, marks and digits. Stores keep words, so a change of these rules
 * raises `wordRules` in `store/word-tokens.ts`.
 *
 * Shapes: in rich text a tag or comment separates words, and character references such as `&eacute;` are decoded.
 */
export function toWords(text: string, { richText }: { richText: boolean }): string[] {
  const plain = richText ? decodeHTML(text.replace(markup, ' ')) : text;
  return foldCase(plain).match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

/** Orders two texts by code point: below, above or equal to 0. */
export function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    const difference = rank(a.charCodeAt(at)) - rank(b.charCodeAt(at));
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

// Surrogates encode the highest code points, but their code units are less than U+E000 to U+FFFF.
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
