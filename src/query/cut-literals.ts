/**
 * Cuts the literals out of a predicate's text, so that texts that differ in these alone are compiled once.
 *
 * It reads the tokens of `tokens.ts`, in one pass and only as far as needed: a quoted text or a word with a digit is cut where an
 * operand stands. No operator, keyword or connective has a digit, so what remains has the same tree whatever the literals are. Texts
 * for which this is not certain are not cut.
 */
import { isNumber, unquote } from './tokens.ts';

/** A literal: `written` is the text of a number. */
export interface Literal {
  readonly value: string | number;
  readonly written?: string;
  readonly literal: true;
}

/** A text without its literals. */
export interface CutText {
  /** The same for two texts exactly if they differ in nothing but the values of literals. */
  readonly shape: string;
  readonly literals: readonly Literal[];
  /** Where each literal stands in the text, in UTF-16 code units from 0. */
  readonly starts: readonly number[];
}

/** What stands in a shape for a literal. Outside of quotes a predicate has no such characters. */
const marks = { quoted: '\u0001', number: '\u0002', word: '\u0003' } as const;

/**
 * Cuts out the literals. Returns `undefined` for a text without any, and for one with placeholders, with characters beyond ASCII outside
 * of quotes, or that no predicate has.
 */
export function cutLiterals(text: string): CutText | undefined {
  const literals: Literal[] = [];
  const starts: number[] = [];
  let shape = '';
  let kept = 0;
  // Whether the next token is an operand, if the text is a predicate.
  let isOperand = false;
  for (let at = 0; at < text.length; ) {
    const kind: Kind | undefined = kinds[text.charCodeAt(at)];
    if (kind === undefined) return undefined;
    const end: number | undefined =
      kind === 'quote' ? endOfQuoted(text, at) : kind === 'word' ? endOfWord(text, at) : at + 1;
    if (end === undefined) return undefined;
    const mark: string | undefined = isOperand && kind !== 'blank' ? markOf(text, at, end) : undefined;
    if (mark !== undefined) {
      const literal = toLiteral(text.slice(at, end), mark);
      if (!literal) return undefined;
      literals.push(literal);
      starts.push(at);
      shape += text.slice(kept, at) + mark;
      kept = end;
    }
    if (kind !== 'blank') isOperand = mark === undefined && precedesOperand(text, at, end);
    at = end;
  }
  return literals.length === 0 ? undefined : { shape: shape + text.slice(kept), literals, starts };
}

type Kind = 'blank' | 'quote' | 'word' | 'symbol';

/** The kinds of characters by their codes; a text with others, such as `?`, is not cut. */
const kinds: readonly (Kind | undefined)[] = Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/\s/.test(character)) return 'blank';
  if (/['"]/.test(character)) return 'quote';
  if (/[A-Za-z0-9_./:@+-]/.test(character)) return 'word';
  return /[=!<>^~&|()[\],]/.test(character) ? 'symbol' : undefined;
});

/** Returns where a quoted text ends; `undefined` without a closing quote. */
function endOfQuoted(text: string, start: number): number | undefined {
  const quote = text[start];
  for (let end = start + 1; end < text.length; end++) {
    if (text[end] === '\\') end++;
    else if (text[end] === quote) return end + 1;
  }
  return undefined;
}

function endOfWord(text: string, start: number): number {
  let end = start + 1;
  while (kinds[text.charCodeAt(end)] === 'word') end++;
  return end;
}

/** Returns the mark of a token that is cut where an operand stands. */
function markOf(text: string, start: number, end: number): string | undefined {
  const kind = kinds[text.charCodeAt(start)];
  if (kind === 'quote') return marks.quoted;
  if (kind !== 'word') return undefined;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code >= 0x30 && code <= 0x39) return isNumber(text.slice(start, end)) ? marks.number : marks.word;
  }
  return undefined;
}

/** Returns `undefined` for what the parser refuses. */
function toLiteral(source: string, mark: string): Literal | undefined {
  if (mark === marks.word) return { value: source, literal: true };
  if (mark === marks.number) {
    const value = Number(source);
    return Number.isFinite(value) ? { value, written: source, literal: true } : undefined;
  }
  const value = source.includes('\\') ? findUnquoted(source) : source.slice(1, -1);
  return value === undefined ? undefined : { value, literal: true };
}

function findUnquoted(source: string): string | undefined {
  try {
    return unquote(source, 1);
  } catch {
    return undefined;
  }
}

/** Whether an operand can follow: behind an operator, its suffix, and in a list. Behind a connective a path follows, which can be quoted. */
function precedesOperand(text: string, start: number, end: number): boolean {
  if (kinds[text.charCodeAt(start)] === 'symbol') return '=<>[],'.includes(text[start] ?? '');
  return end - start > 3 || !/^(and|or|not)$/i.test(text.slice(start, end));
}
