/**
 * Defines characters, case, words and the order of texts for predicates.
 *
 * The rules do not depend on a language, so that every store can implement them: case is folded code point by code point (Σ is always
 * σ, ς stays ς, İ stays İ). Only words are normalized.
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

// The tags that do not divide words; all others do.
const inlineTags =
  'abbr|acronym|a|bdi|bdo|big|b|cite|code|data|del|dfn|em|font|ins|i|kbd|label|mark|nobr|output|q|ruby|samp|small|span|strike|strong|' +
  'sub|sup|s|time|tt|u|var|wbr';

// A tag ends at the first > outside a quoted attribute value; an unclosed tag, comment, script or style ends with the text.
const attributes = /(?:=\s*(?:"[^"]*(?:"|$)|'[^']*(?:'|$))|[^>])*/.source;
const comment = /!--(?:-?>|.*?(?:--!?>|$))/.source;
const [script, style] = ['script', 'style'].map(
  (name) => `${name}(?=[\\s/>])${attributes}(?:$|>.*?(?=</${name}[\\s/>]|$))`,
);
const markup = new RegExp(
  `</?(?:${inlineTags})(?![^\\s/>])${attributes}(?:>|$)|(<)(?:${comment}|${script}|${style}|[a-z/!?]${attributes}(?:>|$))`,
  'gis',
);

/** Removes markup: of what divides words, `<` stays. */
const toPlain = (html: string): string => decodeHTML(html.replace(markup, '$1'));

// Marks that are accents or vowel points. Vowel signs, as Thai and Hindi have, and the voicing of Kana are part of the spelling.
const accents = /[[\p{M}&&[\p{sc=Zinh}\p{sc=Hebr}\p{sc=Arab}\p{sc=Cyrl}]]--[\u3099\u309a]]/gv;
// Soft hyphens, joiners, zero-width spaces and other characters without width.
const invisible = /\p{Default_Ignorable_Code_Point}/gv;

/** Folds a text for words: replaces it by lower case without accents. Composes what it has not removed, such as syllables of Hangul. */
function foldForWords(text: string): string {
  const known = new Map<string, string>();
  const fold = (part: string): string => {
    const found =
      known.get(part) ?? part.replace(invisible, '').normalize('NFKD').replace(accents, '').normalize('NFC');
    known.set(part, found);
    return found;
  };
  // What accents stand behind may be ASCII, but never changes with them.
  return foldCase(text.replace(/[^\0-\x7f]+/g, fold));
}

// Scripts that put no blanks between words: Han, Kana, Hangul, Thai, Lao and Khmer.
const dense =
  /[[\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}]&&[\p{L}\p{M}\p{N}]]/v;
const runs = /[\p{L}\p{M}\p{N}]+/gu;
// A part of a run in one of these scripts, or in others.
const parts = new RegExp(`${dense.source}+|[^${dense.source}]+`, 'gv');
const startsDense = new RegExp(`^${dense.source}`, 'v');

/** Returns the pairs of neighbouring characters of a run; a single character is its own only word. */
function toPairs(run: string): string[] {
  const characters = Array.from(run);
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, at) => `${characters[at]}${character}`);
}

/**
 * Splits a text into its words, in order, in lower case and without accents: runs of letters, marks and digits. Of a script without
 * blanks between words, each pair of characters in a run is a word. Stores keep words, so a change of these rules raises `wordRules`
 * in `store/word-tokens.ts`.
 *
 * Shapes: in rich text, tags and comments separate words unless the tag is inline, scripts and styles have no words, and character
 * references such as `&eacute;` are decoded.
 */
export function toWords(text: string, { richText }: { richText: boolean }): string[] {
  const folded = foldForWords(richText ? toPlain(text) : text);
  const found: string[] = folded.match(runs) ?? [];
  if (!dense.test(folded)) return found;
  return found
    .flatMap((run) => run.match(parts) ?? [])
    .flatMap((part) => (startsDense.test(part) ? toPairs(part) : part));
}

/** How many characters of a prefix are compared with words. */
export const longestPrefix = 64;

/**
 * Splits a text to search for into terms, each of one or more words that must all be found. A word that ends with `*` is found where a
 * word begins with it: one before a `*`, and a single character of a script without blanks between words.
 */
export function toSearchedTerms(text: string): string[][] {
  return [...foldForWords(text).matchAll(searched)].map(([run, isPrefix]) => {
    if (!startsDense.test(run)) return [isPrefix ? toPrefix(run.slice(0, -1)) : run];
    const pairs = toPairs(isPrefix ? run.slice(0, -1) : run);
    return pairs.length > 1 || countCharacters(pairs[0] ?? '') > 1 ? pairs : pairs.map(toPrefix);
  });
}

const searched = new RegExp(`(?:${dense.source}+|[[\\p{L}\\p{M}\\p{N}]--${dense.source}]+)(\\*)?`, 'gv');

const toPrefix = (word: string) => `${Array.from(word).slice(0, longestPrefix).join('')}*`;

/** Returns the prefix that a searched word stands for; `undefined` for a whole word. */
export const prefixOf = (word: string): string | undefined =>
  word.endsWith('*') ? word.slice(0, -1) : undefined;

/** Prepares the test whether a searched word is among the words of a text. */
export function toWordTest(word: string): (words: ReadonlySet<string>) => boolean {
  const prefix = prefixOf(word);
  if (prefix === undefined) return (words) => words.has(word);
  return (words) => [...words].some((each) => each.startsWith(prefix));
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
