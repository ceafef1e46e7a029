/**
 * Regular expressions for comparisons of strings, in a syntax that PCRE and other engines read alike.
 *
 * To ignore case, a pattern lists every variant of a character, since a database's own case-insensitive option depends on its
 * version and locale. With the option `s`, `.` also matches a line break, so that `(?!.)` matches only the very end; `$` would
 * also match before a final line break.
 */
import { invalidParameter } from '../../../base/errors.ts';
import type { PartOperator } from '../../../query/operators.ts';
import { caseVariants, prefixOf } from '../../../query/text.ts';

/** A pattern as a query operator. */
export interface Pattern {
  readonly $regex: string;
  readonly $options: 's';
}

/** The string to search for, where it must occur, and whether case matters. */
export interface TextSearch {
  readonly text: string;
  readonly place: 'whole' | PartOperator;
  readonly ignoreCase: boolean;
}

/** MongoDB refuses patterns of more than 16,384 bytes. */
const maxPatternBytes = 16_000;

/** Compiles a search to a pattern. Errors: invalid_parameter when the string is too long to search for. */
export function toTextPattern({ text, place, ignoreCase }: TextSearch): Pattern {
  const source = ignoreCase ? Array.from(text, anyCase).join('') : quote(text);
  return toPattern(placed[place](source));
}

/** The pattern of a whole text, or of one that has the source as a part. */
const placed: Readonly<Record<TextSearch['place'], (source: string) => string>> = {
  whole: (source) => `^${source}(?!.)`,
  startsWith: (source) => `^${source}`,
  contains: (source) => source,
};

/**
 * Returns the pattern for the strings of words of `word-index.ts` that contain any, or all, of some words. It names the start of
 * these strings, so that an index finds them among listed words.
 */
export function toWordPattern(words: readonly string[], { all, start = '' }: WordSearch): Pattern {
  const ends = words.map((word) => prefixOf(word) ?? `${word} `);
  const searched = all ? ends.map((end) => `(?=(?:.* )?${end})`).join('') : `(?:.* )?(?:${ends.join('|')})`;
  return toPattern(`^${start} ${searched}`);
}

/** Returns the pattern for listed words that begin with a searched word. */
export const toPrefixPattern = (word: string): Pattern => toPattern(`^${prefixOf(word)}`);

interface WordSearch {
  readonly all: boolean;
  /** What precedes the words. */
  readonly start?: string;
}

function toPattern(source: string): Pattern {
  if (Buffer.byteLength(source) > maxPatternBytes) {
    throw invalidParameter('where', 'compares with a string too long to be searched for');
  }
  return { $regex: source, $options: 's' };
}

function anyCase(character: string): string {
  const variants = caseVariants(character);
  return variants.length > 1 ? `[${variants.join('')}]` : quote(character);
}

const quote = (text: string) => text.replace(/[\\^$.|?*+()[\]{}/-]/g, '\\$&');
