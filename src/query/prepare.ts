/**
 * Compiles predicate texts to checked predicates, and caches the recent ones. Texts that differ in their literals alone share one entry:
 * the predicate with a placeholder in the place of each literal.
 */

import { LRUCache } from 'lru-cache';
import { predicateType, valuesMismatch } from '../base/errors.ts';
import type { Catalog } from '../model/content-type.ts';
import type { BoundPredicate, Operand, Predicate } from './ast.ts';
import {
  allOf,
  anyOf,
  buildComparison,
  buildItems,
  type ConversionTarget,
  type Converted,
  convertValue,
  negate,
} from './build-comparison.ts';
import {
  type CheckedPredicate,
  type CheckedTerm,
  checkPredicate,
  type OpenComparison,
  type OpenItem,
} from './check.ts';
import { predicateLimits } from './limits.ts';
import { parsePredicate } from './parse.ts';
import { countCharacters } from './text.ts';
import { isNumber, unquote } from './tokens.ts';

const maxEntries = 500;
const maxCachedCharacters = 4_096;

/** Creates a predicate compiler for one catalog; it caches 500 predicates of up to 4,096 characters. */
export function createPredicateCompiler(catalog: Catalog) {
  const known = new LRUCache<string, CheckedPredicate>({ max: maxEntries });
  const check = (classes: readonly string[], predicate: Predicate) =>
    checkPredicate({ catalog, root: classes, predicate });

  /** A text can be written like a shape, so `name` says which of the two it is. */
  function keep(
    classes: readonly string[],
    name: `${'text' | 'shape'} ${string}`,
    compile: () => CheckedPredicate,
  ): CheckedPredicate {
    const key = `${classes.join(' ')}\n${name}`;
    const found = known.get(key);
    if (found) return found;
    const checked = compile();
    known.set(key, checked);
    return checked;
  }

  function compileCut(classes: readonly string[], text: string, cut: CutText): CheckedPredicate {
    const outline = keep(classes, `shape ${cut.shape}`, () => check(classes, toOutline(text, cut)));
    return { ...outline, term: bindLiterals(outline, cut.literals), placeholders: 0 };
  }

  return {
    /**
     * Compiles a text to a checked predicate, for assets of the given classes.
     *
     * Errors: predicate_syntax, predicate_type, unknown_field.
     */
    prepare(classes: readonly string[], text: string): CheckedPredicate {
      const compile = () => check(classes, parsePredicate(text));
      if (text.length > maxCachedCharacters) return compile();
      const cut = cutLiterals(text);
      if (!cut) return keep(classes, `text ${text}`, compile);
      try {
        return compileCut(classes, text, cut);
      } catch {
        // The whole text, whose error has the columns of this very text.
        return compile();
      }
    },
  };
}

/** Parses a text and replaces the literals that were cut out by placeholders. Errors: predicate_syntax; a plain one for a literal that is no operand. */
function toOutline(text: string, { starts }: CutText): Predicate {
  const indexes = new Map(starts.map((start, index) => [countCharacters(text.slice(0, start)) + 1, index]));
  const replace = (operand: Operand): Operand => {
    if (operand.kind === 'list') return { ...operand, items: operand.items.map(replace) };
    const { column } = operand;
    const index = indexes.get(column);
    if (index === undefined) return operand;
    indexes.delete(column);
    return { kind: 'placeholder', index, column };
  };
  const visit = (predicate: Predicate): Predicate => {
    switch (predicate.kind) {
      case 'constant':
        return predicate;
      case 'and':
      case 'or':
        return { ...predicate, terms: predicate.terms.map(visit) };
      case 'not':
        return { ...predicate, term: visit(predicate.term) };
      case 'items':
        return { ...predicate, where: visit(predicate.where) };
      case 'comparison':
        return { ...predicate, operand: replace(predicate.operand) };
    }
  };
  const outline = visit(parsePredicate(text));
  if (indexes.size > 0) throw new Error(`What was cut out of ${JSON.stringify(text)} is not all operands`);
  return outline;
}

// Fills the placeholders of a checked predicate. The result is the bound predicate that stores compile.
//
// Values are converted to the declared type of the field they are compared with; nothing is parsed or resolved again.

/**
 * Binds a predicate to the values of its placeholders.
 *
 * Shapes: each of `values` is a text, number, boolean, `null` (missing), or a list of these (any of them).
 * Errors: values_mismatch; predicate_type, with the placeholder's column.
 */
export function bindPredicate(checked: CheckedPredicate, values: readonly unknown[]): BoundPredicate {
  if (values.length !== checked.placeholders) throw valuesMismatch(checked.placeholders, values.length);
  return bindTerm({ values, filled: 0 }, checked.term);
}

/**
 * Binds a predicate whose placeholders stand for the literals of a text. The columns of errors are those of another text.
 *
 * Errors: predicate_type.
 */
function bindLiterals(outline: CheckedPredicate, literals: readonly Literal[]): BoundPredicate {
  return bindTerm({ values: [], literals, filled: 0 }, outline.term);
}

/**
 * Checks one value against each placeholder that it fills, independently of the other values.
 *
 * Errors: predicate_type, with the placeholder's column.
 */
export function checkValue({ term }: CheckedPredicate, index: number, value: unknown): void {
  const values: unknown[] = [];
  values[index] = value;
  const check = (within: CheckedTerm): void => {
    if (within.kind === 'and' || within.kind === 'or') within.terms.forEach(check);
    if (within.kind === 'not') check(within.term);
    if (within.kind === 'items') check(within.where);
    if (within.kind !== 'open') return;
    for (const item of within.items) {
      if (item.kind === 'placeholder' && item.index === index)
        fill({ values, filled: 0 }, within.target, item);
    }
  };
  check(term);
}

interface Binding {
  readonly values: readonly unknown[];
  /** What fills the placeholders in place of values. */
  readonly literals?: readonly Literal[];
  filled: number;
}

function bindTerm(binding: Binding, term: CheckedTerm): BoundPredicate {
  switch (term.kind) {
    case 'and':
      return allOf(term.terms.map((each) => bindTerm(binding, each)));
    case 'or':
      return anyOf(term.terms.map((each) => bindTerm(binding, each)));
    case 'not':
      return negate(bindTerm(binding, term.term));
    case 'items':
      return buildItems(term.path, term.quantifier, bindTerm(binding, term.where));
    case 'open':
      return bindComparison(binding, term);
    default:
      return term;
  }
}

function bindComparison(binding: Binding, { target, items }: OpenComparison): BoundPredicate {
  return buildComparison(
    target,
    items.flatMap((item) => fill(binding, target, item)),
  );
}

function fill(binding: Binding, target: ConversionTarget, item: OpenItem): readonly Converted[] {
  if (item.kind === 'value') return [item.value];
  const { index, column, inList } = item;
  const literal = binding.literals?.[index];
  if (literal) return [convertValue(target, { ...literal, column })];
  const given = binding.values[index];
  // A list inside a list is not a single value, so the conversion refuses it.
  const singles = Array.isArray(given) && !inList ? given : [given];
  binding.filled += singles.length;
  if (binding.filled > predicateLimits.operands) {
    throw predicateType(column, `expected at most ${predicateLimits.operands} values in total`);
  }
  return singles.map((value) => convertValue(target, { value, column, literal: false, index }));
}

// Cuts the literals out of a predicate's text, so that texts that differ in these alone are compiled once.
//
// It reads the tokens of `tokens.ts`, in one pass and only as far as needed: a quoted text or a word with a digit is cut where an
// operand stands. No operator, keyword or connective has a digit, so what remains has the same tree whatever the literals are. Texts
// for which this is not certain are not cut.

/** A literal: `written` is the text of a number. */
interface Literal {
  readonly value: string | number;
  readonly written?: string;
  readonly literal: true;
}

/** A text without its literals. */
interface CutText {
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
