/**
 * Parses predicate text into its tree: recursive descent over the grammar, one pass, within `predicateLimits`.
 *
 * Surprising cases: a path may be quoted, for fields named like a keyword; the values `and`, `or` and `not` must be quoted.
 * `[c]` directly after an operator is its suffix; after a blank it is the suffix if a value follows, and otherwise a list.
 * Placeholders are `?`, numbered by position, or `?0`; one predicate uses only one of the two, and skips no number.
 */

import { predicateSyntax } from '../base/errors.ts';
import type { Operand, Predicate, Quantifier } from './ast.ts';
import { predicateLimits as limits } from './limits.ts';
import { findOperator, isEquality, type Operator } from './operators.ts';
import { countCharacters } from './text.ts';
import { readTokens, type Token, type TokenReader } from './tokens.ts';

/** Keywords that can appear in the place of a path. A path with such a name must be quoted. */
export const pathKeywords: ReadonlySet<string> = new Set(['and', 'or', 'not', 'true', 'false']);

/** The state of one parse. */
interface Parsing {
  readonly tokens: TokenReader;
  readonly placeholders: Token[];
  comparisons: number;
  operands: number;
}

/**
 * Parses a predicate.
 *
 * Errors: predicate_syntax, with the column and what was expected there; also when a limit is exceeded.
 */
export function parsePredicate(text: string): Predicate {
  if (text.length > limits.characters && countCharacters(text) > limits.characters) {
    throw limitExceeded('characters', limits.characters + 1);
  }
  const parsing: Parsing = { tokens: readTokens(text), placeholders: [], comparisons: 0, operands: 0 };
  const predicate = parseOr(parsing, 0);
  const rest = parsing.tokens.next();
  if (rest.kind !== 'end') throw unexpected(rest, '"and", "or" or the end');
  assertNumbering(parsing.placeholders);
  return predicate;
}

function parseOr(parsing: Parsing, depth: number): Predicate {
  return parseChain(parsing, 'or', () => parseChain(parsing, 'and', () => parseNot(parsing, depth)));
}

function parseChain({ tokens }: Parsing, kind: 'and' | 'or', parseTerm: () => Predicate): Predicate {
  const first = parseTerm();
  if (!isConnective(tokens.peek(), kind)) return first;
  const terms = [first];
  while (isConnective(tokens.peek(), kind)) {
    tokens.next();
    terms.push(parseTerm());
  }
  return { kind, terms };
}

function parseNot(parsing: Parsing, depth: number): Predicate {
  const { tokens } = parsing;
  const token = tokens.peek();
  const opens = isSymbol(token, '(');
  if (opens) return parseGroup(parsing, depth);
  if (keywordOf(token) !== 'not' && !isSymbol(token, '!')) return parseComparison(parsing, depth);
  assertDepth(token, depth);
  tokens.next();
  return { kind: 'not', term: parseNot(parsing, depth + 1) };
}

function parseGroup(parsing: Parsing, depth: number): Predicate {
  const { tokens } = parsing;
  assertDepth(tokens.peek(), depth);
  expectSymbol(tokens, '(', '"(" and a condition on one item');
  const inner = parseOr(parsing, depth + 1);
  expectSymbol(tokens, ')', '"and", "or" or ")"');
  return inner;
}

function assertDepth({ column }: Token, depth: number): void {
  if (depth === limits.nesting) throw limitExceeded('nesting', column);
}

function parseComparison(parsing: Parsing, depth: number): Predicate {
  const { tokens } = parsing;
  const keyword = keywordOf(tokens.peek());
  if (++parsing.comparisons > limits.comparisons) throw limitExceeded('comparisons', tokens.peek().column);
  if (keyword === 'true' || keyword === 'false') {
    tokens.next();
    return { kind: 'constant', value: keyword === 'true' };
  }
  const path = parsePath(tokens.next());
  const spelling = tokens.next();
  const quantifier = quantifiers.find((word) => word === keywordOf(spelling));
  if (quantifier) {
    const where = parseGroup(parsing, depth);
    return { kind: 'items', path: path.text, quantifier, where, column: path.column };
  }
  const operator =
    spelling.kind === 'word' || spelling.kind === 'symbol' ? findOperator(spelling.text) : undefined;
  if (!operator) throw unexpected(spelling, operatorFor(keywordOf(spelling), keywordOf(tokens.peek())));
  if (isSymbol(spelling, '=') && isSymbol(tokens.peek(), '='))
    throw unexpected(tokens.peek(), 'a value behind one "="');
  if (isSymbol(spelling, '<') && isSymbol(tokens.peek(), '>'))
    throw unexpected(tokens.peek(), '"!=" in place of "<>"');
  const ignoreCase = readSuffix(tokens);
  const found = parseOperand(parsing);
  const isEmpty = found.kind === 'list' && found.items.length === 0 && isWholeValue(operator, spelling);
  const operand: Operand = isEmpty ? { kind: 'empty', column: found.column } : found;
  return { kind: 'comparison', path: path.text, operator, ignoreCase, operand, column: path.column };
}

const quantifiers: readonly Quantifier[] = ['any', 'every', 'none'];

/** Whether an operator compares with a list as a whole: `tags = []` does, and `tags in []` finds one of no values. */
const isWholeValue = (operator: Operator, spelling: Token) =>
  isEquality(operator) && !['in', 'notin'].includes(keywordOf(spelling));

function parsePath(token: Token, expected = 'a comparison such as name = "value"'): Token {
  const isPath = token.kind === 'quoted' || (token.kind === 'word' && !pathKeywords.has(keywordOf(token)));
  if (!isPath) throw unexpected(token, expected);
  if (token.text.split(/[./]/, limits.pathNames + 1).length > limits.pathNames) {
    throw limitExceeded('pathNames', token.column);
  }
  if (token.text.split('/').length - 1 > limits.pathReferences)
    throw limitExceeded('pathReferences', token.column);
  return token;
}

function readSuffix(tokens: TokenReader): boolean {
  const open = tokens.peek();
  const isSuffix =
    isSymbol(open, '[') &&
    keywordOf(tokens.peek(1)) === 'c' &&
    isSymbol(tokens.peek(2), ']') &&
    (open.followsDirectly || startsValue(tokens.peek(3)));
  for (let left = isSuffix ? 3 : 0; left > 0; left--) tokens.next();
  return isSuffix;
}

function startsValue(token: Token): boolean {
  if (token.kind === 'symbol') return token.text === '[';
  return token.kind !== 'end' && !connectives.has(keywordOf(token));
}

function parseOperand(parsing: Parsing): Operand {
  const { tokens } = parsing;
  if (isSymbol(tokens.peek(), '('))
    throw unexpected(tokens.peek(), 'a value, or a list in brackets such as [A, B]');
  if (!isSymbol(tokens.peek(), '[')) return parseSingle(parsing);
  const { column } = tokens.next();
  const items: Operand[] = [];
  if (!isSymbol(tokens.peek(), ']')) items.push(parseSingle(parsing));
  while (isSymbol(tokens.peek(), ',')) {
    tokens.next();
    items.push(parseSingle(parsing));
  }
  expectSymbol(tokens, ']', '"," or "]"');
  return { kind: 'list', items, column };
}

function parseSingle(parsing: Parsing): Operand {
  const token = parsing.tokens.next();
  const { kind, text, column } = token;
  if (kind === 'end' || kind === 'symbol') throw unexpected(token, 'a value');
  if (++parsing.operands > limits.operands) throw limitExceeded('operands', column);
  switch (kind) {
    case 'quoted':
      return { kind: 'text', text, column };
    case 'number':
      assertFinite(token);
      return { kind: 'number', text, column };
    case 'placeholder':
      parsing.placeholders.push(token);
      return { kind, index: text === '' ? parsing.placeholders.length - 1 : Number(text), column };
    case 'word':
      return isFieldOf(token, parsing.tokens.peek()) ? parseField(parsing.tokens, column) : parseWord(token);
  }
}

const isFieldOf = (token: Token, next: Token) =>
  keywordOf(token) === 'field' && isSymbol(next, '(') && next.followsDirectly;

function parseField(tokens: TokenReader, column: number): Operand {
  tokens.next();
  const { text: path } = parsePath(tokens.next(), 'the name of a field');
  expectSymbol(tokens, ')', '")"');
  return { kind: 'field', path, column };
}

function parseWord(token: Token): Operand {
  const { text, column } = token;
  const keyword = keywordOf(token);
  if (connectives.has(keyword)) throw unexpected(token, `a value ("${text}" as a string needs quotes)`);
  if (keyword === 'true' || keyword === 'false')
    return { kind: 'boolean', boolean: keyword === 'true', column };
  if (keyword === 'null' || keyword === 'missing') return { kind: 'missing', column };
  return { kind: 'text', text, column };
}

function assertFinite(token: Token): void {
  if (!Number.isFinite(Number(token.text))) throw unexpected(token, 'a number that a 64-bit float can hold');
}

function assertNumbering(placeholders: readonly Token[]): void {
  const [first] = placeholders;
  const different = placeholders.find(({ text }) => (text === '') !== (first?.text === ''));
  if (different) throw unexpected(different, 'only "?" or only numbers such as "?0"');
  if (first === undefined || first.text === '') return;
  const used = new Set(placeholders.map(({ text }) => Number(text)));
  const gap = placeholders.findIndex((_, index) => index < used.size && !used.has(index));
  if (gap >= 0) throw unexpected(first, `a use of "?${gap}", because the numbers start at 0 and skip none,`);
}

const connectives: ReadonlySet<string> = new Set(['and', 'or', 'not']);

const keywordOf = ({ kind, text }: Token) => (kind === 'word' ? text.toLowerCase() : '');

const isSymbol = ({ kind, text }: Token, symbol: string) => kind === 'symbol' && text === symbol;

const isConnective = (token: Token, kind: 'and' | 'or') =>
  keywordOf(token) === kind || isSymbol(token, kind === 'and' ? '&&' : '||');

function expectSymbol(tokens: TokenReader, symbol: string, expected: string): void {
  const token = tokens.next();
  if (!isSymbol(token, symbol)) throw unexpected(token, expected);
}

function unexpected({ kind, source, column }: Token, expected: string) {
  const shown = source.length > 40 ? `${source.slice(0, 40)}…` : source;
  return predicateSyntax(column, expected, kind === 'end' ? 'the end' : JSON.stringify(shown));
}

const limitNames = {
  characters: 'characters',
  comparisons: 'comparisons',
  operands: 'values',
  nesting: 'levels of parentheses and "not"',
  pathNames: 'names in a path',
  pathReferences: 'references in a path',
} as const;

function limitExceeded(limit: keyof typeof limitNames, column: number) {
  return predicateSyntax(column, `at most ${limits[limit]} ${limitNames[limit]}`, 'more');
}

/** Says what to write in place of a word that is no operator. */
function operatorFor(word: string, next: string): string {
  if (word === 'not')
    return next === 'in' ? 'the operator "notIn", in one word' : '"not" before the whole comparison';
  if (word === 'is') return next === 'not' ? '"!=" in place of "is not"' : '"="';
  return otherOperators.get(word) ?? 'an operator such as "=" or "contains"';
}

/** Operators of other languages, and what to write here. */
const otherOperators: ReadonlyMap<string, string> = new Map([
  ...['eq', 'equals'].map((word) => [word, '"="'] as const),
  ...['ne', 'notequals'].map((word) => [word, '"!="'] as const),
  ['lt', '"<"'],
  ['le', '"<="'],
  ['gt', '">"'],
  ['ge', '">="'],
  ...['like', 'ilike', 'rlike', 'regexp', 'similar'].map(
    (word) => [word, '"contains" or "startsWith", which take no wildcards'] as const,
  ),
  ['between', '">=" and "<=" in two comparisons joined by "and"'],
  ...['exists', 'notnull'].map((word) => [word, '"!= null"'] as const),
  ...['isnull', 'missing', 'null'].map((word) => [word, '"= null"'] as const),
  ['endswith', '"contains", which finds a text anywhere'],
  ['some', '"any" and a condition on one item'],
  ['all', '"every" and a condition on one item'],
]);
