/**
 * Regular expressions for comparisons of texts, as texts that PCRE and others read alike.
 *
 * Case is folded by naming every variant of a character: what a database calls case-insensitive depends on its version and
 * locale. The option `s` lets `.` stand for a line break too, so that `(?!.)` is the very end, as `$` is not.
 */
import { invalidParameter } from '../../../base/errors.ts';
import { caseVariants } from '../../../query/text.ts';

/** A pattern as a query operator. */
export interface Pattern {
  readonly $regex: string;
  readonly $options: 's';
}

/** What a text must be to the searched one, and whether case matters. */
export interface TextSearch {
  readonly text: string;
  readonly place: 'whole' | 'start' | 'anywhere';
  readonly ignoreCase: boolean;
}

/** MongoDB refuses patterns beyond 16,384 bytes. */
const maxPatternBytes = 16_000;

/** The pattern of a search. Errors: invalid_parameter when the text is too long to be searched. */
export function toTextPattern({ text, place, ignoreCase }: TextSearch): Pattern {
  const source = ignoreCase ? Array.from(text, anyCase).join('') : quote(text);
  const isStart = place !== 'anywhere';
  return toPattern(`${isStart ? '^' : ''}${source}${place === 'whole' ? '(?!.)' : ''}`);
}

/** The pattern of word lists, as `word-index.ts` writes them, that have any or all of some words. */
export function toWordPattern(words: readonly string[], all: boolean): Pattern {
  const [word = '', ...others] = words;
  if (others.length === 0) return toPattern(` ${word} `);
  return toPattern(all ? `^${words.map((each) => `(?=.* ${each} )`).join('')}` : ` (?:${words.join('|')}) `);
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
