/**
 * Splits predicate text into tokens, one at a time, so that after an early error the rest of the text is not read.
 *
 * A column counts characters (Unicode code points) from 1. A bare word is a run of letters, marks, digits and `_ . / - : @ +`,
 * so that JSON paths, class names, UUIDs and addresses need no quotes; a word in the notation of a JSON number is a number.
 */
import { predicateSyntax } from '../base/errors.ts';
import { operatorSpellings } from './operators.ts';
import { countCharacters } from './text.ts';

/** One token. `text` is a quoted text's content, a placeholder's digits, and otherwise the text as written. */
export interface Token {
  readonly kind: 'word' | 'number' | 'quoted' | 'placeholder' | 'symbol' | 'end';
  readonly text: string;
  /** As written, quotes included. */
  readonly source: string;
  readonly column: number;
  /** Tells whether no blank separates it from the token before it. */
  readonly followsDirectly: boolean;
}

/** Returns tokens in order, and `end` tokens after the last one. */
export type TokenReader = ReturnType<typeof readTokens>;

/**
 * Reads the tokens of a predicate.
 *
 * Errors: predicate_syntax, when the next token is malformed.
 */
export function readTokens(text: string) {
  const tokens = tokenize(text);
  const ahead: Token[] = [];
  const peek = (distance: number = 0): Token => {
    for (;;) {
      const token = ahead[distance];
      if (token) return token;
      ahead.push(tokens.next().value);
    }
  };
  const next = (): Token => {
    const token = peek();
    ahead.shift();
    return token;
  };
  return { peek, next };
}

/** Tells whether a text can be written as a bare word. */
export function isBareWord(text: string): boolean {
  return /^[\p{L}\p{M}\p{N}_./:@+-]+$/u.test(text) && !isNumber(text);
}

/** Tells whether a text is a number in JSON's notation. */
export function isNumber(text: string): boolean {
  return /^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$/.test(text);
}

/** The symbols, longer ones first: those that spell operators, and those around them. */
const symbols = [...Object.values(operatorSpellings).flat(), '&&', '||', '!', '(', ')', '[', ']', ',']
  .filter((spelling) => !isBareWord(spelling))
  .toSorted((a, b) => b.length - a.length);

// Blank, word, quoted text, placeholder, symbol, and any other character.
const lexeme = new RegExp(
  String.raw`(\s+)|([\p{L}\p{M}\p{N}_./:@+-]+)|('[^'\\]*(?:\\.[^'\\]*)*'|"[^"\\]*(?:\\.[^"\\]*)*")|(\?[0-9]*)|(${symbols.map((one) => RegExp.escape(one)).join('|')})|.`,
  'gsu',
);

function* tokenize(text: string): Generator<Token, never> {
  let column = 1;
  let followsDirectly = false;
  for (const [source, blank, word, quoted, placeholder, symbol] of text.matchAll(lexeme)) {
    const at = { source, column, followsDirectly };
    followsDirectly = blank === undefined;
    if (word !== undefined) yield { kind: isNumber(word) ? 'number' : 'word', text: word, ...at };
    else if (symbol !== undefined) yield { kind: 'symbol', text: symbol, ...at };
    else if (quoted !== undefined) yield { kind: 'quoted', text: unquote(quoted, column), ...at };
    else if (placeholder !== undefined) yield { kind: 'placeholder', text: placeholder.slice(1), ...at };
    else if (blank === undefined) throw unreadable(source, column);
    column += countCharacters(source);
  }
  for (;;) yield { kind: 'end', text: '', source: '', column, followsDirectly };
}

const escapes = /\\(?:u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|(.))/gsu;
const plainEscapes = new Map([
  ['\\', '\\'],
  ["'", "'"],
  ['"', '"'],
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
]);

/** Returns the content of a quoted text. Errors: predicate_syntax. */
export function unquote(source: string, column: number): string {
  const content = source.slice(1, -1);
  if (!content.includes('\\')) return content;
  return content.replace(escapes, (written, braced?: string, fixed?: string, single?: string, at = 0) => {
    const code = Number.parseInt(braced ?? fixed ?? '', 16);
    const character = code <= 0x10ffff ? String.fromCodePoint(code) : plainEscapes.get(single ?? '');
    if (character !== undefined) return character;
    const place = column + 1 + countCharacters(content.slice(0, at));
    throw predicateSyntax(
      place,
      'an escape: \\\\ \\\' \\" \\n \\t \\r \\uXXXX or \\u{…}',
      JSON.stringify(written),
    );
  });
}

function unreadable(source: string, column: number) {
  if (source === "'" || source === '"') {
    return predicateSyntax(column, `a closing ${source} for the quote that opens here`, 'none');
  }
  const visible = /^[^\p{C}\p{Z}\p{M}]$/u.test(source);
  const code = source.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
  return predicateSyntax(
    column,
    'a word, a quoted text or a symbol',
    visible ? JSON.stringify(source) : `U+${code}`,
  );
}
